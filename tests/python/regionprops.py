#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-cudacca authors

"""Components, features and filters are those of scikit-image, if that is installed."""

import sys
import unittest

if "--skip" in sys.argv:
    sys.exit(77)
try:
    import gi
    import numpy
    import skimage
    from skimage import data, filters, measure, segmentation, util
except ImportError as e:
    print(f"{e.name} is missing (scikit-image is not among the packages of the tests)")
    sys.exit(77)

gi.require_version("Gst", "1.0")
gi.require_version("GstApp", "1.0")
gi.require_version("GstCca", "1.0")
from gi.repository import Gst, GstApp, GstCca  # noqa: F401, GstApp: the methods of appsink

# Of floating-point numbers, relative
TOLERANCE = 1e-9

# Images that come with scikit-image, and thresholds
IMAGES = {"coins": (90, 130), "camera": (60, 180), "page": (140,), "text": (100,), "moon": (100, 125),
          "cell": (60, 100), "brick": (120,), "gravel": (150,)}


def analyse(image, properties):
    """The labels, components and features of an image of 8 or 16 bits."""
    height, width = image.shape
    form = "GRAY8" if image.dtype == numpy.uint8 else "GRAY16_LE"
    size = image.dtype.itemsize
    pipeline = Gst.parse_launch(
        f"appsrc name=in format=time caps=video/x-raw,format={form},width={width},"
        f"height={height},framerate=1/1 ! cca threshold-depth=0 max-components=1000000 "
        f"meta-types=cca+labels features=moments+intensity+shape {properties} ! "
        "appsink name=out sync=false")
    rows = numpy.zeros((height, (width * size + 3) // 4 * 4), numpy.uint8)
    rows[:, :width * size] = numpy.ascontiguousarray(image).view(numpy.uint8)
    pipeline.set_state(Gst.State.PLAYING)
    pipeline.get_by_name("in").emit("push-buffer", Gst.Buffer.new_wrapped(rows.tobytes()))
    buf = pipeline.get_by_name("out").emit("pull-sample").get_buffer()
    pipeline.set_state(Gst.State.NULL)
    meta, labels = GstCca.buffer_get_cca_meta(buf), GstCca.buffer_get_cca_labels_meta(buf)
    pixels = numpy.frombuffer(labels.get_rows(0, height).get_data(), numpy.uint16)
    n = meta.get_n_components()
    return (pixels.reshape(height, width), [meta.get_component(i)[1] for i in range(n)],
            [meta.get_component_features(i)[1] for i in range(n)])


def random_image(rng, kind):
    """Blobs of some pixels, in 8 or 16 bits."""
    height, width = (int(n) for n in rng.integers(1, 160, 2))
    values = filters.gaussian(rng.random((height, width)), (0, 0.7, 1.5, 3)[kind % 4])
    low, high = values.min(), values.max()
    top = 255 if kind % 3 else 65535
    scaled = (values - low) / max(high - low, 1e-12) * top
    return scaled.astype(numpy.uint8 if top == 255 else numpy.uint16)


class Regionprops(unittest.TestCase):
    n_components = 0
    greatest = 0.0

    def equals(self, ours, theirs, scale=None):
        """Equal within the tolerance, relative to their value, or to the scale."""
        error = abs(ours - theirs) / max(abs(theirs) if scale is None else scale, 1e-300)
        Regionprops.greatest = max(self.greatest, error if ours != theirs else 0)
        self.assertLessEqual(error if ours != theirs else 0, TOLERANCE, (ours, theirs))

    def compare(self, image, threshold, connectivity):
        invert = "" if threshold >= 0 else "invert=true"
        mask = image > threshold if threshold >= 0 else image <= -threshold
        expected = measure.label(mask, connectivity=connectivity // 4)
        labels, components, features = analyse(
            image, f"threshold={abs(threshold)} connectivity={connectivity} {invert}")
        if expected.max() <= 65535:
            self.assertTrue(numpy.array_equal(labels, expected))
        regions = measure.regionprops(expected, intensity_image=image)
        self.assertEqual(len(components), len(regions))
        for c, f, r in zip(components, features, regions):
            self.compare_integers(c, f, r, connectivity)
            self.compare_floats(c, f, r)
        Regionprops.n_components += len(regions)

    def compare_integers(self, c, f, r, connectivity):
        self.assertEqual(c.area, r.area)
        self.assertEqual((c.y, c.x, c.y + c.height, c.x + c.width), r.bbox)
        x, y = round(c.centroid_x * c.area), round(c.centroid_y * c.area)
        # from the corner of the box, as in their moments
        self.assertEqual([[y - c.area * c.y, x - c.area * c.x],
                          [f.yy - 2 * c.y * y + c.area * c.y ** 2,
                           f.xx - 2 * c.x * x + c.area * c.x ** 2],
                          [f.xy - c.x * y - c.y * x + c.area * c.x * c.y]],
                         [[r.moments[1, 0], r.moments[0, 1]],
                          [r.moments[2, 0], r.moments[0, 2]], [r.moments[1, 1]]])
        values = r.image_intensity[r.image].astype(object)
        self.assertEqual((f.v, f.vv), (values.sum(), (values * values).sum()))
        self.assertEqual((f.v_min, f.v_max), (r.intensity_min, r.intensity_max))
        self.assertEqual(r.image_intensity[f.v_max_y - c.y, f.v_max_x - c.x], f.v_max)
        self.assertEqual(f.get_euler_number(c, connectivity),
                         measure.euler_number(r.image, connectivity=connectivity // 4))
        if connectivity == 8:
            self.assertEqual(f.get_euler_number(c, 8), r.euler_number)

    def compare_floats(self, c, f, r):
        self.equals(c.centroid_y, r.centroid[0])
        self.equals(c.centroid_x, r.centroid[1])
        major, minor = f.get_axes(c)
        self.equals(major, r.axis_major_length)
        # theirs is a difference, which is not exact: that of a line need not be 0
        self.equals(minor ** 2, r.axis_minor_length ** 2, max(major ** 2, 1))
        self.equals(f.get_eccentricity(c) ** 2, r.eccentricity ** 2, 1)
        if minor < 0.999 * major:
            turned = (f.get_orientation(c) - r.orientation + numpy.pi / 2) % numpy.pi
            self.equals(turned, numpy.pi / 2)
        self.equals(c.get_extent(), r.extent)
        self.equals(f.get_mean(c), r.intensity_mean)
        deviation = r.image_intensity[r.image].astype(float).std()
        self.equals(f.get_standard_deviation(c), deviation, max(deviation, f.v_max, 1))
        if f.v > 0:
            x, y = f.get_weighted_centroid()
            self.equals(y, r.centroid_weighted[0])
            self.equals(x, r.centroid_weighted[1])

    def test_images(self):
        for name, thresholds in IMAGES.items():
            image = util.img_as_ubyte(getattr(data, name)())
            for threshold in thresholds:
                for connectivity in (4, 8):
                    with self.subTest(name, threshold=threshold, connectivity=connectivity):
                        self.compare(image, threshold, connectivity)

    def test_random(self):
        rng = numpy.random.default_rng(1)
        for kind in range(60):
            image = random_image(rng, kind)
            threshold = int(numpy.quantile(image, rng.uniform(0.2, 0.9)))
            with self.subTest(kind=kind, shape=image.shape):
                self.compare(image, -threshold if kind % 5 == 4 and threshold else threshold,
                             4 if kind % 2 else 8)

    def test_hysteresis(self):
        rng = numpy.random.default_rng(2)
        n_dropped = 0
        images = [util.img_as_ubyte(getattr(data, name)()) for name in IMAGES]
        for kind, image in enumerate(images + [random_image(rng, k) for k in range(60)]):
            low = int(numpy.quantile(image, rng.uniform(0.3, 0.8)))
            high = int(numpy.quantile(image, rng.uniform(0.8, 1)))
            expected = filters.apply_hysteresis_threshold(image, low, max(low, high))
            labels, *_ = analyse(image, f"threshold={low} min-peak={high + 1} connectivity=4")
            with self.subTest(kind=kind, low=low, high=high):
                self.assertTrue(numpy.array_equal(labels > 0, expected))
            n_dropped += numpy.count_nonzero((image > low) & ~expected)
        self.assertGreater(n_dropped, 0)

    def test_border(self):
        rng = numpy.random.default_rng(3)
        images = [util.img_as_ubyte(getattr(data, name)()) for name in IMAGES]
        for kind, image in enumerate(images + [random_image(rng, k) for k in range(60)]):
            threshold = int(numpy.quantile(image, rng.uniform(0.4, 0.9)))
            connectivity = 4 if kind % 2 else 8
            parts = measure.label(image > threshold, connectivity=connectivity // 4)
            labels, *_ = analyse(image, f"threshold={threshold} connectivity={connectivity} "
                                        "exclude-border=true")
            with self.subTest(kind=kind, threshold=threshold):
                self.assertTrue(numpy.array_equal(labels > 0,
                                                  segmentation.clear_border(parts) > 0))


if __name__ == "__main__":
    Gst.init(None)
    program = unittest.main(exit=False)
    print(f"scikit-image {skimage.__version__}: {Regionprops.n_components} components, greatest "
          f"relative difference {Regionprops.greatest:.1e}")
    sys.exit(not program.result.wasSuccessful())
