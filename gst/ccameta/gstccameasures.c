/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Measures of a component that its features give. The definitions are those of
 * scikit-image's regionprops. Differences of sums are taken in 128 bits, as they
 * are small compared to the sums themselves for a component that is far from
 * the origin. */

#include <math.h>

#include "gstccametaprivate.h"

/* --- 128 bits ------------------------------------------------------------- */

/* C has no type of 128 bits on 32-bit machines. */
typedef struct
{
  guint64 hi, lo;
} Wide;

static Wide
multiply (guint64 a, guint64 b)
{
  const guint64 mask = G_MAXUINT32;
  const guint64 low = (a & mask) * (b & mask);
  const guint64 cross_a = (a >> 32) * (b & mask);
  const guint64 cross_b = (a & mask) * (b >> 32);
  const guint64 middle = (low >> 32) + (cross_a & mask) + (cross_b & mask);

  return (Wide) {
    .hi = (a >> 32) * (b >> 32) + (cross_a >> 32) + (cross_b >> 32)
        + (middle >> 32),
    .lo = (middle << 32) | (low & mask),
  };
}

/* Returns a * b - c * d: the difference is exact, and then rounded. */
static gdouble
difference (guint64 a, guint64 b, guint64 c, guint64 d)
{
  Wide p = multiply (a, b), q = multiply (c, d);
  const gboolean negative = p.hi < q.hi || (p.hi == q.hi && p.lo < q.lo);
  gdouble magnitude;

  if (negative) {
    const Wide swap = p;

    p = q;
    q = swap;
  }
  magnitude = ldexp ((gdouble) (p.hi - q.hi - (p.lo < q.lo)), 64)
      + (gdouble) (p.lo - q.lo);

  return negative ? -magnitude : magnitude;
}

/* --- moments -------------------------------------------------------------- */

/* Returns the sum that the centroid was computed from. It is exact, as it has
 * less than 51 bits in pictures of which there are features. A record from an
 * application may have any centroid. */
static guint64
sum_of (gdouble mean, guint64 area)
{
  const gdouble sum = floor (mean * (gdouble) area + 0.5);

  if (!(sum > 0))
    return 0;

  return sum < (gdouble) G_MAXINT64 ? (guint64) sum : G_MAXINT64;
}

/* Population variances and covariance of the pixels' positions. */
typedef struct
{
  gdouble xx, xy, yy;
} Variance;

static Variance
get_variance (const GstCcaFeatures *f, const GstCcaComponent *c)
{
  const guint64 n = c->area;
  const guint64 x = sum_of (c->centroid_x, n), y = sum_of (c->centroid_y, n);
  const gdouble square = (gdouble) n * (gdouble) n;

  return (Variance) {
    .xx = difference (n, f->xx, x, x) / square,
    .xy = difference (n, f->xy, x, y) / square,
    .yy = difference (n, f->yy, y, y) / square,
  };
}

/* Returns the eigenvalues of the covariance matrix, the greater one first. The
 * lesser one comes from the determinant: a difference would lose its digits for
 * a long component. */
static void
get_eigenvalues (const Variance *v, gdouble *first, gdouble *second)
{
  *first = (v->xx + v->yy) / 2 + hypot ((v->xx - v->yy) / 2, v->xy);
  *second = *first > 0 ? (v->xx * v->yy - v->xy * v->xy) / *first : 0;
  *first = MAX (*first, 0);
  *second = MAX (*second, 0);
}

/**
 * gst_cca_features_get_central_moments:
 * @features: the features of @component, with moments
 * @component: the component, not scaled
 * @xx: (out): sum of (x - centroid_x)² of the pixels
 * @xy: (out): sum of (x - centroid_x) * (y - centroid_y)
 * @yy: (out): sum of (y - centroid_y)²
 *
 * Gets the second central moments, as `moments_central` of scikit-image and
 * `mu20`, `mu11` and `mu02` of OpenCV.
 */
void
gst_cca_features_get_central_moments (const GstCcaFeatures *features,
    const GstCcaComponent *component, gdouble *xx, gdouble *xy, gdouble *yy)
{
  Variance v;

  g_return_if_fail (features != NULL && component != NULL);
  g_return_if_fail (xx != NULL && xy != NULL && yy != NULL);

  v = get_variance (features, component);
  *xx = v.xx * (gdouble) component->area;
  *xy = v.xy * (gdouble) component->area;
  *yy = v.yy * (gdouble) component->area;
}

/**
 * gst_cca_features_get_orientation:
 * @features: the features of @component, with moments
 * @component: the component, not scaled
 *
 * Gets the direction of the major axis of the ellipse with the same second
 * moments: the angle from the y axis, which points down, towards the x axis. It
 * equals `orientation` of scikit-image: 0 is vertical and pi / 2 horizontal. A
 * component without a longer axis has -pi / 4.
 *
 * Returns: the angle in radians, from -pi / 2 to pi / 2
 */
gdouble
gst_cca_features_get_orientation (const GstCcaFeatures *features,
    const GstCcaComponent *component)
{
  Variance v;

  g_return_val_if_fail (features != NULL && component != NULL, 0);

  v = get_variance (features, component);
  if (v.xx == v.yy)
    return v.xy > 0 ? G_PI_4 : -G_PI_4;

  return atan2 (2 * v.xy, v.yy - v.xx) / 2;
}

/**
 * gst_cca_features_get_axes:
 * @features: the features of @component, with moments
 * @component: the component, not scaled
 * @major: (out): length of the major axis, in pixels
 * @minor: (out): length of the minor axis
 *
 * Gets the axes of the ellipse with the same second moments, as
 * `axis_major_length` and `axis_minor_length` of scikit-image: 4 standard
 * deviations of the pixels' centres. A line of pixels has a minor axis of 0.
 */
void
gst_cca_features_get_axes (const GstCcaFeatures *features,
    const GstCcaComponent *component, gdouble *major, gdouble *minor)
{
  Variance v;

  g_return_if_fail (features != NULL && component != NULL);
  g_return_if_fail (major != NULL && minor != NULL);

  v = get_variance (features, component);
  get_eigenvalues (&v, major, minor);
  *major = 4 * sqrt (*major);
  *minor = 4 * sqrt (*minor);
}

/**
 * gst_cca_features_get_eccentricity:
 * @features: the features of @component, with moments
 * @component: the component, not scaled
 *
 * Gets the eccentricity of the ellipse with the same second moments, as
 * `eccentricity` of scikit-image.
 *
 * Returns: 0 for a circle, to 1 for a line; 0 for a single pixel
 */
gdouble
gst_cca_features_get_eccentricity (const GstCcaFeatures *features,
    const GstCcaComponent *component)
{
  gdouble first, second;
  Variance v;

  g_return_val_if_fail (features != NULL && component != NULL, 0);

  v = get_variance (features, component);
  get_eigenvalues (&v, &first, &second);

  return first > second ? sqrt (1 - second / first) : 0;
}

/**
 * gst_cca_features_get_widths:
 * @features: the features of @component, with moments
 * @component: the component, not scaled
 * @width: (out): 4 standard deviations of the columns, in pixels
 * @height: (out): 4 standard deviations of the rows
 *
 * Gets the widths of the component along the axes of the picture. All pixels
 * have the same weight. These are no beam widths (D4-sigma) of ISO 11146, which
 * weights the pixels with their intensity, unless the intensity is even.
 */
void
gst_cca_features_get_widths (const GstCcaFeatures *features,
    const GstCcaComponent *component, gdouble *width, gdouble *height)
{
  Variance v;

  g_return_if_fail (features != NULL && component != NULL);
  g_return_if_fail (width != NULL && height != NULL);

  v = get_variance (features, component);
  *width = 4 * sqrt (MAX (v.xx, 0));
  *height = 4 * sqrt (MAX (v.yy, 0));
}

/* A pixel of size 1 has a variance of 1 / 12. An upright rectangle of pixels
 * therefore has its own sides. */
void
gst_cca_features_get_rectangle (const GstCcaFeatures *features,
    const GstCcaComponent *component, gdouble sx, gdouble sy, gdouble *major,
    gdouble *minor, gdouble *angle)
{
  Variance v = get_variance (features, component);

  v.xx = (v.xx + 1. / 12) * sx * sx;
  v.xy *= sx * sy;
  v.yy = (v.yy + 1. / 12) * sy * sy;
  get_eigenvalues (&v, major, minor);
  *major = sqrt (12 * *major);
  *minor = sqrt (12 * *minor);
  *angle = atan2 (2 * v.xy, v.xx - v.yy) / 2;
  if (*angle < 0)
    *angle += G_PI;
}

/* --- intensity ------------------------------------------------------------ */

/**
 * gst_cca_features_get_mean:
 * @features: the features of @component, with intensity
 * @component: the component
 *
 * Gets the mean of the pixels' values, as `intensity_mean` of scikit-image.
 *
 * Returns: the mean in code values
 */
gdouble
gst_cca_features_get_mean (const GstCcaFeatures *features,
    const GstCcaComponent *component)
{
  g_return_val_if_fail (features != NULL && component != NULL, 0);

  return (gdouble) features->v / (gdouble) component->area;
}

/**
 * gst_cca_features_get_standard_deviation:
 * @features: the features of @component, with intensity
 * @component: the component, not scaled
 *
 * Gets the standard deviation of the pixels' values, as `intensity_std` of
 * scikit-image: that of all values, not of a sample.
 *
 * Returns: the standard deviation in code values
 */
gdouble
gst_cca_features_get_standard_deviation (const GstCcaFeatures *features,
    const GstCcaComponent *component)
{
  gdouble square;

  g_return_val_if_fail (features != NULL && component != NULL, 0);

  square = difference (component->area, features->vv, features->v, features->v);

  return sqrt (MAX (square, 0)) / (gdouble) component->area;
}

/**
 * gst_cca_features_get_weighted_centroid:
 * @features: the features, with intensity
 * @x: (out): mean of the pixels' columns, weighted with their values
 * @y: (out): mean of the pixels' rows, weighted with their values
 *
 * Gets the centroid of the intensity, as `centroid_weighted` of scikit-image.
 * It is not a number if all pixels have the value 0.
 */
void
gst_cca_features_get_weighted_centroid (const GstCcaFeatures *features,
    gdouble *x, gdouble *y)
{
  g_return_if_fail (features != NULL);
  g_return_if_fail (x != NULL && y != NULL);

  *x = features->v > 0 ? (gdouble) features->vx / (gdouble) features->v : NAN;
  *y = features->v > 0 ? (gdouble) features->vy / (gdouble) features->v : NAN;
}

/* --- shape ---------------------------------------------------------------- */

/**
 * gst_cca_features_get_euler_number:
 * @features: the features of @component, with shape
 * @component: the component, not scaled
 * @connectivity: 4 or 8: the connectivity of the analysis
 *
 * Gets the Euler number, as `euler_number` of scikit-image: 1 minus the number
 * of holes.
 *
 * Returns: the Euler number
 */
gint64
gst_cca_features_get_euler_number (const GstCcaFeatures *features,
    const GstCcaComponent *component, guint connectivity)
{
  g_return_val_if_fail (features != NULL && component != NULL, 0);
  g_return_val_if_fail (connectivity == 4 || connectivity == 8, 0);

  if (connectivity == 4)
    return (gint64) (component->area - features->e4 + features->q4);

  return (gint64) (features->w1 - 3 * component->area + features->e4);
}

/**
 * gst_cca_features_get_n_holes:
 * @features: the features of @component, with shape
 * @component: the component, not scaled
 * @connectivity: 4 or 8: the connectivity of the analysis
 *
 * Gets the number of holes: connected sets of other pixels that the component
 * encloses, with the other connectivity.
 *
 * Returns: the number of holes
 */
gint64
gst_cca_features_get_n_holes (const GstCcaFeatures *features,
    const GstCcaComponent *component, guint connectivity)
{
  return 1
      - gst_cca_features_get_euler_number (features, component, connectivity);
}

/**
 * gst_cca_features_get_edge_length:
 * @features: the features of @component, with shape
 * @component: the component, not scaled
 *
 * Gets the length of the component's border, those of holes included: the number
 * of pixel edges between it and other pixels. It is longer than the perimeter of
 * the object in the picture, except for an upright rectangle.
 *
 * Returns: the length in pixels
 */
guint64
gst_cca_features_get_edge_length (const GstCcaFeatures *features,
    const GstCcaComponent *component)
{
  g_return_val_if_fail (features != NULL && component != NULL, 0);

  return 4 * component->area - 2 * features->e4;
}

/**
 * gst_cca_component_get_extent:
 * @component: a component
 *
 * Gets the part of the bounding box that the component fills, as `extent` of
 * scikit-image.
 *
 * Returns: more than 0, to 1 for an upright rectangle
 */
gdouble
gst_cca_component_get_extent (const GstCcaComponent *component)
{
  g_return_val_if_fail (component != NULL, 0);

  return (gdouble) component->area
      / ((gdouble) component->width * component->height);
}
