#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-cudacca authors
#
# Usage: part.sh CHECKCCA N [OPTION]...
# Runs it on one of N parts of its cases, another one from run to run; by way of the
# command $CHECKCCA_WRAPPER, if there is one.

set -eu
checkcca=$1 n=$2
shift 2
# shellcheck disable=SC2086 # words
exec ${CHECKCCA_WRAPPER:-} "$checkcca" --part $((1 + $(date +%s) % n))/"$n" "$@"
