#!/usr/bin/env bash
# Shows that the random programs find faults of the macro itself that only rustc can bring out: with each of them, some
# program has to give wrong numbers. Takes the names of faults (`fault.rs`).
set -euo pipefail
cd "$(dirname "$0")/../.."
target=${CARGO_TARGET_DIR:-target/faults}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
RUSTFLAGS="${RUSTFLAGS:-} --cfg autodiff_faults" cargo build -q -p autodiff --target-dir "$target"

# With a fault some programs do not compile: those are left out, and the others run.
compile() {
    cp tests/random_programs/{main,programs}.rs "$work"
    left_out=0
    until AUTODIFF_FAULT=$1 rustc --test --edition 2024 -A warnings "$work/main.rs" -o "$work/programs" \
        -L dependency="$target/debug/deps" --extern autodiff="$target/debug/libautodiff.rlib" 2>"$work/errors"; do
        lines=$(grep -E '^ +--> ' "$work/errors" | grep -oE 'programs\.rs:[0-9]+' | cut -d: -f2 | tr '\n' ' ' || true)
        [ -n "$lines" ] || { cat "$work/errors"; exit 1; }
        awk -v lines="$lines" '
            BEGIN { count = split(lines, line, " ") }
            /^mod program_/ { inside = 1; bad = 0; text = "" }
            !inside { print; next }
            { text = text $0 "\n"; for (k = 1; k <= count; k++) if (line[k] == NR) bad = 1 }
            /^}/ { if (!bad) printf "%s", text; inside = 0 }
        ' "$work/programs.rs" >"$work/others.rs"
        left_out=$((left_out + $(grep -c '^mod program_' "$work/programs.rs") - $(grep -c '^mod program_' "$work/others.rs")))
        mv "$work/others.rs" "$work/programs.rs"
    done
}

compile None
"$work/programs" -q >"$work/log" || { tail -30 "$work/log"; echo "without a fault the programs fail"; exit 1; }
for fault in "${@:-NamesAreTexts}"; do
    compile "$fault"
    if "$work/programs" >"$work/log" 2>&1; then
        echo "$fault is not found; with it, $left_out programs do not compile"
        exit 1
    fi
    found=$(grep -ohE '^program_[0-9]+: .*' "$work/log" | sort -u)
    echo "$fault is found by $(wc -l <<<"$found") programs, and $left_out do not compile: $(head -1 <<<"$found")"
done
