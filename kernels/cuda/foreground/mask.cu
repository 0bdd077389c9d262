/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Computes the foreground mask as CcaForeground defines it. M and V are updated in place, which
 * is safe because each pixel belongs to one lane. */

#include "background.cuh"
#include "bytes.cuh"

/* bits() of each of the following modes returns one bit for each pixel of the lane. Bits past
 * the end of the row are undefined, and `invert` is applied later. Modes that learn must see all
 * pixels, the others only the working set. */

struct Threshold {
    static constexpr bool learns = false;

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
    static constexpr bool learns = false;

    template <typename Sample>
    DEVICE uint32_t bits(const CudaImage &image, const CudaForeground &f, const Unit &u)
    {
        return Threshold::bits<Sample>(with_threshold(image), f, u);
    }
};

struct Difference {
    static constexpr bool learns = true;

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

/* Applies the tone curve to the lane's values. */
template <typename Sample> DEVICE void change_tone(const CudaForeground &f,
                                                   Samples16<Sample> &values)
{
    const int32_t top = sizeof(Sample) == 1 ? UINT8_MAX : UINT16_MAX >> f.drop;
    Samples16<Sample> changed = {};
#pragma unroll
    for (uint32_t i = 0; i < CCA_PASS_PIXELS; i++) {
        const uint32_t v = get<Sample>(values, i);
        const int32_t c = f.light->curve[tone_of<Sample>(f, v)];
        set<Sample>(changed, i, (uint32_t) iclip((int32_t) v + (int32_t) f.step * c, 0, top));
    }
    values = changed;
}

/* Waits for the kernel that looks for a change of light, if there is one. If light has changed,
 * changes M and returns true. The loads of the tables need not wait, because that kernel only
 * reads them. */
template <typename Sample> DEVICE bool follow_light(const CudaForeground &f,
                                                    Samples16<Sample> &mean)
{
    if (f.light == NULL)
        return false;
    wait_for_last();
    const bool changed = f.light->changed != 0;
    if (changed)
        change_tone<Sample>(f, mean);
    return changed;
}

/* Moves `from` towards `to` by at most `step`. */
DEVICE uint32_t approach(const uint32_t from, const uint32_t to, const uint32_t step)
{
    return to > from ? from + min(to - from, step) : from - min(from - to, step);
}

/* Updates M, then V, from the value. */
DEVICE void update_pixel(const CudaForeground &f, const uint32_t value, uint32_t &m, uint32_t &v)
{
    m = approach(m, value, f.step);
    const uint32_t noise = f.noise_factor * (max(value, m) - min(value, m));
    v = min(max(approach(v, noise, f.step), f.contrast), f.max_variation);
}

DEVICE bool is_foreground(const CudaForeground &f, const uint32_t value, const uint32_t m,
                          const uint32_t v)
{
    return max(value, m) - min(value, m) >= max(v, f.contrast);
}

struct SigmaDelta {
    static constexpr bool learns = true;

    template <typename Sample>
    DEVICE uint32_t bits(const CudaImage &image, const CudaForeground &f, const Unit &u)
    {
        const Samples16<Sample> samples = load_unit<Sample>(image, u);
        Samples16<Sample> mean = {}, variation = {}, new_mean = {}, new_variation = {};
        if (!f.first) {
            mean = load_background<Sample>(f, f.reference, u);
            variation = load_background<Sample>(f, f.stored, u);
        }
        const bool lit = follow_light<Sample>(f, mean);
        uint32_t bits = 0;
#pragma unroll
        for (uint32_t i = 0; i < CCA_PASS_PIXELS; i++) {
            const uint32_t value = value_of<Sample>(image, f.drop, get<Sample>(samples, i));
            uint32_t m = f.first ? value : get<Sample>(mean, i);
            uint32_t v = f.first ? f.contrast : get<Sample>(variation, i);
            if (f.due && !f.first)
                update_pixel(f, value, m, v);
            bits |= (uint32_t) is_foreground(f, value, m, v) << i;
            set<Sample>(new_mean, i, m);
            set<Sample>(new_variation, i, v);
        }
        if (f.due || lit)
            store_background<Sample>(f, f.reference, u, new_mean);
        if (f.due)
            store_background<Sample>(f, f.stored, u, new_variation);
        return f.first ? 0 : bits;
    }
};

/* Moves M, then V, of four bytes by a step of 1; V may leave its range downwards. V is never 0,
 * and saturates at 255 as the noise does. */
DEVICE void update_4(const CudaForeground &f, const uint32_t values, uint32_t &m, uint32_t &v)
{
    m = step_towards_4(m, values);
    const uint32_t o = difference_4(values, m);
    uint32_t noise = o;
    for (uint32_t n = 1; n < f.noise_factor; n++)
        noise = add_4(noise, o);
    v = step_towards_4(v, noise);
}

/* SigmaDelta for bytes and a step of 1, on four bytes at a time. */
struct SigmaDeltaBytes {
    static constexpr bool learns = true;

    template <typename Sample>
    DEVICE uint32_t bits(const CudaImage &image, const CudaForeground &f, const Unit &u)
    {
        const Samples16<Sample> values = load_unit<Sample>(image, u);
        const uint32_t contrast = f.contrast * ONES;
        Samples16<Sample> mean, variation;
        uint4 over = {};
        bool lit = false;
        if (f.first) {
            mean = values;
            variation = { { contrast, contrast, contrast, contrast } };
        } else {
            mean = load_background<Sample>(f, f.reference, u);
            variation = load_background<Sample>(f, f.stored, u);
            lit = follow_light<Sample>(f, mean);
            uint32_t *const words[4] = { &over.x, &over.y, &over.z, &over.w };
#pragma unroll
            for (uint32_t i = 0; i < 4; i++) {
                uint32_t &m = mean.w[i], &v = variation.w[i];
                if (f.due)
                    update_4(f, values.w[i], m, v);
                v = max_4(v, contrast);
                *words[i] = compare_ge_4(difference_4(values.w[i], m), v);
            }
        }
        if (f.due || lit)
            store_background<Sample>(f, f.reference, u, mean);
        if (f.due)
            store_background<Sample>(f, f.stored, u, variation);
        return gather_tops(over);
    }
};

/* The top bit of a byte of votes: e. */
#define OLD_BIT (CCA_MAX_VOTES + 1)

/* Returns four q, each increased by 2 in ticks. */
DEVICE uint32_t gain_4(const CudaForeground &f, const uint32_t q)
{
    const uint32_t sums = q + 2 * f.tick * ONES, full = spread_4(sums & TOP_BITS);
    return (sums | full) & ~TOP_BITS;
}

/* The background of a lane's pixels, with votes. */
template <typename Sample> struct Voters {
    Samples16<Sample> mean, variation, candidate;
    Samples16<uint8_t> votes;
};

/* For any sample and step. */
struct PixelVotes {
    template <typename Sample>
    DEVICE uint32_t find(const CudaForeground &f, const Samples16<Sample> &values,
                         const Voters<Sample> &b)
    {
        uint32_t bits = 0;
#pragma unroll
        for (uint32_t i = 0; i < CCA_PASS_PIXELS; i++)
            bits |= (uint32_t) is_foreground(f, get<Sample>(values, i), get<Sample>(b.mean, i),
                                             get<Sample>(b.variation, i))
                    << i;
        return bits;
    }

    /* Requires that no pixel is foreground. */
    template <typename Sample>
    DEVICE void update_all(const CudaForeground &f, const Samples16<Sample> &values,
                           Voters<Sample> &b)
    {
        Samples16<Sample> mean = {}, variation = {};
#pragma unroll
        for (uint32_t i = 0; i < CCA_PASS_PIXELS; i++) {
            uint32_t m = get<Sample>(b.mean, i), v = get<Sample>(b.variation, i);
            update_pixel(f, get<Sample>(values, i), m, v);
            set<Sample>(mean, i, m);
            set<Sample>(variation, i, v);
        }
        b.mean = mean;
        b.variation = variation;
    }

    /* Returns `bits`, less the pixels whose candidate became the background. */
    template <typename Sample>
    DEVICE uint32_t vote(const CudaForeground &f, const Samples16<Sample> &values, uint32_t bits,
                         Voters<Sample> &b)
    {
        Voters<Sample> next = {};
#pragma unroll
        for (uint32_t i = 0; i < CCA_PASS_PIXELS; i++) {
            const uint32_t value = get<Sample>(values, i), n = get<uint8_t>(b.votes, i);
            uint32_t m = get<Sample>(b.mean, i), v = get<Sample>(b.variation, i);
            uint32_t k = get<Sample>(b.candidate, i), q = n % OLD_BIT, e = n / OLD_BIT;
            const bool found = bits >> i & 1;
            if (found && max(value, k) - min(value, k) < f.contrast) {
                k = approach(k, value, f.step);
                const uint32_t cost = e ? CCA_RETURN_VOTES : f.tick;
                q -= min(q, cost);
                if (cost > 0 && q == 0) {
                    const uint32_t old = m;
                    m = k;
                    k = old;
                    v = f.contrast;
                    q = e ? CCA_MAX_VOTES : 0;
                    e = !e && f.settled;
                    bits &= ~(1u << i);
                }
            } else {
                if (!found)
                    q = min(q + 2 * f.tick, (uint32_t) CCA_MAX_VOTES);
                if (found && (!e || f.hold)) {
                    k = value;
                    e = 0;
                }
                if (f.due)
                    update_pixel(f, value, m, v);
            }
            set<Sample>(next.mean, i, m);
            set<Sample>(next.variation, i, v);
            set<Sample>(next.candidate, i, k);
            set<uint8_t>(next.votes, i, q | e * OLD_BIT);
        }
        b = next;
        return bits;
    }
};

/* The same for bytes and a step of 1, on four bytes at a time. */
struct ByteVotes {
    DEVICE uint32_t find(const CudaForeground &f, const Samples16<uint8_t> &values,
                         const Voters<uint8_t> &b)
    {
        uint32_t over[4];
#pragma unroll
        for (uint32_t i = 0; i < 4; i++)
            over[i] = compare_ge_4(difference_4(values.w[i], b.mean.w[i]),
                                   max_4(b.variation.w[i], f.contrast * ONES));
        return gather_tops(make_uint4(over[0], over[1], over[2], over[3]));
    }

    DEVICE void update_all(const CudaForeground &f, const Samples16<uint8_t> &values,
                           Voters<uint8_t> &b)
    {
#pragma unroll
        for (uint32_t i = 0; i < 4; i++) {
            update_4(f, values.w[i], b.mean.w[i], b.variation.w[i]);
            b.variation.w[i] = max_4(b.variation.w[i], f.contrast * ONES);
        }
    }

    DEVICE uint32_t vote(const CudaForeground &f, const Samples16<uint8_t> &values, const uint32_t,
                         Voters<uint8_t> &b)
    {
        uint32_t over[4];
#pragma unroll
        for (uint32_t i = 0; i < 4; i++)
            over[i] = vote_4(f, values.w[i], b.mean.w[i], b.variation.w[i], b.candidate.w[i],
                             b.votes.w[i]);
        return gather_tops(make_uint4(over[0], over[1], over[2], over[3]));
    }

    /* Returns bit 7 of the bytes that remain foreground. */
    DEVICE uint32_t vote_4(const CudaForeground &f, const uint32_t values, uint32_t &mean,
                           uint32_t &variation, uint32_t &candidate, uint32_t &votes)
    {
        const uint32_t contrast = f.contrast * ONES, tick = 0 - f.tick, hold = 0 - f.hold;
        const uint32_t over = compare_ge_4(difference_4(values, mean), max_4(variation, contrast));
        const uint32_t found = spread_4(over);
        const uint32_t moved = found &
                               spread_4(compare_ge_4(difference_4(values, candidate), contrast));
        const uint32_t still = found & ~moved;
        const uint32_t q = votes & ~TOP_BITS, e = spread_4(votes & TOP_BITS);

        uint32_t k = choose_4(still, step_towards_4(candidate, values), candidate);
        k = choose_4(moved & (~e | hold), values, k);
        uint32_t m = mean, v = variation;
        if (f.due) {
            update_4(f, values, m, v);
            m = choose_4(still, mean, m);
            v = choose_4(still, variation, max_4(v, contrast));
        }

        const uint32_t cost = choose_4(e, CCA_RETURN_VOTES * ONES, tick & ONES);
        const uint32_t left = max_4(q, cost) - cost;
        const uint32_t swaps = still & (e | tick) & spread_4(compare_ge_4(cost, q));
        const uint32_t kept = choose_4(found, q, gain_4(f, q));
        const uint32_t new_q = choose_4(swaps, e & ~TOP_BITS, choose_4(still, left, kept));
        const uint32_t new_e = choose_4(swaps, ~e & (0 - f.settled), e & ~(moved & hold));
        mean = choose_4(swaps, k, m);
        variation = choose_4(swaps, contrast, v);
        candidate = choose_4(swaps, m, k);
        votes = new_q | (new_e & TOP_BITS);
        return over & ~swaps;
    }
};

/* SigmaDelta with votes. To save bandwidth, lanes without foreground access votes in ticks only and
 * no candidates. */
template <typename How> struct SigmaDeltaVotes {
    static constexpr bool learns = true;

    template <typename Sample>
    DEVICE uint32_t bits(const CudaImage &image, const CudaForeground &f, const Unit &u)
    {
        const Samples16<Sample> samples = load_unit<Sample>(image, u);
        Samples16<Sample> values = {};
#pragma unroll
        for (uint32_t i = 0; i < CCA_PASS_PIXELS; i++)
            set<Sample>(values, i, value_of<Sample>(image, f.drop, get<Sample>(samples, i)));
        if (f.first)
            return begin<Sample>(f, u, values);

        Voters<Sample> b;
        b.mean = load_background<Sample>(f, f.reference, u);
        b.variation = load_background<Sample>(f, f.stored, u);
        const bool lit = follow_light<Sample>(f, b.mean);
        const uint32_t bits = How::find(f, values, b);
        if (bits == 0) {
            confirm<Sample>(f, u, values, b, lit);
            return 0;
        }
        b.candidate = load_background<Sample>(f, f.candidate, u);
        if (lit)
            change_tone<Sample>(f, b.candidate);
        b.votes = load_background<uint8_t>(f, f.votes, u);
        const uint32_t left = How::vote(f, values, bits, b);
        if (f.due || lit || left != bits)
            store_model<Sample>(f, u, b);
        store_background<Sample>(f, f.candidate, u, b.candidate);
        store_background<uint8_t>(f, f.votes, u, b.votes);
        return left;
    }

    template <typename Sample>
    DEVICE void store_model(const CudaForeground &f, const Unit &u, const Voters<Sample> &b)
    {
        store_background<Sample>(f, f.reference, u, b.mean);
        store_background<Sample>(f, f.stored, u, b.variation);
    }

    template <typename Sample> DEVICE uint32_t begin(const CudaForeground &f, const Unit &u,
                                                     const Samples16<Sample> &values)
    {
        Samples16<Sample> contrast = {};
#pragma unroll
        for (uint32_t i = 0; i < CCA_PASS_PIXELS; i++)
            set<Sample>(contrast, i, f.contrast);
        store_background<Sample>(f, f.reference, u, values);
        store_background<Sample>(f, f.stored, u, contrast);
        store_background<Sample>(f, f.candidate, u, values);
        store_background<uint8_t>(f, f.votes, u, {});
        return 0;
    }

    /* Updates the background of a lane without foreground. */
    template <typename Sample>
    DEVICE void confirm(const CudaForeground &f, const Unit &u, const Samples16<Sample> &values,
                        Voters<Sample> &b, const bool lit)
    {
        if (lit) {
            b.candidate = load_background<Sample>(f, f.candidate, u);
            change_tone<Sample>(f, b.candidate);
            store_background<Sample>(f, f.candidate, u, b.candidate);
        }
        if (f.tick) {
            b.votes = load_background<uint8_t>(f, f.votes, u);
#pragma unroll
            for (uint32_t i = 0; i < 4; i++)
                b.votes.w[i] = gain_4(f, b.votes.w[i] & ~TOP_BITS) | (b.votes.w[i] & TOP_BITS);
            store_background<uint8_t>(f, f.votes, u, b.votes);
        }
        if (f.due)
            How::update_all(f, values, b);
        if (f.due || lit)
            store_model<Sample>(f, u, b);
    }
};

/* The lane's pixels of the region of interest. */
DEVICE uint32_t region_bits(const CudaForeground &f, const Unit &u)
{
    if (u.y - f.roi_y >= f.roi_height)
        return 0;
    const int32_t left = (int32_t) f.roi_x - (int32_t) u.x;
    const int32_t first = iclip(left, 0, CCA_PASS_PIXELS);
    const int32_t end = iclip(left + (int32_t) f.roi_width, 0, CCA_PASS_PIXELS);
    return (1u << end) - (1u << first);
}

/* Adds the pixels of the lanes of all blocks. The last block that arrives reports the sum. Called
 * by all threads of a block. */
DEVICE void count_foreground(const CudaForeground &f, const uint32_t bits)
{
    __shared__ uint32_t n_block;
    if (threadIdx.x == 0)
        n_block = 0;
    __syncthreads();
    const uint32_t n_warp = warp_sum((uint32_t) __popc(bits));
    if (threadIdx.x % WARP == 0 && n_warp > 0)
        atomicAdd(&n_block, n_warp);
    __syncthreads();
    if (threadIdx.x > 0)
        return;
    const unsigned long long mine = 1ull << 32 | n_block;
    const unsigned long long all = atomicAdd((unsigned long long *) f.count, mine) + mine;
    if (all >> 32 < gridDim.x)
        return;
    *f.n_foreground = (uint32_t) all;
    *f.count = 0;
}

/* Grid: one thread for each half word of the mask. */
template <typename Mode, typename Sample>
DEVICE void write_mask(const CudaImage &image, const CudaForeground &f)
{
    const uint32_t row_units = 2 * f.row_words, i = blockIdx.x * CCA_PASS_THREADS + threadIdx.x;
    const Unit u = unit_at(image, i, row_units);
    uint32_t bits = 0;
    if (u.y < image.height) {
        const uint32_t working = working_bits(image, u);
        if (Mode::learns ? u.n > 0 : working != 0)
            bits = Mode::template bits<Sample>(image, f, u) & working;
        /* GPUs are little endian: the left half of a word is the low one. */
        ((uint16_t *) f.mask)[i] = (uint16_t) ((bits ^ (0 - image.invert)) & working);
    }
    if (Mode::learns && f.counts)
        count_foreground(f, bits & region_bits(f, u));
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
MASK_KERNEL(cca_mask_votes_8, begin_first, SigmaDeltaVotes<PixelVotes>, uint8_t)
MASK_KERNEL(cca_mask_votes_16, begin_first, SigmaDeltaVotes<PixelVotes>, uint16_t)
MASK_KERNEL(cca_mask_votes_8_unit, begin_first, SigmaDeltaVotes<ByteVotes>, uint8_t)
