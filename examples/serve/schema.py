# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-cudacca authors
"""Checks data by the part of JSON Schema that the schema of this program uses, and collects every
error with its place."""

import json
import re

NAMES = {"object": "an object", "string": "a text", "integer": "a whole number",
         "number": "a number", "boolean": "true or false", "array": "a list"}


def shown(value):
    text = json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) < 60 else text[:57] + "..."


def is_a(kind, value):
    if kind in ("integer", "number"):
        return not isinstance(value, bool) and isinstance(
            value, int if kind == "integer" else (int, float))
    return isinstance(value, {"object": dict, "string": str, "boolean": bool, "array": list}[kind])


def key_of(path, key):
    return (*path, key)


def errors(schema, value, path=()):
    """Yields (path, sentence) for each error."""
    kinds = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
    if not any(is_a(kind, value) for kind in kinds):
        yield path, f"it is {' or '.join(NAMES[kind] for kind in kinds)}, not {shown(value)}"
        return
    if "enum" in schema and value not in schema["enum"]:
        yield path, f"it is {' or '.join(map(str, schema['enum']))}, not {shown(value)}"
    if is_a("number", value):
        if value != value or not schema.get("minimum", value) <= value <= schema.get(
                "maximum", value):
            yield path, f"it is from {schema['minimum']} to {schema['maximum']}, not {shown(value)}"
    elif isinstance(value, str):
        if "pattern" in schema and not re.fullmatch(schema["pattern"], value):
            yield path, f"it is {schema['description']}, not {shown(value)}"
    elif isinstance(value, list):
        for number, item in enumerate(value):
            yield from errors(schema["items"], item, key_of(path, number))
    elif isinstance(value, dict):
        yield from object_errors(schema, value, path)


def object_errors(schema, value, path):
    known, others = schema.get("properties", {}), schema.get("additionalProperties", False)
    for key in schema.get("required", ()):
        if key not in value:
            yield path, f"{key} is missing"
    for key, item in value.items():
        if not isinstance(key, str):
            yield key_of(path, key), "it is no name: put it in quotes"
        elif key in known:
            yield from errors(known[key], item, key_of(path, key))
        elif others is False:
            yield path, f"there is no {key}: known are {', '.join(known)}"
        else:
            name = schema.get("propertyNames")
            if name and not re.fullmatch(name["pattern"], key):
                yield key_of(path, key), f"it is no name: {name['description']}"
            if isinstance(others, dict):
                yield from errors(others, item, key_of(path, key))
