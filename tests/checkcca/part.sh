#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-cudacca authors
#
# Usage: part.sh CHECKCCA N
# Runs it on one of N parts of its cases, another one from run to run.

set -eu
exec "$1" --part $((1 + $(date +%s) % $2))/"$2"
