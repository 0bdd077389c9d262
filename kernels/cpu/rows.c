/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Full-run labelling (FLSL, Lemaitre and Lacassagne, ICASSP 2021) on the CPU. For each row
 * it detects the runs, unites the labels above that the row connects, and labels the runs.
 * None of these steps depends on branches that are hard to predict. The label image is
 * written afterwards, word by word of the mask. Compiled once for each instruction
 * set. */

#include "simd.h"

/* --- runs: RLC and ER are the tables of FLSL, of edges and their ranks ------ */

/* Writes the positions of the bits of `edges`, and up to 16 undefined values after the
 * last one, which the next word overwrites. */
#if defined(__AVX512F__)

static inline uint32_t *write_edges(uint32_t *out, const uint64_t edges, const uint32_t x0)
{
    const __m512i lanes = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    for (uint32_t i = 0; i < 64; i += 16) {
        const __m512i x = _mm512_add_epi32(_mm512_set1_epi32((int) (x0 + i)), lanes);
        const __mmask16 some = (__mmask16) (edges >> i);
        _mm512_storeu_si512(out, _mm512_maskz_compress_epi32(some, x));
        out += __builtin_popcount(some);
    }
    return out;
}

#else

/* One branch for eight edges is predicted better than one for each. */
static inline uint32_t *write_edges(uint32_t *const out, uint64_t edges, const uint32_t x0)
{
    const int n = __builtin_popcountll(edges);
    for (int i = 0; i < n; i += 8) {
        for (int k = 0; k < 8; k++) {
            /* | 1 << 63: a count of trailing zeros of 0 is undefined */
            out[i + k] = x0 + (uint32_t) __builtin_ctzll(edges | UINT64_C(1) << 63);
            edges &= edges - 1;
        }
    }
    return out + n;
}

#endif

/* Computes RLC and ER from the bits of a row. Returns the number of runs. */
static inline uint32_t detect_runs(const uint64_t *const words, const CcaColumns columns,
                                   const uint32_t width, uint32_t *const edges,
                                   CpuRank *const ranks)
{
    uint32_t *out = edges;
    uint64_t carry = 0;
    for (size_t k = columns.first; k < columns.end; k++) {
        const uint64_t e = words[k] ^ (words[k] << 1 | carry);
        carry = words[k] >> 63;
        ranks[k] = (CpuRank) { e, (uint64_t) (out - edges) };
        if (e != 0)
            out = write_edges(out, e, 64 * (uint32_t) k);
    }
    /* for ranks at the row's end: an edge, if a run ends with a row of 64 k pixels */
    ranks[columns.end] = (CpuRank) { carry, (uint64_t) (out - edges) };
    *out = width;
    out += carry;
    *out = UINT32_MAX; /* end mark: the start of a run right of all others */
    return (uint32_t) (out - edges) / 2;
}

/* --- features ------------------------------------------------------------- */

#if defined(__AVX2__)

typedef __m256i Features;

COPIED Features load_features(const CpuFeatures *const f)
{
    return _mm256_loadu_si256((const __m256i *) f);
}

COPIED Features make_features(const CpuFeatures f)
{
    return _mm256_set_epi64x((long long) f.sum_y, (long long) f.sum_x,
                             (long long) ((uint64_t) f.area << 32 | f.end_y),
                             (long long) ((uint64_t) f.end_x << 32 | f.not_min_x));
}

/* The addition carries nothing from end_y into the area, because end_y has 31 bits. */
COPIED Features sum_features(const Features a, const Features b)
{
    return _mm256_blend_epi32(_mm256_max_epu32(a, b), _mm256_add_epi64(a, b), 0xf8);
}

COPIED void add_features(CpuFeatures *const to, const CpuFeatures *const from)
{
    _mm256_storeu_si256((__m256i *) to, sum_features(load_features(to), load_features(from)));
}

/* The label of the previous run and its features, in registers. If the next run has the same
 * label, it adds to these instead of waiting for the features that were just stored. */
typedef struct LastLabel {
    __m256i label; /* in all lanes */
    Features features;
} LastLabel;

#define NO_LAST_LABEL { _mm256_set1_epi32(-1), _mm256_setzero_si256() }

COPIED void add_run(CpuFeatures *const features, const uint32_t l, const CpuFeatures run,
                    LastLabel *const last)
{
    const __m256i label = _mm256_set1_epi32((int) l);
    const Features old = _mm256_blendv_epi8(load_features(&features[l]), last->features,
                                            _mm256_cmpeq_epi32(label, last->label));
    *last = (LastLabel) { label, sum_features(old, make_features(run)) };
    _mm256_storeu_si256((__m256i *) &features[l], last->features);
}

#else

COPIED void add_features(CpuFeatures *const to, const CpuFeatures *const from)
{
    cca_cpu_merge(to, from);
}

typedef struct LastLabel {
    char none;
} LastLabel;

#define NO_LAST_LABEL { 0 }

COPIED void add_run(CpuFeatures *const features, const uint32_t l, const CpuFeatures run,
                    LastLabel *const last)
{
    (void) last;
    cca_cpu_merge(&features[l], &run);
}

#endif

/* --- labelling ------------------------------------------------------------ */

static inline void unite(CpuLabel *const nodes, uint32_t *const left, uint32_t *const right)
{
    const uint32_t a = cca_cpu_find(nodes, *left), b = cca_cpu_find(nodes, *right);
    const uint32_t root = umin(a, b), other = umax(a, b);
    nodes[other].parent = root;
    *right = root;
}

/* Unites the labels of runs above that the same run of this row touches: those on both
 * sides of a gap that the foreground of this row covers. Without `corners` it must cover
 * the pixels next to the gap, too. The carry of an addition runs through the covered
 * pixels of a gap to the run at its end. */
static inline void unite_bridged(CpuLabel *const nodes, const CpuRow *const above,
                                 const CpuRow *const row, const bool corners)
{
    const CcaColumns both = cca_cpu_both(above, row);
    uint32_t *const labels = above->runs->labels;
    uint64_t carry = 0, before = 0;
    for (size_t k = both.first; k < both.end; k++) {
        const uint64_t a = above->words[k], b = row->words[k], edges = above->ranks[k].edges;
        const uint64_t left = b << 1 | before;
        before = b >> 63;
        if (edges == 0) {
            carry &= b == UINT64_MAX;
            continue;
        }
        const uint64_t covered = b & ~a;
        const uint64_t starts = edges & covered & (corners ? UINT64_MAX : left);
        uint64_t sum;
        const bool carried = __builtin_add_overflow(covered, starts, &sum);
        carry = __builtin_add_overflow(sum, carry, &sum) | carried;
        for (uint64_t ends = sum & a & (corners ? UINT64_MAX : b); ends != 0; ends &= ends - 1) {
            const uint64_t before_end = (ends & -ends) - 1;
            const uint64_t i =
                (above->ranks[k].before + (uint64_t) __builtin_popcountll(edges & before_end)) / 2;
            unite(nodes, &labels[i - 1], &labels[i]);
        }
    }
}

/* Gives each run of row y the label of the first run above that it touches, or a new
 * one, and adds the run to the label's features. Labels from `n_labels` on are free;
 * returns the first that still is. */
static inline uint32_t label_runs(const CpuLabels labels, const uint32_t n_labels, const uint32_t y,
                                  const CpuRuns *const runs, const CpuRow *const above,
                                  const uint32_t corner)
{
    const uint32_t *const edges = runs->edges, *const edges_above = above->runs->edges;
    const uint32_t *const labels_above = above->runs->labels;
    uint32_t *const own = runs->labels;
    const size_t n = runs->n;
    LastLabel last = NO_LAST_LABEL;
    size_t next = n_labels;
    for (size_t i = 0; i < n; i++) {
        const uint32_t x0 = edges[2 * i], x1 = edges[2 * i + 1], area = x1 - x0;
        /* the first run above that does not end left of this one */
        const size_t first = cca_cpu_rank(above->ranks, x0 + 1 - corner) / 2;

        /* Each run initialises the next free label: a few stores are cheaper than a
         * branch on whether it opens one, which is hard to predict. */
        labels.nodes[next] = (CpuLabel) { .parent = (uint32_t) next, .min_y = y };
        labels.features[next] = (CpuFeatures) { 0 };
        const uint32_t opens = edges_above[2 * first] >= x1 + corner;
        const uint32_t touched = labels.nodes[labels_above[first]].parent;
        const uint32_t l = touched ^ ((touched ^ (uint32_t) next) & -opens);
        own[i] = l;
        next += opens;
        const CpuFeatures run = {
            .not_min_x = ~x0,
            .end_x = x1,
            .end_y = y + 1,
            .area = area,
            .sum_x = ((uint64_t) x0 + x1 - 1) * area / 2,
            .sum_y = (uint64_t) y * area,
        };
        add_run(labels.features, l, run, &last);
    }
    own[n] = n_labels; /* any label: read for runs of the next row right of all runs here */
    return (uint32_t) next;
}

/* A job whose foreground are the peaks. */
static CcaJob peak_job(const CcaJob *const job)
{
    CcaJob peaks = *job;
    peaks.low = job->peak_low;
    peaks.range = job->peak_range;
    peaks.constant = job->peakless;
    peaks.invert = false;
    return peaks;
}

/* Marks the labels of runs that have a peak. */
COPIED void mark_peaks(const CcaJob *const peaks, const uint32_t y, const uint32_t sample_size,
                       const CpuRow *const row, CpuLabel *const nodes)
{
    const uint8_t *const pixels = peaks->data + y * peaks->stride;
    for (size_t k = row->columns.first; k < row->columns.end; k++) {
        const uint32_t x = 64 * (uint32_t) k, left = peaks->width - x;
        const uint8_t *const p = pixels + (size_t) x * sample_size;
        if (row->words[k] == 0)
            continue;
        uint64_t bits = row->words[k];
        bits &= left < 64 ? pack_tail(peaks, p, sample_size, left) :
                            pack64(peaks, p, sample_size, peaks->lift);
        while (bits != 0) {
            const uint32_t run =
                cca_cpu_rank(row->ranks, x + (uint32_t) __builtin_ctzll(bits) + 1) / 2;
            const uint32_t end = row->runs->edges[2 * run + 1] - x;
            nodes[row->runs->labels[run]].min_y |= CPU_PEAK;
            bits &= end < 64 ? UINT64_MAX << end : 0;
        }
    }
}

#define LABELS_AT_ONCE 256

/* Adds the features of labels to their parents' in decreasing order, where a label's descendants
 * precede it. The labels that are not roots are listed first, because branches on roots are hard
 * to predict. */
static inline void sum_up(const CcaParams *const params, const CpuLabels labels,
                          CpuBand *const band, const bool areas_decide)
{
    uint32_t others[LABELS_AT_ONCE], n_found = 0, largest = 0;
    for (uint32_t end = band->first_label + band->n_labels, start; end > band->first_label;
         end = start) {
        const uint32_t left = end - band->first_label;
        uint32_t n = 0;
        start = end - (umin(left, LABELS_AT_ONCE));
        for (uint32_t l = end; l-- > start;) {
            others[n] = l;
            n += labels.nodes[l].parent != l;
        }
        for (uint32_t i = 0; i < n; i++)
            add_features(&labels.features[labels.nodes[others[i]].parent],
                         &labels.features[others[i]]);
        for (uint32_t i = 0; params->limits.min_peak > 0 && i < n; i++)
            labels.nodes[labels.nodes[others[i]].parent].min_y |= labels.nodes[others[i]].min_y &
                                                                  CPU_PEAK;
        for (uint32_t i = 0; labels.extra != NULL && i < n; i++)
            cca_cpu_merge_extra(&labels.extra[labels.nodes[others[i]].parent],
                                &labels.extra[others[i]]);
        if (!areas_decide)
            n_found += end - start - n;
        for (uint32_t l = start; areas_decide && l < end; l++) {
            const bool found = cca_cpu_is_found(params, labels, l);
            const uint32_t area = found ? labels.features[l].area : 0;
            n_found += found;
            largest = umax(area, largest);
        }
    }
    band->n_found = n_found;
    band->largest = largest;
}

/* Opens labels `first` to `end`, and adds the runs of row r. */
static void measure_row(const CcaJob *const job, const CcaConfig *const config,
                        const CpuLabels labels, CpuBand *const band, const uint32_t r,
                        const CpuRow *const above, const CpuRow *const row, const uint32_t first,
                        const uint32_t end)
{
    const CcaFeatures none = cca_cpu_no_features(config->features);
    const CcaColumns both = cca_cpu_both(above, row);
    const size_t size = (both.end - umin(both.first, both.end)) * sizeof(*row->words);
    for (uint32_t l = first; l < end; l++)
        labels.extra[l] = none;
    const bool same = r > 0 &&
                      memcmp(above->words + both.first, row->words + both.first, size) == 0;
    LEVEL(cca_cpu_measure_row_)(job, config, labels, band, r, above, row, same);
}

static inline void label_rows(const CcaJob *const job, const CcaConfig *const config,
                              const CpuLabels labels, CpuBand *const band, const uint32_t corner)
{
    const CcaJob peaks = peak_job(job);
    CpuRow above, row = { band->words[1], &band->rows[1], band->ranks[1], band->columns[0] };
    uint32_t end = band->first_label;
    band->n_runs = 0;
    for (uint32_t r = 0; r < band->n_rows; r++) {
        const uint32_t y = band->first_row + r;
        const CcaColumns columns = band->columns[r];
        const uint64_t *words = band->words[r & 1];
        if (band->bits.words != NULL)
            words = band->bits.words + r * band->bits.pitch;
        else
            pack_row(job, y, columns, config->sample_size, band->words[r & 1]);
        CpuRuns *const runs = r == 0 ? &band->top : &band->rows[r & 1];
        runs->n = detect_runs(words, columns, job->width, runs->edges, band->ranks[r & 1]);
        above = row;
        row = (CpuRow) { words, runs, band->ranks[r & 1], columns };
        if (above.runs->n > 1)
            unite_bridged(labels.nodes, &above, &row, corner == 1);
        const uint32_t first = end;
        end = label_runs(labels, first, y, runs, &above, corner);
        if (job->params.limits.min_peak > 0 && config->sample_size == 1)
            mark_peaks(&peaks, y, 1, &row, labels.nodes);
        else if (job->params.limits.min_peak > 0)
            mark_peaks(&peaks, y, 2, &row, labels.nodes);
        if (labels.extra != NULL)
            measure_row(job, config, labels, band, r, &above, &row, first, end);
        if (band->run_labels != NULL)
            memcpy(band->run_labels + band->n_runs, runs->labels, runs->n * sizeof(*runs->labels));
        band->n_runs += runs->n;
    }
    if (labels.extra != NULL)
        LEVEL(cca_cpu_measure_end_)(job, config, labels, band, &row);
    band->bottom = *row.runs;
    band->n_labels = end - band->first_label;
}

/* One thread joins all seams, so the runs at seams get their roots as labels beforehand. */
static void find_roots(CpuLabel *const nodes, const CpuRuns *const runs)
{
    for (uint32_t i = 0; i < runs->n; i++)
        runs->labels[i] = cca_cpu_find(nodes, runs->labels[i]);
}

/* Makes the row above the first one empty. */
static void clear_row_above(const CcaJob *const job, CpuBand *const band)
{
    const uint32_t n_ranks = job->width / 64 + 2;
    for (uint32_t k = 0; k < n_ranks; k++)
        band->ranks[1][k] = (CpuRank) { 0, 0 };
    band->rows[1].edges[0] = UINT32_MAX;
    band->rows[1].labels[0] = band->first_label;
    band->rows[1].n = 0;
}

void LEVEL(cca_cpu_label_rows_)(const CcaJob *const job, const CcaConfig *const config,
                                const CpuLabels labels, CpuBand *const band)
{
    clear_row_above(job, band);
    if (job->params.connectivity == 8)
        label_rows(job, config, labels, band, 1);
    else
        label_rows(job, config, labels, band, 0);
    if (job->params.order == CCA_ORDER_AREA || cca_cpu_has_filter(job))
        sum_up(&job->params, labels, band, true);
    else
        sum_up(&job->params, labels, band, false);
    find_roots(labels.nodes, &band->top);
    find_roots(labels.nodes, &band->bottom);
}

/* --- label image ---------------------------------------------------------- */

/* Sets the ids of labels that are not roots. A parent precedes its children, so it has its
 * id already, unless it is in another band. */
static void number_labels(CpuLabel *const nodes, const CpuBand *const band)
{
    for (uint32_t l = band->first_label; l < band->first_label + band->n_labels; l++) {
        const uint32_t parent = nodes[l].parent;
        if (parent == l)
            continue;
        const bool here = parent >= band->first_label;
        nodes[l].id = nodes[here ? parent : cca_cpu_find_root(nodes, parent)].id;
    }
}

/* Ids of a vector, in 8, 16 or 32 bits. */
#if defined(__AVX2__)
#define VECTOR 32
#else
#define VECTOR 16
#endif

typedef int8_t Ids8 __attribute__((vector_size(VECTOR)));
typedef int16_t Ids16 __attribute__((vector_size(VECTOR)));
typedef int32_t Ids32 __attribute__((vector_size(VECTOR)));

static const union {
    int8_t values[32];
    Ids8 vector;
} counted_8 = { { 0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15,
                  16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31 } };

static const union {
    int16_t values[16];
    Ids16 vector;
} counted_16 = { { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15 } };

static const union {
    int32_t values[8];
    Ids32 vector;
} counted_32 = { { 0, 1, 2, 3, 4, 5, 6, 7 } };

/* Stores a vector of which the first `n` elements are the id, and the others 0. */
COPIED void store_ids(const uint32_t bits, uint8_t *const row, const uint32_t x, const uint32_t n,
                      const uint32_t id)
{
    if (bits == 8) {
        const Ids8 ids = ((Ids8) { 0 } + (int8_t) id) & (counted_8.vector < (int8_t) n);
        memcpy(row + x, &ids, sizeof(ids));
    } else if (bits == 16) {
        const Ids16 ids = ((Ids16) { 0 } + (int16_t) id) & (counted_16.vector < (int16_t) n);
        memcpy(row + 2 * (size_t) x, &ids, sizeof(ids));
    } else {
        const Ids32 ids = ((Ids32) { 0 } + (int32_t) id) & (counted_32.vector < (int32_t) n);
        memcpy(row + 4 * (size_t) x, &ids, sizeof(ids));
    }
}

/* A word of a row. */
typedef struct Word {
    uint64_t pixels;
    const uint32_t *labels; /* of its runs, of which the first may begin before it */
} Word;

/* Writes 64 pixels, and undefined ones in the vector after them. */
COPIED void write_word(const uint32_t bits, uint8_t *const to, const CpuLabel *const nodes,
                       const Word *const word)
{
    const uint32_t lanes = VECTOR * 8 / bits, *label = word->labels;
    memset(to, 0, 8 * bits);
    for (uint64_t left = word->pixels; left != 0; label++) {
        const uint64_t first = left & -left, others = left & (left + first);
        const uint32_t x0 = (uint32_t) __builtin_ctzll(first);
        const uint32_t n = (uint32_t) __builtin_popcountll(left ^ others);
        const uint32_t id = nodes[*label].id;
        for (uint32_t x = 0; x < n; x += lanes)
            store_ids(bits, to, x0 + x, umin(n - x, lanes), id);
        left = others;
    }
}

/* Writes row r of a band, of which row `row` is the one of the frame, and returns the labels of the
 * next row's runs. Pixels below others of the foreground have the same id as these. */
COPIED const uint32_t *write_row(const uint32_t bits, const CcaJob *const job,
                                 const CcaLabels *const plane, const CpuLabel *const nodes,
                                 const CpuBits *const mask, const uint32_t r, uint8_t *const row,
                                 const uint32_t *labels)
{
    const uint32_t size = bits / 8, n_bytes = 64 * size;
    const uint64_t *const words = mask->words + r * mask->pitch;
    const uint64_t *const above = r > 0 ? words - mask->pitch : NULL;
    uint8_t *to = row + (size_t) job->x * size;
    const uint8_t *const end = row + (size_t) job->frame.width * size;
    uint64_t before = 0;
    memset(row, 0, (size_t) job->x * size);
    for (uint32_t x = 0; x < job->width; x += 64, to += n_bytes) {
        const uint64_t pixels = words[x / 64];
        const Word word = { pixels, labels - (pixels & before) };
        const uint32_t n = umin(job->width - x, 64);
        labels += __builtin_popcountll(pixels & ~(pixels << 1 | before));
        before = pixels >> 63;
        /* the image is larger than the cache: the next row arrives meanwhile */
        for (uint32_t i = 0; i < n_bytes; i += 64)
            __builtin_prefetch(to + plane->stride + i, 1);
        if (above != NULL && pixels == above[x / 64]) {
            if (n == 64)
                memcpy(to, to - plane->stride, n_bytes);
            else
                memcpy(to, to - plane->stride, (size_t) n * size);
        } else if (end - to >= (ptrdiff_t) (n_bytes + VECTOR)) {
            write_word(bits, to, nodes, &word);
        } else {
            uint8_t copy[64 * 4 + VECTOR];
            write_word(bits, copy, nodes, &word);
            memcpy(to, copy, (size_t) n * size);
        }
    }
    to = row + (size_t) (job->x + job->width) * size;
    memset(to, 0, (size_t) (end - to));
    return labels;
}

COPIED void write_rows(const uint32_t bits, const CcaJob *const job, const CcaLabels *const plane,
                       const CpuLabels labels, CpuBand *const band)
{
    const uint32_t *of_runs = band->run_labels;
    uint8_t *row = (uint8_t *) plane->data + (job->y + band->first_row) * plane->stride;
    for (uint32_t r = 0; r < band->n_rows; r++, row += plane->stride)
        of_runs = write_row(bits, job, plane, labels.nodes, &band->bits, r, row, of_runs);
}

void LEVEL(cca_cpu_write_labels_)(const CcaJob *const job, const CcaLabels *const plane,
                                  const CpuLabels labels, CpuBand *const band)
{
    number_labels(labels.nodes, band);
    switch (plane->bits) {
    case 8: write_rows(8, job, plane, labels, band); break;
    case 16: write_rows(16, job, plane, labels, band); break;
    default: write_rows(32, job, plane, labels, band); break;
    }
}
