#!/bin/sh
# Makes `thumbv7em-none-eabihf` (Cortex-M4F) and QEMU usable here. Safe to run again.
#
# `rustup target add` is all it takes where rustup can download. Elsewhere `core` is built from the
# toolchain's own documentation: rustdoc's source pages hold every file of the crate, marked up, and
# they are of exactly the compiler's version, as `core` has to be. The result goes where rustup would
# have put it. It has no `alloc` and no `std`, so building against it also proves that neither is used.
#
# `RUSTC_BOOTSTRAP` is set for `core` and `compiler_builtins` alone; what is built against them is
# still checked as stable Rust. To undo: remove lib/rustlib/thumbv7em-none-eabihf from the sysroot.
set -eu

target=thumbv7em-none-eabihf
builtins=0.1.160 # the last `compiler_builtins` that was published for cargo

say() { echo "toolchain: $*"; }
die() { echo "toolchain: error: $*" >&2; exit 1; }

install() { # packages
    command -v apt-get >/dev/null || die "please install $*"
    sudo=""; [ "$(id -u)" = 0 ] || sudo=sudo
    say "apt-get install $*"
    $sudo apt-get -qq update
    $sudo env DEBIAN_FRONTEND=noninteractive \
        apt-get -qq -o DPkg::Lock::Timeout=600 install -y --no-install-recommends "$@" >/dev/null
}

# One source file from each rustdoc page named on stdin, below the directory $1.
recover() {
    perl -ne '
        BEGIN { use File::Basename; use File::Path "make_path"; $to = shift @ARGV;
                %char = (lt => "<", gt => ">", amp => "&", quot => "\"") }
        sub plain { $_[0] =~ s/&(?:#x([0-9a-f]+)|#(\d+)|(\w+));/
            defined $1 ? chr hex $1 : defined $2 ? chr $2 : $char{$3} \/\/ die "unknown entity &$3;"/ieg }
        chomp; $page = $_;
        open $in, "<", $page or die "$page: $!";
        $html = do { local $/; <$in> };
        ($path) = $html =~ /Source of the Rust file `([^`]+)`/ or die "$page: names no file";
        ($code) = $html =~ m{<pre class="rust"><code>(.*?)</code></pre>}s or die "$page: has no code";
        $code =~ s{<a href=#\d+ id=\d+ data-nosnippet>\d+</a>}{}g;  # line numbers
        $code =~ s{<[^>]*>}{}g;
        plain($code); plain($path);
        1 while $path =~ s{(^|/)(?!\.\./)[^/]+/\.\./}{$1};
        make_path(dirname "$to/$path");
        open $out, ">", "$to/$path" or die "$to/$path: $!";
        print $out "$code\n";
        close $out or die "$to/$path: $!";
    ' "$1"
}

# Builds the two crates into $2, from the pages in $1.
build() {
    mkdir -p "$tmp/src" "$2"
    find "$1" -name '*.rs.html' | recover "$tmp/src"
    # Files that the host's documentation has no page for, being compiled out of it or Markdown,
    # become empty ones. Nothing stable is in them; if it were, the next attempt would miss it.
    tries=0
    until RUSTC_BOOTSTRAP=1 rustc --crate-name core --crate-type rlib --edition 2024 --target $target \
        -Copt-level=3 -Ccodegen-units=1 -Cpanic=abort -Cembed-bitcode=yes -Zforce-unstable-if-unmarked \
        --cap-lints allow --remap-path-prefix="$tmp/src=/rustc/$(rustc -vV | sed -n 's/^commit-hash: //p')" \
        -o "$2/libcore.rlib" "$tmp/src/library/core/src/lib.rs" 2>"$tmp/log"
    do
        sed -n -e 's/.*create file "\([^"]*\)" or .*/\1/p' \
            -e "s/^error: couldn't read \`\([^\`]*\)\`.*/\1/p" "$tmp/log" | sort -u >"$tmp/missing"
        tries=$((tries + 1))
        if [ ! -s "$tmp/missing" ] || [ $tries -gt 5 ]; then
            cat "$tmp/log" >&2
            die "core does not build for $target"
        fi
        while read -r file; do mkdir -p "$(dirname "$file")"; : >"$file"; done <"$tmp/missing"
    done
    say "built core"

    # compiler_builtins (memcpy, 64-bit division, soft f64) has no documentation: from the registry.
    mkdir -p "$tmp/cb/src"; cd "$tmp/cb"
    echo '#![no_std]' >src/lib.rs
    printf '[package]\nname = "cb"\nedition = "2021"\n[workspace]\n[dependencies.compiler_builtins]\n' >head
    printf 'version = "=%s"\ndefault-features = false\n' $builtins | cat head - >Cargo.toml
    cargo -q vendor vendor >/dev/null
    # `clamp` can panic with a formatted message, which this crate may not call; its first bound never
    # exceeds its second here, and the upper one is implied. Upstream has since done the same.
    sed -i 's/\.clamp(exp_min, sig_total_bits as i32)/.max(exp_min)/' \
        vendor/compiler_builtins/src/math/libm_math/generic/scalbn.rs
    printf 'path = "vendor/compiler_builtins"\ndefault-features = false\nfeatures = ["compiler-builtins"]\n' |
        cat head - >Cargo.toml
    printf '[profile.release]\npanic = "abort"\n[profile.release.package.compiler_builtins]\ncodegen-units = 10000\n' \
        >>Cargo.toml
    # A cargo build for the target, with the sysroot that is being made.
    env -u CARGO_ENCODED_RUSTFLAGS -u RUSTC_WRAPPER -u CARGO_BUILD_TARGET RUSTC_BOOTSTRAP=1 \
        CARGO_TARGET_DIR="$tmp/target" \
        RUSTFLAGS="--sysroot $tmp/sysroot -Zforce-unstable-if-unmarked -Cembed-bitcode=yes -Awarnings" \
        cargo -q build --release -p compiler_builtins --target $target
    cp "$tmp/target/$target/release/deps"/libcompiler_builtins-*.rlib "$2/"
    say "built compiler_builtins"
}

usable() { # does a crate without std compile for the target?
    echo '#![no_std] pub fn f(x: &[f32]) -> f32 { x.iter().sum() }' |
        rustc --crate-name probe --crate-type rlib --edition 2024 --target $target --out-dir "$tmp" - 2>"$tmp/log"
}

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
command -v rustc >/dev/null || die "there is no rustc"
command -v cc >/dev/null || install gcc libc6-dev # rustc's linker for build scripts
command -v size >/dev/null || install binutils
command -v qemu-system-arm >/dev/null || install qemu-system-arm

if usable; then
    say "$target is there already"
elif rustup target add $target 2>"$tmp/log" && usable; then
    say "$target was installed by rustup"
else
    sysroot=$(rustc --print sysroot)
    pages=$sysroot/share/doc/rust/html/src/core
    [ -d "$pages" ] || { cat "$tmp/log" >&2; die "rustup cannot add $target, and there is no rust-docs component"; }
    say "rustup cannot add $target: building core from the documentation of $(rustc -V)"
    command -v perl >/dev/null || install perl-base
    (build "$pages" "$tmp/sysroot/lib/rustlib/$target/lib")
    rm -rf "$sysroot/lib/rustlib/$target"
    cp -r "$tmp/sysroot/lib/rustlib/$target" "$sysroot/lib/rustlib/"
    usable || { cat "$tmp/log" >&2; die "$target still does not work"; }
fi
command -v qemu-system-arm >/dev/null || die "there is still no qemu-system-arm"
