/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* bench-element [--seconds S] POINT...: what a frame costs in pipelines of one
 * process that run at once: wall time over all of them, and CPU time (user and
 * system). The same frame comes again and again and has as many blocks as there
 * shall be components.
 *
 *     element/SIZE/STREAMS[/COMPONENTS][/WORD...]   cudacca, frames on the GPU
 *     cca/SIZE/STREAMS[/COMPONENTS][/WORD...]       cca, in system memory
 *     decode/STREAMS[/sigma-delta]                  nvh264dec with and without
 *                                                   cudacca, in turn, 1080p
 *     pace/SIZE/STREAMS/RATEfps[/sigma-delta]       the same with frames on the
 *                                                   GPU, at a camera's rate
 *
 * sigma-delta: motion detection with opening and closing, else a threshold.
 * COMPONENTS are 1 if not given. Words: async2 sets async-depth, 2gpus deals
 * the streams over two GPUs, loop takes frames from a source that does nothing
 * else instead of imagefreeze, floor leaves the element out, 30fps lets no more
 * frames come in a second, labels has the element make label images, tiled sets
 * the algorithm. */

#include <string.h>

#include "film.h"
#include "gpus.h"
#include "loopsrc.h"
#include "point.h"
#include "streams.h"

#define MOST_WINDOWS 5

typedef struct {
    gboolean on_gpu, loop, is_floor, has_depth, labels, is_tiled;
    guint32 width, height, n_streams, n_components, depth, n_gpus;
    guint32 rate; /* frames in a second; 0: as they come */
} Plan;

static Span span = {
    .n_windows = MOST_WINDOWS,
    .seconds = 0.2,
    .n_frames = 20,
    .warm_up = 0.3,
};

static gboolean parse(const Point *point, Plan *plan)
{
    guint i = 3;

    *plan = (Plan) { .n_components = 1, .n_gpus = 1 };
    plan->on_gpu = strcmp(point->words[0], "element") == 0;
    if (point->n_words < 3 || (!plan->on_gpu && strcmp(point->words[0], "cca") != 0) ||
        !point_size(point->words[1], &plan->width, &plan->height) ||
        !point_number(point->words[2], "", "", &plan->n_streams) || plan->n_streams == 0)
        return FALSE;
    if (point->n_words > 3 && point_number(point->words[3], "", "", &plan->n_components))
        i++;
    for (; i < point->n_words; i++) {
        const char *word = point->words[i];

        if (strcmp(word, "loop") == 0)
            plan->loop = TRUE;
        else if (strcmp(word, "floor") == 0)
            plan->is_floor = TRUE;
        else if (strcmp(word, "labels") == 0)
            plan->labels = TRUE;
        else if (plan->on_gpu && strcmp(word, "tiled") == 0)
            plan->is_tiled = TRUE;
        else if (point_number(word, "", "fps", &plan->rate) && plan->rate > 0)
            continue;
        else if (point_number(word, "async", "", &plan->depth))
            plan->has_depth = TRUE;
        else if (!plan->on_gpu || plan->n_gpus > 1 ||
                 !point_number(word, "", "gpus", &plan->n_gpus) || plan->n_gpus == 0)
            return FALSE;
    }
    /* whose frames have no time */
    return !plan->loop || plan->rate == 0;
}

/* --- frames --------------------------------------------------------------- */

/* Draws the blocks, each in its own cell. Returns FALSE if they are too many. */
static gboolean draw_blocks(guint8 *pixels, gint stride, guint width, guint height, guint n)
{
    guint cell = MIN(width, height), i, y;

    while (cell >= 2 && (guint64) (width / cell) * (height / cell) < n)
        cell--;
    if (cell < 2)
        return FALSE;
    for (i = 0; i < n; i++) {
        guint left = i % (width / cell) * cell, top = i / (width / cell) * cell;

        for (y = top; y < top + cell / 2; y++)
            memset(pixels + (gsize) y * stride + left, 255, cell / 2);
    }
    return TRUE;
}

static GstBuffer *draw(const Plan *plan, const GstVideoInfo *info)
{
    GstBuffer *buffer = gst_buffer_new_allocate(NULL, info->size, NULL);
    gboolean drawn;
    GstMapInfo map;

    gst_buffer_map(buffer, &map, GST_MAP_WRITE);
    memset(map.data, 0, map.size);
    drawn = draw_blocks(map.data, info->stride[0], plan->width, plan->height, plan->n_components);
    gst_buffer_unmap(buffer, &map);
    if (!drawn)
        gst_clear_buffer(&buffer);
    return buffer;
}

static GstCaps *make_caps(const Plan *plan, GstVideoInfo *info)
{
    GstCaps *caps;

    gst_video_info_set_format(info, GST_VIDEO_FORMAT_NV12, plan->width, plan->height);
    GST_VIDEO_INFO_FPS_N(info) = plan->rate > 0 ? plan->rate : 30;
    GST_VIDEO_INFO_FPS_D(info) = 1;
    caps = gst_video_info_to_caps(info);
    if (plan->on_gpu)
        gst_caps_set_features_simple(caps, gst_caps_features_new_single("memory:CUDAMemory"));
    return caps;
}

/* --- pipelines ------------------------------------------------------------ */

/* Why it cannot be measured here, or NULL. */
static const gchar *why_not(const Plan *plan)
{
    const gchar *name = plan->on_gpu ? "cudacca" : "cca", *why = NULL;
    GstElement *element;

    if (plan->on_gpu && gpus_count(&why) < plan->n_gpus)
        return why ? why : "there are not so many GPUs";
    if ((element = gst_element_factory_make(name, NULL)) == NULL)
        return "there is no such element; gst-inspect-1.0 says why";
    if (plan->has_depth &&
        g_object_class_find_property(G_OBJECT_GET_CLASS(element), "async-depth") == NULL)
        why = "the element has no async-depth";
    gst_object_unref(element);
    return why;
}

static gchar *describe(const Plan *plan)
{
    GString *text = g_string_new("loopsrc name=source ");

    if (!plan->loop)
        g_string_append(text, "num-buffers=1 ! imagefreeze ");
    if (plan->rate > 0)
        g_string_append_printf(text, "! video/x-raw(ANY),framerate=%u/1 ", plan->rate);
    if (!plan->is_floor)
        g_string_append_printf(text, "! %s name=cca ", plan->on_gpu ? "cudacca" : "cca");
    if (plan->has_depth && !plan->is_floor)
        g_string_append_printf(text, "async-depth=%u ", plan->depth);
    if (plan->is_tiled && !plan->is_floor)
        g_string_append(text, "algorithm=tiled ");
    if (plan->labels && !plan->is_floor)
        g_string_append(text, "meta-types=cca+analytics+labels ");
    g_string_append(text, "! fakesink name=sink ");
    if (plan->rate > 0)
        g_string_append(text, "sync=true ");
    return g_string_free(text, FALSE);
}

/* A stream that repeats the frame of the plan; NULL, and a sentence in `why`, if
 * it cannot be made. */
static GstElement *add_frames(const Plan *plan, const gchar *description, guint gpu,
                              Streams *streams, gchar **why)
{
    GstContext *context = plan->on_gpu ? gpus_get_context(gpu) : NULL;
    GPtrArray *buffers = g_ptr_array_new_with_free_func((GDestroyNotify) gst_buffer_unref);
    GstElement *pipeline = NULL;
    GstVideoInfo info;
    GstCaps *caps = make_caps(plan, &info);
    GstBuffer *frame = draw(plan, &info);

    if (frame != NULL && plan->on_gpu) {
        GstBuffer *there = gpus_upload(gpu, &info, frame);

        gst_buffer_unref(frame);
        frame = there;
    }
    if (frame != NULL) {
        g_ptr_array_add(buffers, frame);
        pipeline = streams_add(streams, description, context, caps, buffers, why);
    } else {
        *why = g_strdup("the frame cannot be made");
    }
    g_ptr_array_unref(buffers);
    gst_caps_unref(caps);
    g_clear_pointer(&context, gst_context_unref);
    return pipeline;
}

static gboolean add_film(const gchar *description, const Film *film, Streams *streams, gchar **why)
{
    GstContext *context = gpus_get_context(0);
    gboolean ok = streams_add(streams, description, context, film->caps, film->units, why) != NULL;

    gst_context_unref(context);
    return ok;
}

static gboolean add_stream(const Plan *plan, Streams *streams, guint number, gchar **why)
{
    guint gpu = number % plan->n_gpus;
    gchar *description = describe(plan);
    GstElement *pipeline = add_frames(plan, description, gpu, streams, why);

    if (pipeline != NULL && plan->n_gpus > 1 && !plan->is_floor) {
        GstElement *cca = gst_bin_get_by_name(GST_BIN(pipeline), "cca");

        g_object_set(cca, "cuda-device-id", (gint) gpu, NULL);
        gst_object_unref(cca);
    }
    g_free(description);
    return pipeline != NULL;
}

static gboolean measure_element(const Point *point, const Plan *plan, gchar **why)
{
    Streams *streams = streams_new(plan->n_components, plan->on_gpu);
    Window windows[MOST_WINDOWS], median;
    Span enough = span;
    gdouble start_ms;
    gboolean ok = TRUE;
    guint i;

    for (i = 0; ok && i < plan->n_streams; i++)
        ok = add_stream(plan, streams, i, why);
    if (plan->rate > 0)
        enough.seconds = MAX(span.seconds, (span.n_frames + 1.) / plan->rate);
    ok = ok && streams_measure(streams, &enough, windows, why);
    start_ms = streams->start_ms;
    streams_free(streams);
    if (!ok)
        return FALSE;
    median = window_median(windows, span.n_windows);
    point_begin(point);
    point_figure("wall_us", median.wall_us);
    point_figure("cpu_us", median.cpu_us);
    point_figure("least_wall_us", windows[0].wall_us);
    point_figure("most_wall_us", windows[span.n_windows - 1].wall_us);
    point_figure("start_ms", start_ms);
    point_figure("frames", median.n_frames);
    point_figure("least_percent", median.least_percent);
    if (!plan->is_floor)
        point_figure("analysis_us", median.analysis_us);
    point_end();
    return TRUE;
}

/* --- with the element and without it -------------------------------------- */

/* Streams at a rate that something else than the analysis sets. */
typedef struct {
    guint32 n_streams, width, height;
    guint32 rate;          /* frames in a second; 0: as they are decoded */
    const gchar *settings; /* of cudacca */
} Pace;

static gboolean parse_pace(const Point *point, Pace *pace)
{
    const gboolean decodes = strcmp(point->words[0], "decode") == 0;
    guint i = 1;

    *pace = (Pace) { .settings = "" };
    if (!decodes && (strcmp(point->words[0], "pace") != 0 || point->n_words < 4 ||
                     !point_size(point->words[i++], &pace->width, &pace->height)))
        return FALSE;
    if (i >= point->n_words || !point_number(point->words[i++], "", "", &pace->n_streams) ||
        pace->n_streams == 0)
        return FALSE;
    if (!decodes && (!point_number(point->words[i++], "", "fps", &pace->rate) || pace->rate == 0))
        return FALSE;
    if (i < point->n_words && strcmp(point->words[i], "sigma-delta") == 0) {
        pace->settings = "foreground=sigma-delta open-radius=1 close-radius=1 ";
        i++;
    }
    return i == point->n_words;
}

static gchar *describe_pace(const Pace *pace, gboolean with)
{
    GString *text = g_string_new("loopsrc name=source ");

    if (pace->rate > 0)
        g_string_append_printf(text,
                               "num-buffers=1 ! imagefreeze ! "
                               "video/x-raw(ANY),framerate=%u/1 ! ",
                               pace->rate);
    else
        g_string_append(text, "! h264parse ! nvh264dec ! video/x-raw(memory:CUDAMemory) ! ");
    if (with)
        g_string_append_printf(text, "cudacca name=cca %s! ", pace->settings);
    g_string_append_printf(text, "fakesink name=sink sync=%s", pace->rate > 0 ? "true" : "false");
    return g_string_free(text, FALSE);
}

static gboolean add_at_pace(const Pace *pace, const Film *film, gboolean with, Streams *streams,
                            gchar **why)
{
    const Plan plan = { .on_gpu = TRUE,
                        .width = pace->width,
                        .height = pace->height,
                        .n_components = 1,
                        .rate = pace->rate };
    gchar *description = describe_pace(pace, with);
    gboolean ok = TRUE;
    guint i;

    for (i = 0; ok && i < pace->n_streams; i++) {
        if (pace->rate > 0)
            ok = add_frames(&plan, description, 0, streams, why) != NULL;
        else
            ok = add_film(description, film, streams, why);
    }
    g_free(description);
    return ok;
}

/* A window of the streams, with cudacca or without. */
static gboolean run_at_pace(const Pace *pace, const Film *film, gboolean with, Window *window,
                            gchar **why)
{
    Streams *streams = streams_new(0, TRUE);
    const Span long_enough = {
        .n_windows = 1, .seconds = 5 * span.seconds, .n_frames = 20, .warm_up = 2 * span.warm_up
    };
    gboolean ok = add_at_pace(pace, film, with, streams, why) &&
                  streams_measure(streams, &long_enough, window, why);

    streams_free(streams);
    return ok;
}

static gboolean measure_pace(const Point *point, const Pace *pace, const Film *film, gchar **why)
{
    Window plain[3], with[3], p, w;
    guint i;

    for (i = 0; i < G_N_ELEMENTS(plain); i++)
        if (!run_at_pace(pace, film, FALSE, &plain[i], why) ||
            !run_at_pace(pace, film, TRUE, &with[i], why))
            return FALSE;
    p = window_median(plain, G_N_ELEMENTS(plain));
    w = window_median(with, G_N_ELEMENTS(with));
    point_begin(point);
    if (pace->rate == 0) {
        point_figure("decoder_frames_s", 1e6 / p.wall_us);
        point_figure("frames_s", 1e6 / w.wall_us);
        point_figure("percent", 100 * p.wall_us / w.wall_us);
    }
    point_figure("plain_cpu_us", p.cpu_us);
    point_figure("cpu_us", w.cpu_us);
    point_figure("added_cpu_us", w.cpu_us - p.cpu_us);
    point_figure("analysis_us", w.analysis_us);
    point_end();
    return TRUE;
}

/* --- main ----------------------------------------------------------------- */

static const Plan gpu_plan = { .on_gpu = TRUE, .n_gpus = 1 };

static const gchar *why_not_decode(Film **film)
{
    const gchar *why = why_not(&gpu_plan);
    GstElementFactory *decoder = gst_element_factory_find("nvh264dec");

    if (why == NULL && decoder == NULL)
        why = "there is no nvh264dec";
    gst_clear_object(&decoder);
    if (why == NULL && *film == NULL && (*film = film_new(1920, 1080)) == NULL)
        why = "there is no x264enc to make a film";
    return why;
}

/* FALSE if the point failed. */
static gboolean measure(const Point *point, Film **film)
{
    const gchar *skipped;
    gchar *why = NULL;
    gboolean ok;
    Plan plan;
    Pace pace;

    if (parse_pace(point, &pace)) {
        skipped = pace.rate > 0 ? why_not(&gpu_plan) : why_not_decode(film);
        ok = skipped || measure_pace(point, &pace, *film, &why);
    } else if (parse(point, &plan)) {
        skipped = why_not(&plan);
        ok = skipped || measure_element(point, &plan, &why);
    } else {
        point_no_figures(point, TRUE, "there is no such point");
        return FALSE;
    }
    if (skipped != NULL)
        point_no_figures(point, FALSE, skipped);
    else if (!ok)
        point_no_figures(point, TRUE, why);
    g_free(why);
    return ok;
}

int main(int argc, char **argv)
{
    Film *film = NULL;
    gboolean ok = TRUE;
    Point point;
    int i = 1;

    gst_init(&argc, &argv);
    bench_loop_src_register();
    if (argc > 2 && strcmp(argv[1], "--seconds") == 0) {
        span.seconds = g_ascii_strtod(argv[2], NULL) / span.n_windows;
        span.warm_up = MIN(span.warm_up, span.seconds);
        i = 3;
    }
    if (i >= argc || argv[i][0] == '-') {
        g_printerr("usage: bench-element [--seconds S] POINT...\n");
        return 2;
    }
    for (; i < argc; i++) {
        point_parse(&point, argv[i]);
        ok &= measure(&point, &film);
    }
    g_clear_pointer(&film, film_free);
    gpus_close();
    return !ok;
}
