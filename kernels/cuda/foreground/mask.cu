/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Computes the foreground mask as CcaForeground defines it. M and V are updated in place, which
 * is safe because each pixel belongs to one lane. */

#include "bytes.cuh"
#include "pass.cuh"

/* The lane's pixels in a table of the background. Rows are padded to whole units. */
template <typename Sample>
DEVICE Pixels16<Sample> *background_at(const CudaForeground &f, uint8_t *const table, const Unit &u)
{
    return (Pixels16<Sample> *) (table + u.y * f.pitch + (size_t) u.x * sizeof(Sample));
}

template <typename Sample>
DEVICE Samples16<Sample> load_background(const CudaForeground &f, uint8_t *const table,
                                         const Unit &u)
{
    return samples_of<Sample>(*background_at<Sample>(f, table, u));
}

template <typename Sample>
DEVICE void store_background(const CudaForeground &f, uint8_t *const table, const Unit &u,
                             const Samples16<Sample> &words)
{
    *background_at<Sample>(f, table, u) = pixels_of<Sample>(words);
}

/* bits() of each of the following modes returns one bit for each pixel of the lane. Bits past
 * the end of the row are undefined, and `invert` is applied later. */

struct Threshold {
    template <typename Sample>
    DEVICE uint32_t bits(const CudaImage &image, const CudaForeground &f, const Unit &u)
    {
        (void) f;
        if (image.low > UINT16_MAX)
            return 0;
        return pack16(image, pixels_of<Sample>(load_unit<Sample>(image, u)));
    }
};

struct Otsu {
    template <typename Sample>
    DEVICE uint32_t bits(const CudaImage &image, const CudaForeground &f, const Unit &u)
    {
        return Threshold::bits<Sample>(with_threshold(image), f, u);
    }
};

struct Difference {
    template <typename Sample>
    DEVICE uint32_t bits(const CudaImage &image, const CudaForeground &f, const Unit &u)
    {
        const Samples16<Sample> samples = load_unit<Sample>(image, u);
        Samples16<Sample> old = {}, now = {};
        if (!f.first)
            old = load_background<Sample>(f, f.reference, u);
        uint32_t bits = 0;
#pragma unroll
        for (uint32_t i = 0; i < CCA_PASS_PIXELS; i++) {
            const uint32_t v = value_of<Sample>(image, f.drop, get<Sample>(samples, i));
            const uint32_t r = get<Sample>(old, i);
            bits |= (uint32_t) (max(v, r) - min(v, r) >= f.contrast) << i;
            set<Sample>(now, i, v);
        }
        store_background<Sample>(f, f.stored, u, now);
        return f.first ? 0 : bits;
    }
};

/* Moves `from` towards `to` by at most `step`. */
DEVICE uint32_t approach(const uint32_t from, const uint32_t to, const uint32_t step)
{
    return to > from ? from + min(to - from, step) : from - min(from - to, step);
}

struct SigmaDelta {
    template <typename Sample>
    DEVICE uint32_t bits(const CudaImage &image, const CudaForeground &f, const Unit &u)
    {
        const Samples16<Sample> samples = load_unit<Sample>(image, u);
        Samples16<Sample> mean = {}, variation = {}, new_mean = {}, new_variation = {};
        if (!f.first) {
            mean = load_background<Sample>(f, f.reference, u);
            variation = load_background<Sample>(f, f.stored, u);
        }
        uint32_t bits = 0;
#pragma unroll
        for (uint32_t i = 0; i < CCA_PASS_PIXELS; i++) {
            const uint32_t value = value_of<Sample>(image, f.drop, get<Sample>(samples, i));
            uint32_t m = f.first ? value : get<Sample>(mean, i);
            uint32_t v = f.first ? f.contrast : get<Sample>(variation, i);
            if (f.due)
                m = approach(m, value, f.step);
            const uint32_t o = max(value, m) - min(value, m);
            if (f.due && !f.first)
                v = min(max(approach(v, f.noise_factor * o, f.step), f.contrast), f.max_variation);
            bits |= (uint32_t) (o >= max(v, f.contrast)) << i;
            set<Sample>(new_mean, i, m);
            set<Sample>(new_variation, i, v);
        }
        if (f.due) {
            store_background<Sample>(f, f.reference, u, new_mean);
            store_background<Sample>(f, f.stored, u, new_variation);
        }
        return f.first ? 0 : bits;
    }
};

/* SigmaDelta for bytes and a step of 1, on four bytes at a time. */
struct SigmaDeltaBytes {
    template <typename Sample>
    DEVICE uint32_t bits(const CudaImage &image, const CudaForeground &f, const Unit &u)
    {
        const Samples16<Sample> values = load_unit<Sample>(image, u);
        const uint32_t contrast = f.contrast * 0x01010101u;
        Samples16<Sample> mean, variation;
        uint4 over = {};
        if (f.first) {
            mean = values;
            variation = { { contrast, contrast, contrast, contrast } };
        } else {
            mean = load_background<Sample>(f, f.reference, u);
            variation = load_background<Sample>(f, f.stored, u);
            uint32_t *const words[4] = { &over.x, &over.y, &over.z, &over.w };
#pragma unroll
            for (uint32_t i = 0; i < 4; i++) {
                uint32_t &m = mean.w[i], &v = variation.w[i];
                if (f.due)
                    m = step_towards_4(m, values.w[i]);
                const uint32_t o = difference_4(values.w[i], m);
                if (f.due) {
                    uint32_t noise = o;
                    for (uint32_t n = 1; n < f.noise_factor; n++)
                        noise = add_4(noise, o);
                    /* V is never 0, and saturates at 255 as the noise does. */
                    v = step_towards_4(v, noise);
                }
                v = max_4(v, contrast);
                *words[i] = compare_ge_4(o, v);
            }
        }
        if (f.due) {
            store_background<Sample>(f, f.reference, u, mean);
            store_background<Sample>(f, f.stored, u, variation);
        }
        return gather_tops(over);
    }
};

/* Grid: one thread for each half word of the mask. */
template <typename Mode, typename Sample>
DEVICE void write_mask(const CudaImage &image, const CudaForeground &f)
{
    const uint32_t row_units = 2 * f.row_words, i = blockIdx.x * CCA_PASS_THREADS + threadIdx.x;
    const Unit u = unit_at(image, i, row_units);
    if (u.y >= image.height)
        return;
    uint32_t bits = 0;
    if (u.n > 0)
        bits = (Mode::template bits<Sample>(image, f, u) ^ (0 - image.invert)) & ((1u << u.n) - 1);
    /* GPUs are little endian: the left half of a word is the low one. */
    ((uint16_t *) f.mask)[i] = (uint16_t) bits;
}

#define MASK_KERNEL(name, begin, Mode, Sample)                       \
    extern "C" __global__ void __launch_bounds__(CCA_PASS_THREADS)   \
        name(const CudaImage image, const CudaForeground foreground) \
    {                                                                \
        begin();                                                     \
        write_mask<Mode, Sample>(image, foreground);                 \
    }

MASK_KERNEL(cca_mask_threshold_8, begin_first, Threshold, uint8_t)
MASK_KERNEL(cca_mask_threshold_16, begin_first, Threshold, uint16_t)
MASK_KERNEL(cca_mask_otsu_8, begin_dependent, Otsu, uint8_t)
MASK_KERNEL(cca_mask_otsu_16, begin_dependent, Otsu, uint16_t)
MASK_KERNEL(cca_mask_difference_8, begin_first, Difference, uint8_t)
MASK_KERNEL(cca_mask_difference_16, begin_first, Difference, uint16_t)
MASK_KERNEL(cca_mask_sigma_delta_8, begin_first, SigmaDelta, uint8_t)
MASK_KERNEL(cca_mask_sigma_delta_16, begin_first, SigmaDelta, uint16_t)
MASK_KERNEL(cca_mask_sigma_delta_8_unit, begin_first, SigmaDeltaBytes, uint8_t)
