#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-cudacca authors
#
# Compares the papers' algorithms with cca-ref on the simulated driver.
# Usage: check.sh STUDY-CHECK SCHEDULE [GROUP...]
# GROUPs are those of its images that are enough, all if there are none.

set -eu
check=$1 schedule=$2
shift 2
export SIMCUDA_SEED="$schedule"
for group in "${@:-}"; do
    "$check" --set tiny --seed "$schedule" --filter "$group"
done
