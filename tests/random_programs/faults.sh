#!/usr/bin/env bash
# Shows that the random programs find faults of the macro itself that rustc alone can bring out: with each of them, some
# program has to fail. Takes the names of faults (`fault.rs`).
set -euo pipefail
cd "$(dirname "$0")/../.."
export RUSTFLAGS="${RUSTFLAGS:-} --cfg autodiff_faults" CARGO_TARGET_DIR=target/faults
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

run() {
    touch tests/random_programs/main.rs
    AUTODIFF_FAULT=$1 cargo test -q --test random_programs -- --nocapture >"$work/log" 2>&1
}

run None || { tail -30 "$work/log"; echo "without a fault the programs fail"; exit 1; }
for fault in "${@:-NamesAreTexts}"; do
    if run "$fault"; then
        echo "$fault is not found"
        exit 1
    fi
    found=$(grep -oE '^program_[0-9]+: .*' "$work/log" | sort -u -t: -k1,1 -V || true)
    [ -n "$found" ] || { tail -30 "$work/log"; echo "$fault: the programs do not compile"; exit 1; }
    echo "$fault is found by $(wc -l <<<"$found") programs: $(head -1 <<<"$found")"
done
