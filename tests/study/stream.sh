#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-cudacca authors
#
# A few frames of TMK's use case on the simulated driver, all compared with the reference:
# one at a time, and several; where objects part and join; in batches of which some are not
# compared, so that the reference goes on from what the GPU has.
# Usage: stream.sh STUDY-STREAM SCHEDULE

set -eu
export SIMCUDA_SEED="$2"
"$1" --seed "$2" --size 64 --frames 40
"$1" --seed "$2" --size 64 --frames 12 --flight 1 --bubbles 0
"$1" --seed "$2" --size 40 --frames 40 --scene noise
"$1" --seed "$2" --size 65 --frames 30 --scene noise --batch 7 --check 2 --flight 3
"$1" --seed "$2" --size 1 --frames 12 --scene noise
