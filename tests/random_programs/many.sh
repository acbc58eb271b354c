#!/usr/bin/env bash
# Takes many random programs through rustc, in chunks of as many as there is memory for: their values, derivatives and calls
# against the interpreter's, and the same bits in debug and in release. Takes how many there are, a thousand unless it is
# told, and which chunk comes first. The programs of the test itself stay as they are.
set -euo pipefail
cd "$(dirname "$0")/../.."
count=${1:-1000} first=${2:-1} chunk=${CHUNK:-50}
sources=tests/random_programs
work=$(mktemp -d)
cp $sources/{main,programs}.rs "$work"
trap 'cp "$work/programs.rs" $sources/programs.rs; rm -rf "$work"' EXIT
cargo build -q -p autodiff
cargo build -q -p autodiff --release

failed=0
for ((seed = first, done = 0; done < count; seed++, done += chunk)); do
    mkdir "$work/$seed"
    cp "$work/main.rs" "$work/$seed"
    AUTODIFF_BLESS=1 AUTODIFF_SEED=$seed AUTODIFF_PROGRAMS=$chunk cargo test -q -p autodiff-macros --lib random_sources >/dev/null
    mv $sources/programs.rs "$work/$seed"
    cp "$work/programs.rs" $sources
    for profile in debug release; do
        optimise=$([ $profile = debug ] || echo -O)
        log="$work/$seed/$profile"
        rustc --test --edition 2024 $optimise -A warnings "$work/$seed/main.rs" -o "$work/run" \
            -L dependency=target/$profile/deps --extern autodiff=target/$profile/libautodiff.rlib >"$log" 2>&1 &&
            "$work/run" --nocapture --test-threads 1 >"$log" 2>&1 || {
            failed=1
            cp "$work/$seed/programs.rs" "failed-$seed.rs"
            grep -E '^error|^ +--> |panicked|program_[0-9]+:' "$log" | head -40
            echo "chunk $seed fails in $profile: failed-$seed.rs has its programs"
        }
        grep '^bits ' "$log" | sort >"$log.bits" || true
    done
    diff "$work/$seed/debug.bits" "$work/$seed/release.bits" | head || { failed=1; echo "chunk $seed: other bits in release"; }
    echo "chunk $seed: $(wc -l <"$work/$seed/debug.bits") of $chunk programs in debug and in release"
done
exit $failed
