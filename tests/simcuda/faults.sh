#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-cudacca authors
#
# Makes each driver call that the engine makes fail: the first time, the second
# and so on. The engine has to report it, with no crash, leak or hang.
# Usage: faults.sh CHECKCCA

set -u
checkcca=$1
log=$(mktemp) || exit 1
trap 'rm -f "$log"' EXIT
failed=0
n_runs=0
export SIMCUDA_ALLOW_PUSHED=1
export ASAN_OPTIONS="${ASAN_OPTIONS:-}:exitcode=98" # not 1, which is a difference

# run ENGINE [NAME=VALUE]
run() {
    env ${2:+"$2"} timeout 30 "$checkcca" --set tiny --seed 1 --engine "$1" --case masks/0-2 \
        >"$log" 2>&1
}

complain() {
    echo "faults: $1"
    tail -n 20 "$log"
    failed=1
}

errors() {
    case $1 in
    cuMemAlloc* | cuMemHostAlloc | cuModuleLoadData) echo OUT_OF_MEMORY ILLEGAL_ADDRESS ;;
    cuLaunchKernelEx | cuEventSynchronize) echo LAUNCH_FAILED NOT_PERMITTED ;;
    cuInit | cuDevice* | cuCtx*) echo DEVICE_UNAVAILABLE ;;
    *) echo ILLEGAL_ADDRESS NOT_PERMITTED ;;
    esac
}

for engine in cuda-flsl-cd-host cuda-tiled-host; do
    run $engine SIMCUDA_COUNT=1 || complain "$engine fails with nothing made to fail"
    counts=$(sed -n 's/^simcuda: *\([0-9]*\) \(cu[A-Za-z0-9_]*\)$/\2:\1/p' "$log")
    [ -n "$counts" ] || complain "no call was counted"
    for count in $counts; do
        call=${count%:*} calls=${count#*:}
        [ "$call" = cuGetErrorName ] && continue
        [ "$calls" -gt 4 ] && calls=4
        for error in $(errors "$call"); do
            n=1
            while [ $n -le "$calls" ]; do
                run $engine "SIMCUDA_FAIL=$call:$n:$error"
                status=$?
                n_runs=$((n_runs + 1))
                grep -q 'is made to fail' "$log" || complain "$call $n $error: not called"
                case $status in
                0 | 1 | 2) ;; # what gives back, and what is only asked, may fail unseen
                *) complain "$engine, call $n of $call fails with $error: exit status $status" ;;
                esac
                n=$((n + 1))
            done
        done
    done
done
echo "$n_runs calls made to fail"
exit $failed
