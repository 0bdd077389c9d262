#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-cudacca authors
#
# Compares the CUDA engine, on the simulated driver, with the flood fill.
# Usage: checkcca.sh CHECKCCA SCHEDULE, a number from 1; what is slow is
# divided among the schedules 1 to 3.

set -eu
checkcca=$1 schedule=$2
export SIMCUDA_SEED="$schedule"

"$checkcca" --list | grep -q '^  cuda-tiled$' || { echo "there is no CUDA engine"; exit 1; }

run() {
    "$checkcca" --set tiny --seed "$schedule" --engine cuda --case "$1" 2>&1
}

third=$(((schedule - 1) % 3))
run "masks/$((third * 40))-$((third * 40 + 39))"
run "lines/$((third * 40))-$((third * 40 + 39))"
run "sizes/$((third * 10))-$((third * 10 + 9))"
for group in widths heights seams adversaries noise symmetry together opencv; do
    run "$group/0-99"
done
run "random/$((third * 15))-$((third * 15 + 14))"
run "reconfigure/$((third * 3))-$((third * 3 + 1))"
case $third in
0) run slots/0; run errors/0-99 ;;
1) run slots/1; run life/0-9 ;;
2) run repeat/0; run tiles/0-9 ;;
esac
