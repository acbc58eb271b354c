#!/usr/bin/env bash
# Takes many random programs through rustc, in chunks of as many as there is memory for: their values, derivatives and calls
# against the interpreter's, and the same bits in debug and in release.
#
#     many.sh [how many programs, 1000] [which chunk comes first, 1]
#
# `CHUNK` says how many programs a chunk has (50). What was done is in `target/many`: a chunk that was all right is not done
# again, so that a run can go on where it was stopped. Remove the directory after a change of the compiler.
set -euo pipefail
cd "$(dirname "$0")/../.."
count=${1:-1000} first=${2:-1} chunk=${CHUNK:-50}
sources=$PWD/tests/random_programs work=$PWD/target/many
mkdir -p "$work"
cargo build -q -p autodiff
cargo build -q -p autodiff --release
cargo test -q -p autodiff-macros --lib --no-run

# Compiles and runs the programs in the directory $1 in the profile $2: the bits of what they give are in `$1/$2.bits`.
run() {
    local optimise=()
    [ "$2" = debug ] || optimise=(-O)
    rustc --test --edition 2024 "${optimise[@]}" -A warnings "$1/main.rs" -o "$1/run" \
        -L "dependency=target/$2/deps" --extern "autodiff=target/$2/libautodiff.rlib" >"$1/$2.log" 2>&1 || return 1
    "$1/run" --nocapture --test-threads 1 >"$1/$2.log" 2>&1 || return 1
    grep '^bits ' "$1/$2.log" | sort >"$1/$2.bits"
    [ "$(wc -l <"$1/$2.bits")" = "$chunk" ]
}

failed=() equal=0
for ((seed = first; seed < first + (count + chunk - 1) / chunk; seed++)); do
    here=$work/$chunk-$seed
    if [ -e "$here/done" ]; then
        equal=$((equal + chunk))
        continue
    fi
    rm -rf "$here"
    mkdir -p "$here"
    cp "$sources/main.rs" "$here"
    AUTODIFF_SOURCES=$here/programs.rs AUTODIFF_SEED=$seed AUTODIFF_PROGRAMS=$chunk \
        cargo test -q -p autodiff-macros --lib random_sources >"$here/written.log" 2>&1
    begin=$SECONDS verdict=
    for profile in debug release; do
        run "$here" $profile || {
            verdict+=" fails in $profile;"
            grep -E '^error|^ +--> |panicked|program_[0-9]+:' "$here/$profile.log" | head -20 || true
        }
    done
    rm -f "$here/run"
    if [ -z "$verdict" ] && ! diff "$here/debug.bits" "$here/release.bits" | head; then
        verdict=" other bits in release;"
    fi
    if [ -z "$verdict" ]; then
        touch "$here/done"
        equal=$((equal + chunk))
    else
        failed+=("$seed")
    fi
    echo "chunk $seed:${verdict:- $chunk programs agree, with the same bits;} $((SECONDS - begin)) s"
done
echo "$equal programs agree with the interpreter, with the same bits in debug and in release"
if [ ${#failed[@]} -gt 0 ]; then
    echo "chunks that fail: ${failed[*]} (see $work/$chunk-…)"
    exit 1
fi
