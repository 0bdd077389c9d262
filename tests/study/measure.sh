#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-cudacca authors
#
# What study-measure prints of an image that is all foreground, where it can be told
# beforehand, and of one that MT19937 decides.
# Usage: measure.sh STUDY-MEASURE

set -eu
measure=$1 failed=0

# expect LINE ARGUMENT...: it is printed
expect() {
    line=$1
    shift
    "$measure" "$@" | cut -d, -f1-7 | grep -qxF -- "$line" && return
    echo "not printed: $line"
    "$measure" "$@"
    failed=1
}

# one label: as many conflicts as updates
expect naive,128,1,100,42,16384,16384.0 --size 128 --density 100
expect ha-32,128,1,100,42,512,512.0 --size 128 --density 100
expect ha,128,1,100,42,256,256.0 --size 128 --density 100
expect ha-cd,128,1,100,42,256,256.0 --size 128 --density 100
expect flsl,128,1,100,42,128,128.0 --size 128 --density 100
expect flsl-cd,128,1,100,42,128,128.0 --size 128 --density 100
expect tmk,128,1,100,42,, --size 128 --density 100 --transfer 1
expect naive,128,4,0,42,0,0.0 --size 128 --blocks 4 --step 100 --algorithm naive

# the first words for seed 5489 begin with 3499211612, 581869302, 3890346734, 3586334585:
# 81, 13, 90 and 83 percent
expect naive,2,1,12,5489,0,0.0 --size 2 --density 12 --seed 5489
expect naive,2,1,82,5489,2,2.0 --size 2 --density 82 --seed 5489
expect naive,4,2,84,5489,12,12.0 --size 4 --blocks 2 --density 84 --seed 5489
exit $failed
