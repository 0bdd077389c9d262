# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-cudacca authors
"""usage: man.py PROGRAM PAGE [PROGRAM PAGE]...

The man page of each program has the options that its --help prints, and no others.
"""

import re
import subprocess
import sys


def options(text):
    return set(re.findall(r"(?<![\w-])--[a-z]+(?:-[a-z]+)*", text))


def main(*arguments):
    failed = False
    for program, page in zip(arguments[::2], arguments[1::2]):
        run = subprocess.run([program, "--help"], capture_output=True, text=True, check=True)
        printed = options(run.stdout)
        with open(page, encoding="utf-8") as file:
            text = re.search(r"\n\.SH OPTIONS\n(.*?)\n\.SH ", file.read(), re.S)[1]
        written = options(text.replace("\\", ""))
        if printed != written:
            print(f"{page}: lacks {printed - written or 'none'}, should not have {written - printed or 'none'}")
            failed = True
        if len(printed) < 5:
            print(f"{program}: --help prints {len(printed)} options")
            failed = True
    return int(failed)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
