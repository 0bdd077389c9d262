# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-cudacca authors
"""usage: settings.py SETTINGS.PY [TEST...]

Files of settings: their values, and the text of pipelines that they become."""

import json
import os
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(sys.argv.pop(1))))
# this file has the same name
sys.modules.pop("settings", None)
sys.path.remove(os.path.dirname(os.path.abspath(__file__)))

import gi
gi.require_version("Gst", "1.0")
from gi.repository import Gst

import settings

YARD = {"name": "yard", "points": [0, -1, 9, 0, 9, 9], "type": "include", "min-area": 7}


class Settings(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        Gst.init(None)
        cls.table = settings.Table()

    def refused(self, said, function, *arguments):
        with self.assertRaisesRegex(settings.Refused, said) as refused:
            function(*arguments)
        self.assertNotIn("\n", str(refused.exception))

    def test_check(self):
        """Defaults are left out, and the order is that of the table."""
        values = self.table.check({
            "ccatrack": {"max-lost": 20},
            "cca": {"min-area": 30, "foreground": "sigma-delta", "threshold": None,
                    "invert": False, "min-contrast": 15, "learning": False, "regions": [YARD]}})
        self.assertEqual(values, {
            "cca": {"foreground": "sigma-delta", "learning": False, "min-area": 30,
                    "regions": [YARD]}, "ccatrack": {"max-lost": 20}})
        self.assertEqual(list(values["cca"]), ["foreground", "learning", "min-area", "regions"])
        self.assertEqual(self.table.check({}), {"cca": {}, "ccatrack": {}})
        for limit in 1, 65535:
            self.table.check({"cca": {"min-contrast": limit}})
        for wrong, said in (
                ([], "settings are an object with cca and ccatrack"),
                ({"other": {}}, "settings are an object with cca and ccatrack"),
                ({"cca": []}, "settings are an object with cca and ccatrack"),
                ({"cca": {"colour": 1}}, 'cca has no property "colour" here'),
                ({"cca": {"max-lost": 1}}, 'cca has no property "max-lost" here'),
                ({"cca": {"mask-location": "/x"}}, 'cca has no property "mask-location" here'),
                ({"cca": {"min-contrast": 0}}, "whole number from 1 to 65535, not 0: "),
                ({"cca": {"min-contrast": 65536}}, "from 1 to 65535, not 65536: "),
                ({"cca": {"min-contrast": True}}, "from 1 to 65535, not true: "),
                ({"cca": {"min-contrast": 1.0}}, "from 1 to 65535, not 1.0: "),
                ({"cca": {"min-contrast": 99 * "9"}}, r'not "9{56}\.\.\.: '),
                ({"cca": {"learning": 1}}, "learning is true or false, not 1: "),
                ({"cca": {"foreground": "edges"}}, "foreground is threshold, otsu, difference, "),
                ({"cca": {"foreground": []}}, r"foreground is .*, not \[\]: ")):
            self.refused(said, self.table.check, wrong)

    def test_shapes(self):
        good = [YARD, {"name": "b", "points": []}]
        self.assertEqual(settings.check_shapes("regions", good), good)
        for wrong, said in (
                ({}, "regions is a list of at most 64 structures"),
                ([{"name": f"a{n}", "points": []} for n in range(65)], "at most 64 structures"),
                ([{"points": []}], "a name that begins with a letter"),
                ([{"name": "a]", "points": []}], "a name that begins with a letter"),
                ([YARD, YARD], "two have the same name"),
                ([{"name": "a"}], "the points of a are pairs of whole numbers"),
                ([{"name": "a", "points": [1, 2, 3]}], "pairs of whole numbers"),
                ([{"name": "a", "points": [1, 2.0]}], "pairs of whole numbers"),
                ([{"name": "a", "points": [1, 1 << 20]}], "pairs of whole numbers"),
                ([{"name": "a", "points": [1] * 514}], "pairs of whole numbers"),
                ([{"name": "a", "points": [], "x y": 1}], '"x y" of a is a whole number or a word'),
                ([{"name": "a", "points": [], "x": "1,y"}], '"x" of a is a whole number or a word'),
                ([{"name": "a", "points": [], "x": True}], '"x" of a is a whole number or a word'),
                ([{"name": "a", "points": [], "x": 1.5}], '"x" of a is a whole number or a word')):
            self.refused(said, settings.check_shapes, "regions", wrong)

    def test_text(self):
        text = settings.launch_text({"foreground": "otsu", "invert": True, "min-area": 5,
                                     "regions": [YARD]})
        self.assertEqual(text, ' foreground=otsu invert=true min-area=5 regions="<[yard,'
                               'points=<0,-1,9,0,9,9>,type=include,min-area=7]>"')
        element = Gst.parse_launch(f"cca{text}")
        self.assertEqual((element.props.invert, element.props.min_area), (True, 5))
        self.assertEqual(settings.launch_text({}), "")
        settings.apply(element, {"regions": [], "invert": False})
        self.assertFalse(element.props.invert)

    def test_preset(self):
        """Areas grow with the square of the width, radii with the width up to the limit."""
        for width, area, opened, closed in ((640, 300, 1, 4), (1280, 1200, 2, 8),
                                            (7680, 43200, 7, 15), (16, 1, 1, 1)):
            values = settings.preset("traffic", width)
            self.assertEqual(self.table.check(values), self.table.check({"cca": {
                "foreground": "sigma-delta", "min-area": area, "open-radius": opened,
                "close-radius": closed}}), width)
        for name in settings.PRESETS:
            self.table.check(settings.preset(name, 640))
        self.assertEqual(settings.PRESETS["traffic"]["cca"]["min-area"], 300)

    def test_file(self):
        values = self.table.check({"cca": {"regions": [YARD]}, "ccatrack": {"max-lost": 20}})
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "settings.json")
            self.refused("settings.json cannot be read: No such file", settings.load, path,
                         self.table)
            with open(path, "w", encoding="utf-8") as f:
                f.write(settings.write(values, 64, 48))
            self.assertEqual(settings.load(path, self.table), (values, (64, 48)))
            for data, said in ((b"\xff", "settings.json cannot be read: it is no text"),
                               (b" " * ((1 << 20) + 1), "has more than 1048576 bytes"),
                               (b"{", "settings.json: the settings are no JSON")):
                with open(path, "wb") as f:
                    f.write(data)
                self.refused(said, settings.load, path, self.table)

    def test_parse(self):
        self.assertEqual(settings.parse('{"version": 1}', self.table),
                         ({"cca": {}, "ccatrack": {}}, None))
        for change, said in (({"version": 2}, "no object with version 1"),
                             ({"colour": 1}, "settings have no colour"),
                             ({"width": 9}, "width and height are whole numbers"),
                             ({"width": 9, "height": 0}, "width and height are whole numbers"),
                             ({"cca": {"min-area": -1}}, "min-area is a whole number")):
            text = json.dumps({"version": 1} | change)
            self.refused(said, settings.parse, text, self.table)
        settings.check_size(None, 9, 9)
        settings.check_size((9, 8), 9, 8)
        self.refused("for video of 9x8, this one has 8x9", settings.check_size, (9, 8), 8, 9)


if __name__ == "__main__":
    unittest.main()
