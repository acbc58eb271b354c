//! Every message of the compiler, as rustc prints it. `TRYBUILD=overwrite cargo test --test ui` writes what has
//! changed; nobody edits a `.stderr` by hand.

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
    let cases = trybuild::TestCases::new();
    cases.pass("ui/equal_sizes.rs");
    cases.compile_fail("ui/instantiated/*.rs");
}
