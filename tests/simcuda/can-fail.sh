#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-cudacca authors
#
# Proves that a wrong kernel, or a missing wait, is found on the simulated
# driver: each of these is broken on purpose.
# Usage: can-fail.sh CHECKCCA GPU-LARGE

set -u
checkcca=$1 large=$2
log=$(mktemp) || exit 1
trap 'rm -f "$log"' EXIT
failed=0

# check BREAK SECONDS COMMAND...: one of the three schedules has to show it: by a
# wrong result, a crash, or a thread that climbs a table for ever. Unbroken it is
# right, and done in that time of the processor, as others may use it meanwhile:
# a command that comes again is run so once.
unbroken=
check() {
    what=$1 seconds=$2
    shift 2
    name="$what: $*"
    if [ "$unbroken" != "$*" ]; then
        (ulimit -t "$seconds" && exec "$@") >"$log" 2>&1 || { echo "$name: unbroken: $?"; failed=1; }
        unbroken=$*
    fi
    for seed in 1 2 3; do
        (ulimit -t "$seconds" && SIMCUDA_SEED=$seed SIMCUDA_BREAK=$what exec "$@") >"$log" 2>&1
        status=$?
        if [ $status -ne 0 ]; then
            found=$(grep -m 1 -o 'FAIL.*\|ERROR: .*\|.* DIFFERENT' "$log")
            echo "$name: found with schedule $seed: ${found:-exit status $status}"
            return
        fi
    done
    echo "$name: not found"
    failed=1
}

# Barriers by their number in a thread: every second one, the others in the next run.
turn=$(($(date +%s) % 2))
every_second() {
    for n; do
        [ $((n % 2)) -ne $turn ] || echo "$n"
    done
}
tiny="$checkcca --set tiny --seed 1 --stop --filter seams --engine"
second_pass="$checkcca --set quick --seed 1 --stop --case noise/0-40 --engine cuda-tiled"
sizes="$checkcca --set tiny --seed 1 --stop --filter sizes --engine cuda-wide"
dense="$checkcca --set tiny --seed 1 --stop --filter dense --engine cuda-fine"
more_dense="$checkcca --set quick --seed 1 --stop --filter dense --engine cuda-fine"
# shellcheck disable=SC2086 # words
{
    for n in 1 2; do
        check "skip-syncthreads:$n" 2 $tiny cuda-flsl-cd
    done
    for n in 3 4; do # of the prefix sum, which looks back where there are several chunks
        check "skip-syncthreads:$n" 8 "$large" 520
    done
    for n in $(every_second 1 2 3 4 5 6 7); do
        check "skip-syncthreads:$n" 2 $tiny cuda-tiled
    done
    for n in 8 9 10; do
        check "skip-syncthreads:$n" 4 $second_pass
    done
    for n in $(every_second 1 2 3 4 5 6 7 8 9 10 11 12 13 14); do
        check "skip-syncthreads:$n" 4 $dense
    done
    for n in 15 16; do # they take a component that is filtered
        check "skip-syncthreads:$n" 60 $more_dense
    done
    export SIMCUDA_MULTIPROCESSORS=16
    for n in $(every_second 1 2 3 4 5 6 7 8 10 11 12); do # 9 is one of the rounds, which put it right
        check "skip-syncthreads:$n" 2 $tiny cuda-single
    done
    for n in $(every_second 1 2 3 4 5 6 7 8 9 10); do
        check "skip-syncthreads:$n" 2 $tiny cuda-wide
    done
    for n in 11 12 13; do
        check "skip-syncthreads:$n" 4 $sizes
    done
    export SIMCUDA_MULTIPROCESSORS=4
    for n in $(every_second 1 2 3 4 5 6 8 9 10 12 13 14); do # the others end in waits for blocks
        check "skip-syncthreads:$n" 4 $tiny cuda-super
    done
    unset SIMCUDA_MULTIPROCESSORS
    check no-wait:2 2 $tiny cuda-flsl-cd
    check no-wait:2 2 $tiny cuda-tiled
}
exit $failed
