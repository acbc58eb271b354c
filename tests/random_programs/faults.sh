#!/usr/bin/env bash
# Shows that the random programs find faults of the macro itself that only rustc can bring out: with each of them, some
# program has to fail. Takes the names of faults (`fault.rs`).
set -euo pipefail
cd "$(dirname "$0")/../.."
target=target/faults
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
RUSTFLAGS="${RUSTFLAGS:-} --cfg autodiff_faults" cargo build -q -p autodiff --target-dir $target

compile() {
    AUTODIFF_FAULT=$1 rustc --test --edition 2024 -A warnings tests/random_programs/main.rs -o "$work/programs" \
        -L dependency=$target/debug/deps --extern autodiff=$target/debug/libautodiff.rlib
}

compile None
"$work/programs" -q >"$work/log" || { tail -30 "$work/log"; echo "without a fault the programs fail"; exit 1; }
for fault in "${@:-NamesAreTexts}"; do
    compile "$fault"
    if "$work/programs" >"$work/log" 2>&1; then
        echo "$fault is not found"
        exit 1
    fi
    found=$(grep -ohE '^program_[0-9]+: .*' "$work/log" | sort -u)
    echo "$fault is found by $(wc -l <<<"$found") programs: $(head -1 <<<"$found")"
done
