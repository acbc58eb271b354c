#!/usr/bin/env bash
# Takes many random programs through rustc, in chunks of as many as there is memory for: their values, derivatives and calls
# against the interpreter's, and the same bits in debug and in release. Takes how many there are, a thousand unless it is
# told, and which comes first. The programs of the test itself are as they were afterwards.
set -euo pipefail
cd "$(dirname "$0")/../.."
count=${1:-1000} first=${2:-1} chunk=${CHUNK:-100}
programs=tests/random_programs/programs.rs
work=$(mktemp -d)
cp $programs "$work/programs.rs"
trap 'cp "$work/programs.rs" $programs; rm -rf "$work"' EXIT

done=0
for ((seed = first; done < count; seed++, done += chunk)); do
    AUTODIFF_BLESS=1 AUTODIFF_SEED=$seed AUTODIFF_PROGRAMS=$chunk cargo test -q -p autodiff-macros random_sources >/dev/null
    for profile in dev release; do
        status=0
        cargo test -q -p autodiff-tests --profile $profile --test random_programs -- --nocapture --test-threads 1 >"$work/$profile" 2>&1 || status=1
        if [ $status = 1 ]; then
            cp $programs "failed-$seed.rs"
            grep -E '^error|^ +--> tests|panicked|program_[0-9]+:' "$work/$profile" | head -40
            echo "chunk $seed fails in $profile: failed-$seed.rs has its programs"
        fi
        grep '^bits ' "$work/$profile" | sort >"$work/bits.$profile" || true
    done
    diff "$work/bits.dev" "$work/bits.release" >"$work/diff" || { head "$work/diff"; echo "chunk $seed: other bits in release"; }
    echo "chunk $seed: $(wc -l <"$work/bits.dev") of $chunk programs have the same bits in debug and in release"
done
