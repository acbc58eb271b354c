#!/usr/bin/env bash
# Runs the compiler on random source texts for some time: run.sh [SECONDS]. It begins with the programs of the tests. It needs
# a nightly toolchain and cargo-fuzz. A text that makes the compiler panic is left in artifacts/, and the script fails.
set -euo pipefail
cd "$(dirname "$0")"
seconds=${1:-60}
cargo fuzz --version || { echo "fuzz: cargo install --locked cargo-fuzz" >&2; exit 1; }
corpus=$(mktemp -d)
trap 'rm -rf "$corpus"' EXIT
# One function of a program a file: what follows `#[differentiable…]`, to the end of the item.
awk -v to="$corpus" '
    /^ *#\[differentiable/ { n++; inside = 1; next }
    inside { print > (to "/" n) }
    inside && /^}/ { inside = 0; close(to "/" n) }
' ../programs/*.rs
echo "fuzz: $(ls "$corpus" | wc -l) programs"
# Memory is what the whole run has; a text that takes longer than a minute is a fault, too.
cargo +nightly fuzz run --fuzz-dir . source "$corpus" -- -max_total_time="$seconds" -timeout=60 -max_len=8192 -rss_limit_mb=4096
