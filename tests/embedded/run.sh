#!/bin/sh
# Trains XOR on an emulated Cortex-M4F, and follows a vehicle by an extended Kalman filter. It checks what we promise
# there: derivatives from `#[differentiable]` take at most a quarter more instructions and static RAM than those written by
# hand, they cannot panic, they need neither heap nor formatting, and they have the same bits as on the host.
#
#     ./run.sh                everything
#     ./run.sh hand           one variant; `hand` does without autodiff and tests the test
#     ./run.sh filter         the filter, compared with `filter_by_hand`
set -eu
cd "$(dirname "$0")"
variants=${*:-hand generated filter_by_hand filter}
target=thumbv7em-none-eabihf
images=${CARGO_TARGET_DIR:-target}/$target

# A hand-written gradient of the same network from outside this project, measured once on this
# platform (rustc 1.95.0). It is our yardstick because, unlike `hand`, it does not move with our code.
# Flash and stack are for comparison only.
yardstick_ram=132
yardstick_epochs=4120291
yardstick() {
    case $1 in
        release) echo 6536 $yardstick_ram 404 3356 $yardstick_epochs 0.000235 39774f8e ;;
        size) echo 2912 264 200 5450 6157240 0.000235 39774f8e ;;
    esac
}

failures=0
fail() { echo "FAILED: $*" >&2; failures=$((failures + 1)); }
within_a_quarter() { [ "${1:-9999999999}" -le $(($2 * 5 / 4)) ]; }

features=""
for variant in $variants; do
    case $variant in
        hand) ;;
        generated | filter | filter_by_hand) features="--features generated" ;;
        *) echo "no such variant: $variant" >&2; exit 2 ;;
    esac
done
# shellcheck disable=SC2086
build() { cargo build -q -p firmware --target $target $features "$@"; }

field() { echo "$1" | sed -n "s/^$2 //p"; }
section() { size -A "$1" | awk -v names="$2" 'index(names, $1) { sum += $2 } END { print sum + 0 }'; }
row() { printf '%-8s %-14s %6s %4s %6s %12s %12s  %-9s %s\n' "$@"; }

within() { # variant instructions yardstick RAM yardstick
    within_a_quarter "$2" "$3" || fail "$1: more than 1.25 x $3 instructions"
    within_a_quarter "$4" "$5" || fail "$1: more than 1.25 x $5 bytes of static RAM"
}

measure() { # profile variant
    image=$images/$1/$2
    # shellcheck disable=SC2086
    out=$(timeout 60 cargo run -q --profile "$1" -p firmware --target $target $features --bin "$2") ||
        fail "$2, $1: exit status $? (the loss is not below 0.001, or there was a fault)"
    flash=$(section "$image" ".text .rodata .data") # without the vector table, which is the board's
    ram=$(section "$image" ".data .bss")
    epochs=$(field "$out" all_epochs)
    bits=$(field "$out" loss_bits)
    row "$1" "$2" "$flash" "$ram" "$(field "$out" stack)" "$(field "$out" first_epoch)" "$epochs" \
        "$(field "$out" loss)" "$bits"

    [ "$2" != platform ] || return 0
    [ "$bits" = "$(field "$host" "$2")" ] || fail "$2, $1: loss bits $bits, on the host $(field "$host" "$2")"
    nm "$image" | grep -E '4core3fmt|rust_alloc' && fail "$2, $1: contains formatting or allocation"
    [ "$1" = release ] || return 0
    case $2 in
        filter_by_hand) filter_ram=$ram filter_epochs=$epochs ;;
        filter) within "$2" "$epochs" "$filter_epochs" "$ram" "$filter_ram" ;;
        *) within "$2" "$epochs" $yardstick_epochs "$ram" $yardstick_ram ;;
    esac
}

./toolchain.sh
# shellcheck disable=SC2086
host=$(cargo run -q --release -p host $features)

row profile gradient flash RAM stack first_epoch 1000_epochs loss bits
for profile in release size; do
    build --profile $profile
    measure $profile platform
    # shellcheck disable=SC2046
    row $profile yardstick $(yardstick $profile)
    for variant in $variants; do
        # What it is compared with comes first.
        [ "$variants" != filter ] || measure $profile filter_by_hand
        measure $profile "$variant"
    done
done

# No panic: these link only if no path leads to the panic handler, and the control may not link.
for variant in $variants; do
    if build --release --bin "$variant" --features prove-no-panic; then
        echo "$variant: cannot panic"
    else
        fail "$variant: a panic can be reached"
    fi
done
if control=$(build --release --bin unbounded --features prove-no-panic,negative-control 2>&1); then
    fail "an unbounded index linked: the proof is blind"
elif ! echo "$control" | grep -q 'undefined symbol: a_panic_can_be_reached'; then
    echo "$control" >&2
    fail "the negative control failed for another reason"
fi

[ $failures = 0 ] || exit 1
echo "all as promised"
