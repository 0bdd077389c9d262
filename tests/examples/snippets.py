#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-cudacca authors
"""usage: snippets.py PAGE...

Runs the code of documents: each block of shell commands, and each block of
Python that is a whole program, that is one that imports gi. A block after the
line <!-- not run: REASON --> is left out. Fails if a page has nothing to run.
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import gi
gi.require_version("Gst", "1.0")
from gi.repository import Gst

BLOCK = re.compile(r"(<!-- not run: [^\n]* -->\n)?^```(sh|python)\n(.*?)^```$", re.M | re.S)


def wanted(page):
    for left_out, language, code in BLOCK.findall(page.read_text(encoding="utf-8")):
        if left_out or language == "python" and "import gi\n" not in code:
            continue
        yield language, code


def never_ends(code):
    # before 1.24.13 it does not pass the end of the stream on
    return "objectdetectionoverlay" in code and Gst.version()[:3] < (1, 24, 13)


def run(language, code, folder):
    command = {"sh": ["bash", "-euo", "pipefail", "-c"], "python": [sys.executable, "-c"]}[language]
    try:
        done = subprocess.run(command + [code], cwd=folder, timeout=60, check=False,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, encoding="utf-8")
    except subprocess.TimeoutExpired as expired:
        return f"no end after {expired.timeout} s"
    # a pipeline that posts a warning ends as if there had been none
    trouble = re.search(r"CRITICAL|WARNING|ERROR|Traceback", done.stdout)
    return done.stdout if done.returncode or trouble else None


def main(pages):
    Gst.init(None)
    failed = 0
    for page in map(pathlib.Path, pages):
        n = 0
        with tempfile.TemporaryDirectory() as folder:
            for language, code in wanted(page):
                n += 1
                said = None if never_ends(code) else run(language, code, folder)
                if said is not None:
                    failed += 1
                    print(f"{page.name}: this fails:\n{code}\n{said}")
        print(f"{page.name}: {n} blocks")
        failed += not n
    return int(failed > 0)


if __name__ == "__main__":
    os.environ.setdefault("GST_DEBUG_NO_COLOR", "1")
    sys.exit(main(sys.argv[1:]))
