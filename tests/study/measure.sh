#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-cudacca authors
#
# What study-measure prints of an image that is all foreground, where it can be told
# beforehand, and of one that MT19937 decides; and what it refuses.
# Usage: measure.sh STUDY-MEASURE

set -eu
measure=$1 failed=0

# expect TEXT ARGUMENT...: it is in what is printed
expect() {
    text=$1
    shift
    printed=$("$measure" "$@") || true
    case $printed in *"$text"*) return ;; esac
    echo "not printed of $*: $text"
    echo "$printed"
    failed=1
}

# counted UPDATES CONFLICTS ARGUMENT...
counted() {
    figures="\"updates\": [$1], \"conflicts\": [$2]"
    shift 2
    expect "$figures" "$@"
}

# one label: as many conflicts as updates
counted 16384 16384 count/naive/128x128/g1/100
counted 512 512 count/ha-32/128x128/g1/100
counted 256 256 count/ha/128x128/g1/100
counted 256 256 count/ha-cd/128x128/g1/100
counted 128 128 count/flsl/128x128/g1/100
counted 128 128 count/flsl-cd/128x128/g1/100
counted 0 0 count/naive/128x128/g4/0

# the first words for seed 5489 begin with 3499211612, 581869302, 3890346734, 3586334585:
# 81, 13, 90 and 83 percent; then come 12 and 96
counted 0 0 --seed 5489 count/naive/2x2/g1/12
counted 2 2 --seed 5489 count/naive/2x2/g1/82
counted 12 12 --seed 5489 count/naive/4x4/g2/84
counted 3 1.6667 --seed 5489 count/naive/6x1/g1/82

# a figure for each density; of each kernel; of the copies; of the product
expect '"ms": [' product/64x64/g4/40 flsl-cd/64x64/g4
expect '"2 study_dlp_merge": [' steps/dlp/64x64/g4/40
expect '"copy_ms": [' copied/ha/64x64/g4/40
expect '"copy_ms": [' copied/flsl/63x64/g4/40 copied/tmk/64x64/g4/40
expect '"ms": [' copied/product/64x64/g4/40
[ "$("$measure" flsl/64x64/g4 | grep -o '"ms": [^]]*' | tr ',' '\n' | wc -l)" = 21 ] ||
    { echo "not 21 densities"; failed=1; }

for point in steps/product/64x64/g4 count/product/64x64/g4 count/dlp/64x64/g4 count/tmk/64x64/g4 \
    copied/dlp/64x64/g4 blah/64x64/g4 naive/64x64 naive/64x64/spiral naive/0x64/g1 \
    count/naive/64x64/g1/101; do
    expect '"failed": "there is no such point"' "$point"
    ! "$measure" "$point" >/dev/null || { echo "$point: no failure"; failed=1; }
done
for options in '--seed' '--seed x naive/8x8/g1' '--repeats 0 naive/8x8/g1' '--blah 1 naive/8x8/g1' ''; do
    # shellcheck disable=SC2086  # several words
    "$measure" $options 2>/dev/null && status=0 || status=$?
    [ "$status" = 2 ] || { echo "$options: status $status, not 2"; failed=1; }
done
exit $failed
