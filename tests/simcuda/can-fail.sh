#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-cudacca authors
#
# Proves that a wrong kernel, or a missing wait, is found on the simulated
# driver: each of these is broken on purpose.
# Usage: can-fail.sh CHECKCCA

set -u
checkcca=$1
log=$(mktemp) || exit 1
trap 'rm -f "$log"' EXIT
failed=0

# check ENGINE BREAK CASES...: one of the three schedules has to show it
check() {
    engine=$1 what=$2
    shift 2
    for seed in 1 2 3; do
        SIMCUDA_SEED=$seed SIMCUDA_BREAK=$what timeout 60 "$checkcca" --seed 1 \
            --engine "$engine" "$@" >"$log" 2>&1
        status=$?
        [ $status -eq 124 ] && break
        if [ $status -ne 0 ]; then
            found=$(grep -m 1 -o 'FAIL.*\|ERROR: .*' "$log")
            echo "$engine, $what: found with schedule $seed: $found"
            return
        fi
    done
    echo "$engine, $what: not found (exit status $status)"
    failed=1
}

# Barriers by their number in a thread. Without those that are left out here a
# thread climbs a table for ever.
for n in 1 2; do
    check cuda-flsl-cd "skip-syncthreads:$n" --set tiny --filter seams
done
for n in 2 4 6 7; do
    check cuda-tiled "skip-syncthreads:$n" --set tiny --filter seams
done
for n in 8 9 10; do # of a tile's second pass
    check cuda-tiled "skip-syncthreads:$n" --set quick --case noise/0-40
done
check cuda-flsl-cd no-wait:2 --set tiny --filter seams
check cuda-tiled no-wait:2 --set tiny --filter seams
exit $failed
