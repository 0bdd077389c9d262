#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-cudacca authors
#
# Proves that a barrier which an algorithm's threads run past is found on the simulated
# driver, in one of three schedules.
# Usage: can-fail.sh STUDY-CHECK

set -u
check=$1 failed=0

# skipped ALGORITHM N: each thread runs past its N-th __syncthreads
skipped() {
    for seed in 1 2 3; do
        if ! SIMCUDA_SEED=$seed SIMCUDA_BREAK=skip-syncthreads:$2 \
            timeout 60 "$check" --algorithm "$1" >/dev/null 2>&1; then
            echo "$1, barrier $2: found with schedule $seed"
            return
        fi
    done
    echo "$1, barrier $2: not found"
    failed=1
}

for algorithm in ha-32 ha ha-otf flsl flsl-otf dlp dlp-set-root; do
    skipped $algorithm 1
done
# each second one separates what is cut off from what is inserted; of single nodes it need not
for barrier in 1 3 4; do skipped tmk $barrier; done
# 2 is before labels are resolved in place: who goes along them gets as far either way
for barrier in 1 3 4; do skipped playne-tiles $barrier; done
# the others of DLP keep labels from being read while they are changed, which would do no harm
skipped dlp 3
skipped dlp-set-root 7
exit $failed
