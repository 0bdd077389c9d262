#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-cudacca authors
#
# Compares the CUDA engine, on the simulated driver, with the flood fill.
# Usage: checkcca.sh CHECKCCA SCHEDULE [SET]: groups of many cases are divided
# among the schedules 1 to 3. SET is tiny or quick, which takes hours.

set -eu
checkcca=$1 schedule=$2 set=${3:-tiny}
export SIMCUDA_SEED="$schedule"

"$checkcca" --list | grep -q '^  cuda-tiled$' || { echo "there is no CUDA engine"; exit 1; }

third=$(((schedule - 1) % 3))
# group and number of cases, of those that have any
groups=$("$checkcca" --set "$set" --list |
    sed -n '/^groups/,/^engines/s/^  *\([a-z]*\)  *\([1-9][0-9]*\) .*/\1 \2/p')
echo "$groups" | {
    n_groups=0
    while read -r group n; do
        first=0 last=$((n - 1))
        if [ "$set" != tiny ] || [ "$n" -gt 20 ]; then
            first=$((third * n / 3)) last=$(((third + 1) * n / 3 - 1))
        fi
        [ "$last" -ge "$first" ] || continue
        "$checkcca" --set "$set" --seed "$schedule" --engine cuda \
            --case "$group/$first-$last" </dev/null 2>&1
        n_groups=$((n_groups + 1))
    done
    [ "$n_groups" -gt 10 ]
}
