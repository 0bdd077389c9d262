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

# check ENGINE BREAK: one of the three schedules has to show it
check() {
    for seed in 1 2 3; do
        SIMCUDA_SEED=$seed SIMCUDA_BREAK=$2 timeout 60 "$checkcca" --set tiny --seed 1 \
            --engine "$1" --filter seams >"$log" 2>&1
        status=$?
        [ $status -eq 124 ] && break
        if [ $status -ne 0 ]; then
            echo "$1, $2: found with schedule $seed: $(grep -m 1 -o 'FAIL.*\|ERROR: .*' "$log")"
            return
        fi
    done
    echo "$1, $2: not found (exit status $status)"
    failed=1
}

# Barriers by their number in a thread. Of those that are left out here, the
# work after them needs only one of two.
for n in 1 2 3; do
    check cuda-flsl-cd "skip-syncthreads:$n"
done
for n in 1 2 3 4 5 8 10 12; do
    check cuda-tiled "skip-syncthreads:$n"
done
check cuda-flsl-cd no-wait:2
check cuda-tiled no-wait:2
exit $failed
