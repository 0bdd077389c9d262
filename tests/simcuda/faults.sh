#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-cudacca authors
#
# Makes each driver call that the engine makes fail: the first time, the second
# and so on. The engine has to report it, with no crash, leak, hang or wrong
# result, and to work again if the context is not lost.
# Usage: faults.sh CHECKCCA
# CCA_FAULTS_STEP=N: of each call the first, the second and, from there, every N-th

set -u
checkcca=$1 step=${CCA_FAULTS_STEP:-1}
log=$(mktemp) || exit 1
trap 'rm -f "$log"' EXIT
failed=0
n_runs=0 n_reported=0
export ASAN_OPTIONS="${ASAN_OPTIONS:-}:exitcode=98" # not 1, which is a difference

# run ENGINE [NAME=VALUE]: three frames, each with what the kernels keep from one to
# the next. A launch that failed has left half of it.
run() {
    env ${2:+"$2"} timeout 30 "$checkcca" --set tiny --seed 1 --engine "$1" --case noise/0-2 \
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

# expected CALL ERROR: how many of the three cases may fail, from and to; 'none'
# if there is no engine then. What gives back may fail unseen.
expected() {
    case $1 in
    cuInit | cuDriverGetVersion | cuDeviceGet | cuDeviceGetName | cuDevicePrimaryCtxRetain)
        echo none; return ;;
    cuStreamIsCapturing) from=0 to=0 ;; # else it would be a graph
    cuMemFree* | cuEventDestroy* | cuModuleUnload | cuCtxPopCurrent* | cuStreamDestroy*) from=0 to=0 ;;
    cuCtxPushCurrent* | cuEventSynchronize) from=0 to=1 ;; # which also come before what gives back
    *) from=1 to=1 ;;
    esac
    case $1-$2 in
    cuCtxPushCurrent* | *-ILLEGAL_ADDRESS | *-LAUNCH_FAILED) to=3 ;; # the context is lost
    esac
    echo $from $to
}

# judge ENGINE CALL N ERROR STATUS
judge() {
    what="$1, call $3 of $2 fails with $4"
    n_bad=$(grep -c '^FAIL' "$log")
    n_told=$(grep -c '^FAIL .*: [a-z]* failed: [a-zA-Z].*' "$log")
    n_reported=$((n_reported + n_told))
    grep -q 'is made to fail' "$log" || complain "$what: not called"
    [ "$n_bad" -eq "$n_told" ] || complain "$what: a result is wrong"
    # shellcheck disable=SC2046 # two words
    set -- "$5" $(expected "$2" "$4")
    if [ "$2" = none ]; then
        if [ "$1" -ne 2 ] || ! grep -q '^checkcca: there is no engine' "$log"; then
            complain "$what: there is an engine (exit status $1)"
        fi
    elif [ "$1" -ne $((n_bad > 0)) ]; then
        complain "$what: exit status $1"
    elif [ "$n_bad" -lt "$2" ] || [ "$n_bad" -gt "$3" ]; then
        complain "$what: $n_bad cases fail, not $2 to $3"
    fi
}

for engine in cuda-flsl-cd cuda-tiled; do
    run $engine SIMCUDA_COUNT=1 || complain "$engine fails with nothing made to fail"
    counts=$(sed -n 's/^simcuda: *\([0-9]*\) \(cu[A-Za-z0-9_]*\)$/\2:\1/p' "$log")
    [ -n "$counts" ] || complain "no call was counted"
    for count in $counts; do
        call=${count%:*} calls=${count#*:}
        case $call in
        cuGetErrorName) continue ;;
        # checkcca's own, for its frames
        cuMemcpyHtoDAsync* | cuStreamSynchronize | cuStreamCreate) continue ;;
        esac
        [ "$calls" -gt 5 ] && calls=5
        for error in $(errors "$call"); do
            n=1
            while [ $n -le "$calls" ]; do
                run $engine "SIMCUDA_FAIL=$call:$n:$error"
                judge $engine "$call" $n "$error" $?
                n_runs=$((n_runs + 1))
                n=$((n + (n < 2 ? 1 : step)))
            done
        done
    done
done
echo "$n_runs calls made to fail, $n_reported errors reported"
[ $n_reported -gt 0 ] || failed=1
exit $failed
