#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-cudacca authors

"""The ids that ccatrack gives on pedestrians.avi, if CCA_QUALITY_CLIP names it."""

import os
import pathlib
import sys
import unittest

if "--skip" in sys.argv or not os.environ.get("CCA_QUALITY_CLIP"):
    print("CCA_QUALITY_CLIP does not name pedestrians.avi")
    sys.exit(77)

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "quality"))
sys.dont_write_bytecode = True
import video
from gi.repository import Gst, GstCca

ELEMENTS = ("cca foreground=sigma-delta open-radius=1 close-radius=1 min-area=120 {} ! "
            "ccatrack name=track")

# of single frames, counted from 0
IDS = {
    100: [10, 6, 1, 13],
    256: [21, 23, 26, 24, 19, 27],
    400: [32, 31, 27],
    700: [40, 31, 38, 39, 34, 41, 43, 36],
    794: [44, 40, 45, 47, 38, 46],
}


def play(properties):
    """Yields the (track_id, area) of the components of each frame."""
    source = f"filesrc location={os.environ['CCA_QUALITY_CLIP']} ! decodebin ! {video.LUMA}"
    for sample in video.samples(f"{source} ! {ELEMENTS.format(properties)}"):
        meta = GstCca.buffer_get_cca_meta(sample.get_buffer())
        found = [meta.get_component(i)[1] for i in range(meta.get_n_components())]
        yield [(c.track_id, c.area) for c in found]


class Pedestrians(unittest.TestCase):
    def test_ids(self):
        frames = list(play("meta-types=cca"))
        self.assertEqual(len(frames), 795)
        for number, ids in IDS.items():
            self.assertEqual([track_id for track_id, _ in frames[number]], ids)
        known = [(track_id, area) for frame in frames for track_id, area in frame
                 if track_id != -1]
        self.assertEqual(len(known), 4106)
        self.assertEqual({track_id for track_id, _ in known}, set(range(1, 48)))
        self.assertEqual(sum(track_id * area for track_id, area in known), 80928881)

    def test_with_objects(self):
        """The same whatever else cca attaches."""
        self.assertEqual(list(play("meta-types=cca")),
                         list(play("meta-types=cca+roi+analytics")))


if __name__ == "__main__":
    Gst.init(None)
    unittest.main()
