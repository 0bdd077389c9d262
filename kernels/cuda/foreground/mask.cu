/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Computes the foreground mask as CcaForeground defines it. M and V are updated in place, which
 * is safe because each pixel belongs to one lane. */

#include "background.cuh"
#include "bytes.cuh"
#include "light.cuh"

/* --- modes that learn ------------------------------------------------------ */

/* Applies a tone curve to the lane's values. */
template <typename Sample>
DEVICE void change_tone(const CudaForeground &f, const int8_t *const curve,
                        Samples16<Sample> &values)
{
    const int32_t top = sizeof(Sample) == 1 ? UINT8_MAX : UINT16_MAX >> f.drop;
    Samples16<Sample> changed = {};
#pragma unroll
    for (uint32_t i = 0; i < CCA_PASS_PIXELS; i++) {
        const uint32_t v = get<Sample>(values, i);
        const int32_t c = curve[tone_of<Sample>(f, v)];
        set<Sample>(changed, i, (uint32_t) iclip((int32_t) v + (int32_t) f.step * c, 0, top));
    }
    values = changed;
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

/* Parts of a background that must be stored. */
enum Changed { MEAN = 1, VARIATION = 2, CANDIDATE = 4, VOTES = 8 };

/* A lane's samples and its background. */
template <typename Sample> struct Learnt {
    Samples16<Sample> samples, mean, variation, candidate;
    Samples16<uint8_t> votes;
    uint32_t changed;
};

template <typename Sample>
DEVICE Learnt<Sample> load_learnt(const CudaImage &image, const CudaForeground &f, const Unit &u)
{
    Learnt<Sample> b = {};
    b.samples = load_unit<Sample>(image, u);
    if (!f.first) {
        b.mean = load_background<Sample>(f, f.reference, u);
        b.variation = load_background<Sample>(f, f.stored, u);
    }
    return b;
}

template <typename Sample>
DEVICE void store_learnt(const CudaForeground &f, const Unit &u, const Learnt<Sample> &b)
{
    if (b.changed & MEAN)
        store_background<Sample>(f, f.reference, u, b.mean);
    if (b.changed & VARIATION)
        store_background<Sample>(f, f.stored, u, b.variation);
    if (b.changed & CANDIDATE)
        store_background<Sample>(f, f.candidate, u, b.candidate);
    if (b.changed & VOTES)
        store_background<uint8_t>(f, f.votes, u, b.votes);
}

/* update() of each of the following modes returns one bit for each pixel of the lane, and updates
 * its background; it loads candidates and votes itself where it needs them, and stores nothing.
 * Bits past the end of the row are undefined, and `invert` is applied later. `curve` is the tone
 * curve, or NULL. */

/* The frame becomes the background of a later one. */
struct Difference {
    template <typename Sample>
    DEVICE uint32_t update(const CudaImage &image, const CudaForeground &f, const Unit &,
                           Learnt<Sample> &b, const int8_t *)
    {
        Samples16<Sample> now = {};
        uint32_t bits = 0;
#pragma unroll
        for (uint32_t i = 0; i < CCA_PASS_PIXELS; i++) {
            const uint32_t v = value_of<Sample>(image, f.drop, get<Sample>(b.samples, i));
            const uint32_t r = get<Sample>(b.mean, i);
            bits |= (uint32_t) (max(v, r) - min(v, r) >= f.contrast) << i;
            set<Sample>(now, i, v);
        }
        b.variation = now;
        b.changed = VARIATION;
        return f.first ? 0 : bits;
    }
};

/* The parts that sigma-delta without votes must store. */
DEVICE uint32_t model_changes(const CudaForeground &f, const int8_t *const curve)
{
    return f.due ? MEAN | VARIATION : curve != NULL ? MEAN : 0;
}

struct SigmaDelta {
    template <typename Sample>
    DEVICE uint32_t update(const CudaImage &image, const CudaForeground &f, const Unit &,
                           Learnt<Sample> &b, const int8_t *const curve)
    {
        Samples16<Sample> mean = {}, variation = {};
        if (curve != NULL)
            change_tone<Sample>(f, curve, b.mean);
        uint32_t bits = 0;
#pragma unroll
        for (uint32_t i = 0; i < CCA_PASS_PIXELS; i++) {
            const uint32_t value = value_of<Sample>(image, f.drop, get<Sample>(b.samples, i));
            uint32_t m = f.first ? value : get<Sample>(b.mean, i);
            uint32_t v = f.first ? f.contrast : get<Sample>(b.variation, i);
            if (f.due && !f.first)
                update_pixel(f, value, m, v);
            bits |= (uint32_t) is_foreground(f, value, m, v) << i;
            set<Sample>(mean, i, m);
            set<Sample>(variation, i, v);
        }
        b.mean = mean;
        b.variation = variation;
        b.changed = model_changes(f, curve);
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
    template <typename Sample>
    DEVICE uint32_t update(const CudaImage &, const CudaForeground &f, const Unit &,
                           Learnt<Sample> &b, const int8_t *const curve)
    {
        const uint32_t contrast = f.contrast * ONES;
        uint4 over = {};
        if (f.first) {
            b.mean = b.samples;
            b.variation = { { contrast, contrast, contrast, contrast } };
        } else {
            if (curve != NULL)
                change_tone<Sample>(f, curve, b.mean);
            uint32_t *const words[4] = { &over.x, &over.y, &over.z, &over.w };
#pragma unroll
            for (uint32_t i = 0; i < 4; i++) {
                uint32_t &m = b.mean.w[i], &v = b.variation.w[i];
                if (f.due)
                    update_4(f, b.samples.w[i], m, v);
                v = max_4(v, contrast);
                *words[i] = compare_ge_4(difference_4(b.samples.w[i], m), v) & TOP_BITS;
            }
        }
        b.changed = model_changes(f, curve);
        return gather_tops(over);
    }
};

/* The top bit of a byte of votes: e. */
#define OLD_BIT (CCA_MAX_VOTES + 1)

/* Returns four q, each increased by 2 in ticks. */
DEVICE uint32_t gain_4(const CudaForeground &f, const uint32_t q)
{
    const uint32_t sums = q + 2 * f.tick * ONES;
    return (sums | spread_tops(sums)) & ~TOP_BITS;
}

/* Whether the candidate of a pixel is its previous background. */
DEVICE bool has_returns(const Samples16<uint8_t> &votes)
{
    return ((votes.w[0] | votes.w[1] | votes.w[2] | votes.w[3]) & TOP_BITS) != 0;
}

/* For any sample and step. */
struct PixelVotes {
    template <typename Sample>
    DEVICE uint32_t find(const CudaForeground &f, const Samples16<Sample> &values,
                         const Learnt<Sample> &b)
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
                           Learnt<Sample> &b)
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

    /* vote() if only candidates change: no votes are counted, the background is not due, and no
     * candidate is the previous background. */
    template <typename Sample>
    DEVICE void follow(const CudaForeground &f, const Samples16<Sample> &values,
                       const uint32_t bits, Learnt<Sample> &b)
    {
        Samples16<Sample> candidate = {};
#pragma unroll
        for (uint32_t i = 0; i < CCA_PASS_PIXELS; i++) {
            const uint32_t value = get<Sample>(values, i);
            uint32_t k = get<Sample>(b.candidate, i);
            if (bits >> i & 1)
                k = max(value, k) - min(value, k) < f.contrast ? approach(k, value, f.step) : value;
            set<Sample>(candidate, i, k);
        }
        b.candidate = candidate;
    }

    /* Returns `bits`, less the pixels whose candidate became the background. */
    template <typename Sample>
    DEVICE uint32_t vote(const CudaForeground &f, const Samples16<Sample> &values, uint32_t bits,
                         Learnt<Sample> &b)
    {
        Learnt<Sample> next = {};
        next.samples = b.samples;
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
    /* Bit 7 of the bytes that are foreground. The other bits are undefined. */
    DEVICE uint32_t find_4(const CudaForeground &f, const uint32_t values, const uint32_t mean,
                           const uint32_t variation)
    {
        return compare_ge_4(difference_4(values, mean), max_4(variation, f.contrast * ONES));
    }

    DEVICE uint32_t find(const CudaForeground &f, const Samples16<uint8_t> &values,
                         const Learnt<uint8_t> &b)
    {
        uint32_t found[4];
#pragma unroll
        for (uint32_t i = 0; i < 4; i++)
            found[i] = find_4(f, values.w[i], b.mean.w[i], b.variation.w[i]) & TOP_BITS;
        return gather_tops(make_uint4(found[0], found[1], found[2], found[3]));
    }

    DEVICE void update_all(const CudaForeground &f, const Samples16<uint8_t> &values,
                           Learnt<uint8_t> &b)
    {
#pragma unroll
        for (uint32_t i = 0; i < 4; i++) {
            update_4(f, values.w[i], b.mean.w[i], b.variation.w[i]);
            b.variation.w[i] = max_4(b.variation.w[i], f.contrast * ONES);
        }
    }

    DEVICE void follow(const CudaForeground &f, const Samples16<uint8_t> &values, const uint32_t,
                       Learnt<uint8_t> &b)
    {
#pragma unroll
        for (uint32_t i = 0; i < 4; i++) {
            const uint32_t v = values.w[i], k = b.candidate.w[i];
            const uint32_t found = spread_tops(find_4(f, v, b.mean.w[i], b.variation.w[i]));
            const uint32_t moved = mask_ge_4(difference_4(v, k), f.contrast * ONES);
            b.candidate.w[i] = choose_4(found, choose_4(moved, v, step_towards_4(k, v)), k);
        }
    }

    DEVICE uint32_t vote(const CudaForeground &f, const Samples16<uint8_t> &values, const uint32_t,
                         Learnt<uint8_t> &b)
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
        const uint32_t found = spread_tops(find_4(f, values, mean, variation));
        const uint32_t moved = found & mask_ge_4(difference_4(values, candidate), contrast);
        const uint32_t still = found & ~moved;
        const uint32_t q = votes & ~TOP_BITS, e = spread_tops(votes);

        uint32_t k = choose_4(still, step_towards_4(candidate, values), candidate);
        k = choose_4(moved & (~e | hold), values, k);
        uint32_t m = mean, v = variation;
        if (f.due) {
            update_4(f, values, m, v);
            m = choose_4(still, mean, m);
            v = choose_4(still, variation, max_4(v, contrast));
        }

        const uint32_t cost = choose_4(e, CCA_RETURN_VOTES * ONES, tick & ONES);
        const uint32_t rest = (q | TOP_BITS) - cost; /* bit 7: q >= cost */
        const uint32_t left = rest & spread_tops(rest) & ~TOP_BITS;
        const uint32_t swaps = still & (e | tick) & spread_tops((cost | TOP_BITS) - q);
        const uint32_t kept = choose_4(found, q, gain_4(f, q));
        const uint32_t new_q = choose_4(swaps, e & ~TOP_BITS, choose_4(still, left, kept));
        const uint32_t new_e = choose_4(swaps, ~e & (0 - f.settled), e & ~(moved & hold));
        mean = choose_4(swaps, k, m);
        variation = choose_4(swaps, contrast, v);
        candidate = choose_4(swaps, m, k);
        votes = new_q | (new_e & TOP_BITS);
        return found & ~swaps & TOP_BITS;
    }
};

/* SigmaDelta with votes. To save bandwidth, lanes without foreground access votes in ticks only and
 * no candidates, and votes that cannot have changed are not stored. */
template <typename How> struct SigmaDeltaVotes {
    template <typename Sample>
    DEVICE uint32_t update(const CudaImage &image, const CudaForeground &f, const Unit &u,
                           Learnt<Sample> &b, const int8_t *const curve)
    {
        Samples16<Sample> values = {};
#pragma unroll
        for (uint32_t i = 0; i < CCA_PASS_PIXELS; i++)
            set<Sample>(values, i, value_of<Sample>(image, f.drop, get<Sample>(b.samples, i)));
        if (f.first)
            return begin<Sample>(f, values, b);
        if (curve != NULL)
            change_tone<Sample>(f, curve, b.mean);
        const uint32_t bits = How::find(f, values, b);
        b.changed = f.due || curve != NULL ? MEAN | VARIATION : 0;
        if (bits == 0) {
            confirm<Sample>(f, u, values, b, curve);
            return 0;
        }
        b.candidate = load_background<Sample>(f, f.candidate, u);
        if (curve != NULL)
            change_tone<Sample>(f, curve, b.candidate);
        b.votes = load_background<uint8_t>(f, f.votes, u);
        const uint32_t changed = b.changed | CANDIDATE;
        if (!f.tick && !f.due && !has_returns(b.votes)) {
            How::follow(f, values, bits, b);
            b.changed = changed;
            return bits;
        }
        const uint32_t left = How::vote(f, values, bits, b);
        b.changed = changed | VOTES | (left != bits ? MEAN | VARIATION : 0);
        return left;
    }

    template <typename Sample>
    DEVICE uint32_t begin(const CudaForeground &f, const Samples16<Sample> &values,
                          Learnt<Sample> &b)
    {
        b.mean = b.candidate = values;
#pragma unroll
        for (uint32_t i = 0; i < CCA_PASS_PIXELS; i++)
            set<Sample>(b.variation, i, f.contrast);
        b.changed = MEAN | VARIATION | CANDIDATE | VOTES;
        return 0;
    }

    /* Updates the background of a lane without foreground. */
    template <typename Sample>
    DEVICE void confirm(const CudaForeground &f, const Unit &u, const Samples16<Sample> &values,
                        Learnt<Sample> &b, const int8_t *const curve)
    {
        if (curve != NULL) {
            b.candidate = load_background<Sample>(f, f.candidate, u);
            change_tone<Sample>(f, curve, b.candidate);
            b.changed |= CANDIDATE;
        }
        if (f.tick) {
            b.votes = load_background<uint8_t>(f, f.votes, u);
#pragma unroll
            for (uint32_t i = 0; i < 4; i++)
                b.votes.w[i] = gain_4(f, b.votes.w[i] & ~TOP_BITS) | (b.votes.w[i] & TOP_BITS);
            b.changed |= VOTES;
        }
        if (f.due)
            How::update_all(f, values, b);
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

/* Adds the lanes' numbers of pixels in all blocks. The last block that arrives reports the sum.
 * Called by all threads of a block. */
DEVICE void count_foreground(const CudaForeground &f, const uint32_t n)
{
    __shared__ uint32_t n_block;
    if (threadIdx.x == 0)
        n_block = 0;
    __syncthreads();
    const uint32_t n_warp = warp_sum(n);
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

DEVICE void store_bits(const CudaImage &image, const CudaForeground &f, const uint32_t i,
                       const uint32_t bits, const uint32_t working)
{
    /* GPUs are little endian: the left half of a word is the low one. */
    ((uint16_t *) f.mask)[i] = (uint16_t) ((bits ^ (0 - image.invert)) & working);
}

/* Grid: one thread for each half word of the mask. */
template <typename Mode, typename Sample>
DEVICE void write_mask(const CudaImage &image, const CudaForeground &f)
{
    const uint32_t row_units = 2 * f.row_words, i = blockIdx.x * CCA_PASS_THREADS + threadIdx.x;
    const Unit u = unit_at(image, i, row_units);
    uint32_t bits = 0;
    if (u.y < image.height) {
        const bool reads = u.n > 0 &&
                           (!f.skips || (working_bits(image, u) & region_bits(f, u)) != 0);
        Learnt<Sample> b = {};
        if (reads)
            b = load_learnt<Sample>(image, f, u);
        const uint32_t working = working_bits(image, u);
        if (reads) {
            bits = working & Mode::template update<Sample>(image, f, u, b, NULL);
            store_learnt<Sample>(f, u, b);
        }
        store_bits(image, f, i, bits, working);
    }
    if (f.counts)
        count_foreground(f, (uint32_t) __popc(bits & region_bits(f, u)));
}

/* The same with compensation of light. The background is updated as if light had not changed, which
 * hides the wait for the blocks that count, and again if it has. Until then nothing is stored. */
template <typename Mode, typename Sample>
DEVICE void write_lit_mask(const CudaImage &image, const CudaForeground &f)
{
    __shared__ LightBlock block;
    const uint32_t row_units = 2 * f.row_words;
    const Unit u = light_unit_at(image, blockIdx.x * CCA_PASS_THREADS + threadIdx.x, row_units);
    const bool has_pixels = u.y < image.height && u.n > 0;
    Learnt<Sample> b = {};
    uint32_t bits = 0;
    if (has_pixels)
        b = load_learnt<Sample>(image, f, u);
    const uint32_t working = u.y < image.height ? working_bits(image, u) : 0;
    if (blockIdx.x < f.light_blocks)
        count_part<Sample>(image, f, u, b.samples, b.mean, block.part);
    if (has_pixels)
        bits = Mode::template update<Sample>(image, f, u, b, NULL);
    const int8_t *const curve = find_curve<Sample>(image, f, block);
    if (curve != NULL && has_pixels) {
        b = load_learnt<Sample>(image, f, u);
        bits = Mode::template update<Sample>(image, f, u, b, curve);
    }
    if (has_pixels)
        store_learnt<Sample>(f, u, b);
    if (blockIdx.x < f.light_blocks)
        clear_next(f);
    if (u.y < image.height) {
        bits &= working;
        store_bits(image, f, u.y * row_units + u.x / CCA_PASS_PIXELS, bits, working);
    }
    if (f.counts)
        count_foreground(f, (uint32_t) __popc(bits & region_bits(f, u)));
}

/* `blocks` is the minimum per multiprocessor. */
#define MASK_KERNEL(name, Mode, Sample, blocks)                            \
    extern "C" __global__ void __launch_bounds__(CCA_PASS_THREADS, blocks) \
        name(const CudaImage image, const CudaForeground foreground)       \
    {                                                                      \
        begin_first();                                                     \
        write_mask<Mode, Sample>(image, foreground);                       \
    }

MASK_KERNEL(cca_mask_difference_8, Difference, uint8_t, 5)
MASK_KERNEL(cca_mask_difference_16, Difference, uint16_t, 5)
#define LEARNING_KERNELS(name, Mode, Sample, blocks)                           \
    MASK_KERNEL(cca_mask_##name, Mode, Sample, blocks)                         \
    extern "C" __global__ void __launch_bounds__(CCA_PASS_THREADS)             \
        cca_lit_##name(const CudaImage image, const CudaForeground foreground) \
    {                                                                          \
        begin_first();                                                         \
        write_lit_mask<Mode, Sample>(image, foreground);                       \
    }

LEARNING_KERNELS(sigma_delta_8, SigmaDelta, uint8_t, 5)
LEARNING_KERNELS(sigma_delta_16, SigmaDelta, uint16_t, 5)
LEARNING_KERNELS(sigma_delta_8_unit, SigmaDeltaBytes, uint8_t, 1)
LEARNING_KERNELS(votes_8, SigmaDeltaVotes<PixelVotes>, uint8_t, 1)
LEARNING_KERNELS(votes_16, SigmaDeltaVotes<PixelVotes>, uint16_t, 1)
LEARNING_KERNELS(votes_8_unit, SigmaDeltaVotes<ByteVotes>, uint8_t, 5)

/* --- thresholds ------------------------------------------------------------ */

/* Grid: one thread for each word of the mask. Only pixels of the working set are loaded. */
template <typename Sample>
DEVICE void compare_with_threshold(const CudaImage &image, const CudaForeground &f)
{
    constexpr uint32_t half = CCA_PASS_PIXELS;
    const uint32_t i = blockIdx.x * CCA_PASS_THREADS + threadIdx.x, y = i / f.row_words;
    const uint32_t x = (i - y * f.row_words) * WARP, n = min(image.width - x, (uint32_t) WARP);
    if (y >= image.height)
        return;
    const uint32_t working = working_bits(image, x, y, n);
    uint32_t bits = 0;
    if (working != 0 && image.low <= UINT16_MAX) {
        const uint32_t n_left = min(n, half);
        const Samples16<Sample> left = load_unit<Sample>(image, { x, y, n_left });
        const Samples16<Sample> right = load_unit<Sample>(image, { x + half, y, n - n_left });
        bits = pack16(image, pixels_of<Sample>(right)) << half;
        bits |= pack16(image, pixels_of<Sample>(left));
    }
    f.mask[i] = (bits ^ (0 - image.invert)) & working;
}

#define THRESHOLD_KERNELS(Sample, bits)                                          \
    extern "C" __global__ void __launch_bounds__(CCA_PASS_THREADS)               \
        cca_mask_threshold_##bits(const CudaImage image, const CudaForeground f) \
    {                                                                            \
        begin_first();                                                           \
        compare_with_threshold<Sample>(image, f);                                \
    }                                                                            \
    extern "C" __global__ void __launch_bounds__(CCA_PASS_THREADS)               \
        cca_mask_otsu_##bits(const CudaImage image, const CudaForeground f)      \
    {                                                                            \
        begin_dependent();                                                       \
        compare_with_threshold<Sample>(with_threshold(image), f);                \
    }

THRESHOLD_KERNELS(uint8_t, 8)
THRESHOLD_KERNELS(uint16_t, 16)
