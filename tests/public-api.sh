#!/usr/bin/env bash
# Compares what `autodiff` exports with tests/public-api.txt, so that nothing is public by accident, and nothing that a release
# has is lost within its minor version. After a change that is meant: AUTODIFF_BLESS=1 tests/public-api.sh
set -euo pipefail
cd "$(dirname "$0")/.."
listing=tests/public-api.txt
root=$PWD
made=$(mktemp)
elsewhere=$(mktemp -d)
trap 'rm -rf "$made" "$made.log" "$elsewhere"' EXIT
# The tests want an optimised macro, which takes minutes to build; documentation expands nothing. Cargo reads its configuration
# where it runs.
mkdir "$elsewhere/.cargo"
printf '[profile.dev.package.autodiff-macros]\nopt-level = 0\n' >"$elsewhere/.cargo/config.toml"
export CARGO_TARGET_DIR=${CARGO_TARGET_DIR:-$root/target}
for package in autodiff autodiff-core; do
    (cd "$elsewhere" && cargo public-api --manifest-path "$root/Cargo.toml" -p $package --features nalgebra,nalgebra-sparse,faer,rayon,serde --omit blanket-impls,auto-trait-impls,auto-derived-impls)
done 2>"$made.log" | grep -v '__private' >"$made" || { cat "$made.log" >&2; exit 1; }
[ "$(wc -l <"$made")" -gt 100 ] || { echo "public-api: the listing is empty" >&2; exit 1; }
if [ -n "${AUTODIFF_BLESS:-}" ]; then cp "$made" $listing; fi
diff -u $listing "$made" || { echo "public-api: AUTODIFF_BLESS=1 tests/public-api.sh, if that is meant" >&2; exit 1; }

version=$(sed -n '/^\[workspace.package\]/,/^\[/s/^version = "\([0-9]*\.[0-9]*\).*/\1/p' Cargo.toml)
release=$(git tag --list "v$version.*" --sort=version:refname | tail -1)
[ -n "$release" ] || { echo "public-api: $(wc -l <$listing) lines; there is no release of $version yet"; exit 0; }
lost=$(comm -23 <(git show "$release:$listing" | sort) <(sort $listing))
[ -z "$lost" ] || { printf 'public-api: %s has what is lost now, which takes another minor version:\n%s\n' "$release" "$lost" >&2; exit 1; }
