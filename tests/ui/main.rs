//! Every message of the compiler, as rustc prints it. `TRYBUILD=overwrite cargo test --test ui` writes what has
//! changed; nobody edits a `.stderr` by hand.

use std::path::{Path, PathBuf};
use std::process::Command;

#[test]
fn messages() {
    let cases = trybuild::TestCases::new();
    cases.compile_fail("ui/attribute/*.rs");
    cases.compile_fail("ui/shape/*.rs");
    cases.compile_fail("ui/unsupported/*.rs");
}

/// Sizes of generic functions are compared when these are instantiated, which `cargo check` does not do. With a case that
/// passes trybuild builds instead, one case after the other.
#[test]
fn messages_about_instances() {
    if let Some(sysroot) = without_sources() {
        // With those that trybuild gives to rustc, which these take the place of.
        let flags = ["--cfg", "trybuild", "--verbose", "-A", "dead_code", "--sysroot", &sysroot.to_string_lossy()];
        let mut again = Command::new(std::env::current_exe().unwrap());
        again.args(["messages_about_instances", "--exact", "--nocapture"]);
        assert!(again.env(FLAGS, flags.join("\x1f")).status().unwrap().success());
        return;
    }
    let cases = trybuild::TestCases::new();
    cases.pass("ui/equal_sizes.rs");
    cases.compile_fail("ui/instantiated/*.rs");
}

const FLAGS: &str = "CARGO_ENCODED_RUSTFLAGS";

/// Where the component `rust-src` is installed, which editors ask for, rustc shows lines of the standard library in its messages. Then
/// this is a toolchain like that which is used, but without these sources; `None`, if it has none.
fn without_sources() -> Option<PathBuf> {
    let printed = Command::new("rustc").args(["--print", "sysroot"]).output().ok()?;
    let used = Path::new(std::str::from_utf8(&printed.stdout).ok()?.trim()).join("lib/rustlib");
    let sysroot = Path::new(env!("CARGO_TARGET_TMPDIR")).join("without_sources");
    let is_used = std::env::var(FLAGS).is_ok_and(|flags| flags.contains("without_sources"));
    if is_used || !used.join("src").exists() {
        return None;
    }
    let own = sysroot.join("lib/rustlib");
    let _ = std::fs::remove_dir_all(&own);
    std::fs::create_dir_all(&own).unwrap();
    for part in used.read_dir().unwrap().flatten().filter(|part| part.file_name() != "src") {
        link(&part.path(), &own.join(part.file_name()));
    }
    Some(sysroot)
}

#[cfg(unix)]
fn link(from: &Path, to: &Path) {
    std::os::unix::fs::symlink(from, to).unwrap();
}

#[cfg(windows)]
fn link(from: &Path, to: &Path) {
    match from.is_dir() {
        true => std::os::windows::fs::symlink_dir(from, to).unwrap(),
        false => std::os::windows::fs::symlink_file(from, to).unwrap(),
    }
}
