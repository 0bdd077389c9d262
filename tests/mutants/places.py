# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-cudacca authors
"""Finds the code that a mutant changes: a definition by its name, and a pattern in it.

A definition is a function, macro, type, table or constant at file scope. It is found
without a compiler. The pattern ignores C comments, and white space unless it separates
two words.
"""

import ast
import collections
import re

SUFFIXES = (".c", ".h", ".cu", ".cuh", ".py")
COMMENT = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', re.DOTALL)
STRING = re.compile(r'"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'')
DIRECTIVE = re.compile(r"^[ \t]*#(?:[^\n]*\\\n)*[^\n]*", re.MULTILINE)
DEFINE = re.compile(r"[ \t]*#[ \t]*define[ \t]+(\w+)")
MACRO_CALL = re.compile(r"^[A-Z][A-Z0-9_]* ?\((\w+)[^()]*\)", re.MULTILINE)
TOKEN = re.compile(r"[][(){};]")
TYPE = re.compile(r"\b(?:struct|union|class|enum)\b\s*(\w*)[^()]*$")
ATTRIBUTE = re.compile(r"\b(?:__align__|__attribute__|alignas|_Alignas)\s*\(+[^()]*\)+")


def blank(match):
    return re.sub(r"[^\n]", " ", match.group())


def without_comments(text):
    """Replaces comments by blanks, so that positions stay."""
    return COMMENT.sub(lambda m: blank(m) if m.group()[0] == "/" else m.group(), text)


class Definitions(collections.defaultdict):
    """The definitions in C code: name -> [(start, end)]."""

    def __init__(self, code):
        super().__init__(list)
        for directive in DIRECTIVE.finditer(code):
            name = DEFINE.match(directive.group())
            if name:
                self[name.group(1)].append(directive.span())
        self.code = STRING.sub(blank, DIRECTIVE.sub(blank, code))
        for call in MACRO_CALL.finditer(self.code):
            self[call.group(1)].append(call.span())
        self.ends = {}
        opened = []
        for brace in re.finditer(r"[{}]", self.code):
            if brace.group() == "{":
                opened.append(brace.start())
            elif opened:
                self.ends[opened.pop()] = brace.start()
        self.scan(0, len(self.code))

    def scan(self, start, end):
        """Adds the definitions between two positions at file scope."""
        depth, begin, place = 0, start, start
        while token := TOKEN.search(self.code, place, end):
            place = token.end()
            depth += {"(": 1, "[": 1, ")": -1, "]": -1}.get(token.group(), 0)
            header = self.code[begin:token.start()]
            if depth > 0:
                continue
            if token.group() == "{":
                place = self.ends.get(token.start(), end) + 1
                if re.fullmatch(r"\s*(?:extern|namespace\b\s*\w*)\s*", header):
                    self.scan(token.end(), place - 1)
                    begin = place
                elif TYPE.search(ATTRIBUTE.sub("", header)):
                    self.scan(token.end(), place - 1)
                elif not re.search(r"=\s*$|\]\s*$", header):
                    self.add_function(header, begin, place)
                    begin = place
            elif token.group() == ";":
                self.add_variable(begin, place)
                begin = place
            elif token.group() == "}":
                begin = place

    def add_function(self, header, begin, end):
        """Its name precedes the arguments, or is the argument of a macro there."""
        depth, outer = 0, ""
        for c in header:
            depth -= c == ")"
            outer += c if depth == 0 else " "
            depth += c == "("
        names = re.findall(r"\b(?!__\w*__\b)(\w+)\s*\(", outer)
        if names and names[0].isupper():
            names[:1] = re.findall(r"\(\s*(\w+)", header)[:1]
        for name in set(names):
            self[name].append((begin, end))

    def add_variable(self, begin, end):
        """Adds a variable or type, but no prototype."""
        text = self.code[begin:end]
        is_type = TYPE.search(ATTRIBUTE.sub("", text.partition("{")[0]))
        names = [is_type.group(1)] if is_type and "{" in text else []
        if is_type and "{" in text:
            names += re.findall(r"\w+", text.rpartition("}")[2])
        else:
            left = text.partition("=")[0].rstrip("; \n")
            if "(" in left and "=" not in text:
                return
            names += re.findall(r"\w+", re.sub(r"\[.*", "", left, flags=re.DOTALL))[-1:]
        for name in set(names) - {""}:
            self[name].append((begin, end))


def definitions_of_python(text):
    found = collections.defaultdict(list)
    starts = [0]
    for line in text.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    tree = ast.parse(text)
    for node in ast.walk(tree):
        names = [node.name] if isinstance(
            node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)) else []
        if isinstance(node, ast.Assign) and node in tree.body:
            names = [t.id for t in node.targets if isinstance(t, ast.Name)]
        for name in names:
            found[name].append((starts[node.lineno - 1], starts[node.end_lineno]))
    return found


class File:
    """A source file, whose definitions are found once."""

    def __init__(self, path):
        self.path = path
        self.text = path.read_text()
        self.is_python = path.suffix == ".py" or self.text.startswith("#!/usr/bin/python")
        self.code = self.text if self.is_python else without_comments(self.text)
        self.found = None

    def definitions(self):
        if self.found is None:
            self.found = (definitions_of_python(self.text) if self.is_python
                          else Definitions(self.code))
        return self.found

    def places(self, name, pattern):
        """[(start, end)] of the pattern in the definitions of that name."""
        # a backslash at the end of a line is white space, too
        code = self.code if self.is_python else self.code.replace("\\\n", " \n")
        return [m.span() for start, end in self.definitions().get(name, [])
                for m in regex(pattern, self.is_python).finditer(code, start, end)]

    def line(self, place):
        return self.text.count("\n", 0, place) + 1


def regex(pattern, is_python):
    tokens = re.findall(r"\w+|[^\w\s]", pattern if is_python else without_comments(pattern))
    text = ""
    for before, token in zip(["", *tokens], tokens):
        both = re.fullmatch(r"\w+", before) and re.fullmatch(r"\w+", token)
        text += (r"\s+" if both else r"\s*" if before else "") + re.escape(token)
    if re.match(r"\w", pattern):
        text = r"\b" + text
    if re.search(r"\w$", pattern):
        text += r"\b"
    return re.compile(text)


class Sources:
    """The source files below a folder."""

    def __init__(self, top):
        self.top = top
        self.files = {}

    def in_folder(self, folder):
        if folder not in self.files:
            self.files[folder] = [
                File(p) for p in sorted((self.top / folder).rglob("*"))
                if p.is_file() and (p.suffix in SUFFIXES or p.suffix == "" and
                                    p.read_bytes().startswith(b"#!/usr/bin/python"))]
        return self.files[folder]

    def has(self, folder, name):
        return any(file.definitions().get(name) for file in self.in_folder(folder)
                   if name in file.text)

    def find(self, folder, name, pattern):
        """[(file, start, end)] of the pattern, each place once."""
        return [(file, *place) for file in self.in_folder(folder) if name in file.text
                for place in sorted(set(file.places(name, pattern)))]
