# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-cudacca authors
"""Reads files that people write."""


def read(path, limit):
    """The text of a file of at most `limit` characters. Raises ValueError, with a sentence."""
    try:
        with open(path, encoding="utf-8") as f:
            text = f.read(limit + 1)
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "it is no text"
        raise ValueError(f"{path} cannot be read: {reason}") from None
    if len(text) > limit:
        raise ValueError(f"{path} has more than {limit} bytes")
    return text
