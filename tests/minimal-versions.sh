#!/usr/bin/env bash
# Whoever adds `autodiff` may have the oldest versions that it says are enough: it compiles with those. Development
# dependencies have no part in it, so they are left out of a copy. It needs a nightly toolchain, for the choice of versions alone.
set -euo pipefail
cd "$(dirname "$0")/.."
copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
without() { # MANIFEST: without its dev-dependencies, tests and benchmarks
    awk '/^\[/ { skip = /^\[dev-dependencies/ || /^\[\[(test|bench)/ } !skip' "$1" |
        sed '/^members = \[/,/^\]/c members = ["autodiff-core", "autodiff-macros"]' | sed '/^default-members/d; /^exclude/d'
}
for package in . autodiff-core autodiff-macros; do
    mkdir -p "$copy/$package"
    without $package/Cargo.toml >"$copy/$package/Cargo.toml"
    cp -r $package/src "$copy/$package/"
done
cp README.md "$copy/"
cp -r docs "$copy/" # which documentation includes
cd "$copy"
cargo +nightly update -q -Z direct-minimal-versions
export CARGO_TARGET_DIR=${CARGO_TARGET_DIR:-$OLDPWD/target}/minimal
# One expansion is not worth an optimised macro.
cargo check -q --locked --config profile.dev.package.autodiff-macros.opt-level=0 -p autodiff --features nalgebra,rayon,serde,emit
cargo tree -q --locked -p autodiff --features nalgebra,rayon,serde,emit --depth 2 --prefix none -e normal | sort -u
