#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-cudacca authors
#
# Compares the CUDA engines, on the simulated driver, with the flood fill.
# Usage: checkcca.sh CHECKCCA SCHEDULE [SET]
# SET is that of checkcca, whose cases are dealt out to the schedules 1 to 3: of 'tiny' each
# engine does a third of the cases, of 'quick' one engine does one in 144; these are
# other ones from run to run. With 'tiny-all' each engine does every case in one of the
# schedules, with 'quick-all' in each of them: more than an hour.

set -eu
checkcca=$1 schedule=$2 set=${3:-tiny}
export SIMCUDA_SEED="$schedule"

engines=$("$checkcca" --list | sed -n 's/^  \(cuda-[a-z-]*\)$/\1/p')
[ "$(echo "$engines" | wc -l)" -eq 8 ] || { echo "not eight CUDA engines: $engines"; exit 1; }

part=$schedule now=$(date +%s)
for engine in $engines; do
    case $set in
    tiny) deal="--part $((3 * schedule - now % 3))/9" ;;
    tiny-all) deal="--part $schedule/3" ;;
    quick) deal="--part $((144 * part - now % 144))/3456" ;;
    *) deal= ;;
    esac
    part=$((part + 3))
    case $engine in # the tiles of small frames take a multiprocessor each
    cuda-single | cuda-auto) export SIMCUDA_MULTIPROCESSORS=16 ;;
    cuda-wide) export SIMCUDA_MULTIPROCESSORS=32 ;;
    cuda-super | cuda-staged) export SIMCUDA_MULTIPROCESSORS=12 ;;
    *) unset SIMCUDA_MULTIPROCESSORS ;;
    esac
    echo "$engine, schedule $schedule${deal:+, $deal}"
    # shellcheck disable=SC2086 # two words
    "$checkcca" --set "${set%-all}" --seed "$schedule" --engine "$engine" $deal </dev/null 2>&1
done
