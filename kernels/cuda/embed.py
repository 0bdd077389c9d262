#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-cudacca authors
"""embed.py INPUT OUTPUT NAME: the bytes of a file as a C array in a header."""

import sys

source, target, name = sys.argv[1:]
with open(source, 'rb') as f:
    data = f.read()
with open(target, 'w') as f:
    f.write(f'_Alignas(64) static const unsigned char {name}[{len(data)}] = {{\n')
    for i in range(0, len(data), 24):
        f.write(','.join(map(str, data[i:i + 24])) + ',\n')
    f.write('};\n')
