/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* bench-elements POINT...: the CPU time that an element takes for a frame, in
 * its streaming thread, for NV12 frames with moving blocks.
 *
 *     elements/NAME/COMPONENTS[/SIZE]    1080p if no size is given
 *
 * NAME is one of `kinds`. Frames are pushed from one pad into another, with the
 * element between them, so nothing else is measured. Each frame is a copy in a
 * buffer of a pool, with one owner, as from a decoder. Of each frame of
 * the loop the least time of up to N_ROUNDS rounds counts. */

#include <gst/ccameta/gstccameta.h>
#include <gst/video/video.h>
#include <string.h>
#include <time.h>

#include "opencv-draw.h"
#include "point.h"

/* Blocks move there and back: a loop has no jump. */
#define N_FRAMES 40
#define N_ROUNDS 5
#define MOST_US 2e6 /* no other round begins after that */
#define MOST_COMPONENTS 65536

#define CCA "cca threads=1 meta-types=cca"
#define MASK CCA "+labels ! ccamask mode="
/* in the stock metas, which the elements limit */
#define OBJECTS " max-objects=1024"
#define OVERLAY "ccaoverlay max-objects=65536 "

typedef enum { TRACKED, BLINKING, PLAIN, OPENCV, COPY } Work;

static const struct {
    const gchar *name;
    Work work; /* PLAIN: frames without metas; BLINKING: every second frame is empty */
    const gchar *description;
    const gchar *without; /* the time of these elements is subtracted, or of no element */
    guint opencv;         /* OpencvDrawing */
} kinds[] = {
    { "memcpy", COPY, NULL, NULL, 0 },
    { "cca", PLAIN, CCA, NULL, 0 },
    { "cca-sigma-delta", PLAIN, CCA " foreground=sigma-delta open-radius=1 close-radius=4", NULL,
      0 },
    { "cca-messages", PLAIN, CCA " post-messages=true max-objects=4096", CCA, 0 },
    { "label-image", PLAIN, CCA "+labels", CCA, 0 },
    { "ccatrack", TRACKED, "ccatrack max-tracks=65536", NULL, 0 },
    { "ccatrack-messages", BLINKING, "ccatrack max-tracks=65536 min-hits=1 max-lost=0", NULL, 0 },
    { "ccaexpand", TRACKED, "ccaexpand object-type=another max-objects=4096", NULL, 0 },
    { "ccajson", TRACKED, "ccajson", NULL, 0 },
    { "ccaoverlay-boxes", TRACKED,
      OVERLAY "trails=false draw-labels=false draw-tracking-labels=false", NULL, 0 },
    { "ccaoverlay-labels", TRACKED, OVERLAY "trails=false", NULL, 0 },
    { "ccaoverlay-trails", TRACKED, OVERLAY, NULL, 0 },
    { "objectdetectionoverlay-boxes", TRACKED, "objectdetectionoverlay draw-labels=false", NULL,
      0 },
    { "objectdetectionoverlay-labels", TRACKED, "objectdetectionoverlay", NULL, 0 },
    { "opencv-boxes", OPENCV, NULL, NULL, OPENCV_BOXES },
    { "opencv-labels", OPENCV, NULL, NULL, OPENCV_LABELS },
    { "opencv-trails", OPENCV, NULL, NULL, OPENCV_TRAILS },
    { "ccamask-mask", PLAIN, MASK "mask", CCA "+labels", 0 },
    { "ccamask-labels", PLAIN, MASK "labels", CCA "+labels", 0 },
    { "ccamask-colors", PLAIN, MASK "colors", CCA "+labels", 0 },
};

typedef struct {
    guint32 width, height, n, cell;
} Scene;

/* --- frames --------------------------------------------------------------- */

/* Sets the cells for the blocks. Returns FALSE if there are too many blocks. */
static gboolean find_cell(Scene *scene)
{
    scene->cell = MIN(scene->width, scene->height);
    while (scene->cell >= 4 &&
           (guint64) (scene->width / scene->cell) * (scene->height / scene->cell) < scene->n)
        scene->cell--;
    return scene->cell >= 4;
}

/* A block in frame i; it keeps off those in other cells. */
static OpencvBox block_at(const Scene *scene, guint number, guint i)
{
    const guint columns = scene->width / scene->cell, size = scene->cell / 2;
    const guint way = (scene->cell - size - 1) * MIN(i, N_FRAMES - i) / (N_FRAMES / 2);

    return (OpencvBox) {
        .x = number % columns * scene->cell + way,
        .y = number / columns * scene->cell + way,
        .size = size,
        .id = number + 1,
    };
}

static GstBuffer *draw_frame(const Scene *scene, const GstVideoInfo *info, guint i)
{
    GstBuffer *buffer = gst_buffer_new_allocate(NULL, info->size, NULL);
    GstMapInfo map;
    guint number, y;

    gst_buffer_map(buffer, &map, GST_MAP_WRITE);
    memset(map.data, 0, map.size);
    for (number = 0; number < scene->n; number++) {
        const OpencvBox box = block_at(scene, number, i);

        for (y = 0; y < (guint) box.size; y++)
            memset(map.data + (gsize) (box.y + y) * info->stride[0] + box.x, 255, box.size);
    }
    gst_buffer_unmap(buffer, &map);
    GST_BUFFER_PTS(buffer) = i * GST_SECOND / 30;
    return buffer;
}

/* --- pads ----------------------------------------------------------------- */

static GstStaticPadTemplate source_template =
    GST_STATIC_PAD_TEMPLATE("source", GST_PAD_SRC, GST_PAD_ALWAYS, GST_STATIC_CAPS_ANY);

static GstStaticPadTemplate sink_template =
    GST_STATIC_PAD_TEMPLATE("sink", GST_PAD_SINK, GST_PAD_ALWAYS, GST_STATIC_CAPS_ANY);

/* An element between two pads, or no element. */
typedef struct {
    GstElement *element;
    GstPad *source, *sink;
    GstBuffer *last; /* that came out */
    guint64 n_bytes; /* of all that came out in a round */
} Rig;

static GstFlowReturn take(GstPad *pad, GstObject *parent, GstBuffer *buffer)
{
    Rig *rig = gst_pad_get_element_private(pad);

    rig->n_bytes += gst_buffer_get_size(buffer);
    gst_buffer_replace(&rig->last, NULL);
    rig->last = buffer;
    return GST_FLOW_OK;
}

static GstBusSyncReply drop_message(GstBus *bus, GstMessage *message, gpointer data)
{
    gst_message_unref(message);
    return GST_BUS_DROP;
}

static void link_element(Rig *rig)
{
    GstBus *bus = gst_bus_new();
    GstPad *pad = gst_element_get_static_pad(rig->element, "sink");

    gst_pad_link(rig->source, pad);
    gst_object_unref(pad);
    pad = gst_element_get_static_pad(rig->element, "src");
    gst_pad_link(pad, rig->sink);
    gst_object_unref(pad);
    gst_bus_set_sync_handler(bus, drop_message, NULL, NULL);
    gst_element_set_bus(rig->element, bus);
    gst_object_unref(bus);
    gst_element_set_state(rig->element, GST_STATE_PLAYING);
}

/* NULL if there is no such element. */
static Rig *rig_new(const gchar *description, const GstVideoInfo *info)
{
    GstElement *element = NULL;
    GstSegment segment;
    GstCaps *caps;
    Rig *rig;

    if (description != NULL) {
        element = gst_parse_bin_from_description_full(description, TRUE, NULL,
                                                      GST_PARSE_FLAG_FATAL_ERRORS, NULL);
        if (element == NULL)
            return NULL;
        gst_object_ref_sink(element);
    }
    rig = g_new0(Rig, 1);
    rig->element = element;
    rig->source = gst_pad_new_from_static_template(&source_template, "source");
    rig->sink = gst_pad_new_from_static_template(&sink_template, "sink");
    gst_object_ref_sink(rig->source);
    gst_object_ref_sink(rig->sink);
    gst_pad_set_chain_function(rig->sink, take);
    gst_pad_set_element_private(rig->sink, rig);
    gst_pad_set_active(rig->source, TRUE);
    gst_pad_set_active(rig->sink, TRUE);
    if (element != NULL)
        link_element(rig);
    else
        gst_pad_link(rig->source, rig->sink);

    caps = gst_video_info_to_caps(info);
    gst_segment_init(&segment, GST_FORMAT_TIME);
    gst_pad_push_event(rig->source, gst_event_new_stream_start("bench"));
    gst_pad_push_event(rig->source, gst_event_new_caps(caps));
    gst_pad_push_event(rig->source, gst_event_new_segment(&segment));
    gst_caps_unref(caps);
    return rig;
}

static void rig_free(Rig *rig)
{
    if (rig->element != NULL) {
        gst_element_set_state(rig->element, GST_STATE_NULL);
        gst_element_set_bus(rig->element, NULL);
        gst_object_unref(rig->element);
    }
    gst_buffer_replace(&rig->last, NULL);
    gst_object_unref(rig->source);
    gst_object_unref(rig->sink);
    g_free(rig);
}

/* --- time ----------------------------------------------------------------- */

static gdouble thread_us(void)
{
    struct timespec now;

    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return now.tv_sec * 1e6 + now.tv_nsec / 1e3;
}

typedef struct {
    Scene scene;
    GPtrArray *frames;
    GstBufferPool *pool;
    Rig *rig;
    OpencvCanvas *canvas;
    guint opencv;
    guint8 *copy; /* of a frame */
} Bench;

static GstBuffer *copy_frame(const Bench *bench, guint i)
{
    GstBuffer *from = g_ptr_array_index(bench->frames, i), *frame = NULL;
    GstMapInfo map;

    gst_buffer_pool_acquire_buffer(bench->pool, &frame, NULL);
    gst_buffer_map(from, &map, GST_MAP_READ);
    gst_buffer_fill(frame, 0, map.data, map.size);
    gst_buffer_unmap(from, &map);
    gst_buffer_copy_into(frame, from, GST_BUFFER_COPY_METADATA, 0, -1);
    return frame;
}

/* Frame i, -1: it does not pass. */
static gdouble time_frame(Bench *bench, guint i)
{
    GstBuffer *frame = copy_frame(bench, i);
    GstMapInfo map;
    gdouble begin, us;

    if (bench->rig != NULL) {
        begin = thread_us();
        if (gst_pad_push(bench->rig->source, frame) != GST_FLOW_OK)
            return -1;
        return thread_us() - begin;
    }
    if (bench->canvas != NULL) {
        OpencvBox *trails = g_new(OpencvBox, (gsize) bench->scene.n * OPENCV_TRAIL);
        guint number, k;

        for (number = 0; number < bench->scene.n; number++)
            for (k = 0; k < OPENCV_TRAIL; k++)
                trails[number * OPENCV_TRAIL + k] = block_at(&bench->scene, number,
                                                             (i + N_FRAMES - k) % N_FRAMES);
        begin = thread_us();
        opencv_draw(bench->canvas, bench->opencv, trails, bench->scene.n);
        us = thread_us() - begin;
        g_free(trails);
    } else {
        gst_buffer_map(frame, &map, GST_MAP_READ);
        begin = thread_us();
        memcpy(bench->copy, map.data, map.size);
        us = thread_us() - begin;
        gst_buffer_unmap(frame, &map);
    }
    gst_buffer_unref(frame);
    return us;
}

/* The mean of the frames' least times; the first round makes trails and pools. */
static gdouble time_loop(Bench *bench)
{
    gdouble least[N_FRAMES], begin = thread_us(), sum = 0;
    guint round, i;

    for (round = 0; round <= N_ROUNDS; round++) {
        if (round > 0 && thread_us() - begin > MOST_US)
            break;
        if (bench->rig != NULL)
            bench->rig->n_bytes = 0;
        for (i = 0; i < N_FRAMES; i++) {
            gdouble us = time_frame(bench, i);

            if (us < 0)
                return -1;
            least[i] = round <= 1 ? us : MIN(least[i], us);
        }
    }
    for (i = 0; i < N_FRAMES; i++)
        sum += least[i];
    return sum / N_FRAMES;
}

/* --- points --------------------------------------------------------------- */

/* Frames with the metas of the analysis and of tracks. */
static gboolean analyse_frames(GPtrArray *frames, const Scene *scene, const GstVideoInfo *info,
                               gboolean blinking)
{
    Rig *rig = rig_new(CCA "+analytics+labels" OBJECTS " ! ccatrack" OBJECTS, info);
    gboolean ok = rig != NULL;
    guint round, i;

    /* tracks are confirmed in the first loop */
    for (round = 0; ok && round < 2; round++) {
        for (i = 0; ok && i < N_FRAMES; i++) {
            const GstCcaMeta *meta = NULL;
            const Scene drawn = { scene->width, scene->height,
                                  blinking && i % 2 == 1 ? 0 : scene->n, scene->cell };
            GstBuffer *frame = draw_frame(&drawn, info, i);

            if (gst_pad_push(rig->source, frame) == GST_FLOW_OK)
                meta = gst_buffer_get_cca_meta(rig->last);
            ok = meta != NULL && gst_cca_meta_get_n_found(meta) == drawn.n;
            if (ok && round == 1)
                g_ptr_array_add(frames, g_steal_pointer(&rig->last));
        }
    }
    g_clear_pointer(&rig, rig_free);
    return ok;
}

/* Microseconds of elements for a frame; -1: they do not pass it. */
static gdouble time_elements(Bench *bench, const gchar *description, const GstVideoInfo *info,
                             gdouble *n_bytes)
{
    gdouble us;

    bench->rig = rig_new(description, info);
    us = time_loop(bench);
    *n_bytes = (gdouble) bench->rig->n_bytes / N_FRAMES;
    g_clear_pointer(&bench->rig, rig_free);
    return us;
}

/* Why it cannot be measured here, or NULL. */
static const gchar *prepare(Bench *bench, guint kind, const GstVideoInfo *info)
{
    Rig *rig;
    guint i;

    if (kinds[kind].work == OPENCV) {
        bench->opencv = kinds[kind].opencv;
        bench->canvas = opencv_canvas_new(bench->scene.width, bench->scene.height);
        if (bench->canvas == NULL)
            return "OpenCV is not there";
    } else if (kinds[kind].work == COPY) {
        bench->copy = g_malloc0(info->size);
    } else if ((rig = rig_new(kinds[kind].description, info)) != NULL) {
        rig_free(rig);
    } else {
        return "there is no such element";
    }
    if (kinds[kind].work != TRACKED && kinds[kind].work != BLINKING)
        for (i = 0; i < N_FRAMES; i++)
            g_ptr_array_add(bench->frames, draw_frame(&bench->scene, info, i));
    else if (!analyse_frames(bench->frames, &bench->scene, info, kinds[kind].work == BLINKING))
        return "the frames cannot be analysed";
    return NULL;
}

/* FALSE if frames do not pass. */
static gboolean measure_prepared(Bench *bench, const Point *point, guint kind,
                                 const GstVideoInfo *info)
{
    gdouble us, without = 0, n_bytes = 0, ignored;

    if (kinds[kind].description == NULL) {
        us = time_loop(bench);
    } else {
        us = time_elements(bench, kinds[kind].description, info, &n_bytes);
        without = time_elements(bench, kinds[kind].without, info, &ignored);
    }
    if (us < 0 || without < 0) {
        point_no_figures(point, TRUE, "the frames do not pass");
        return FALSE;
    }
    point_begin(point);
    point_figure("us", us - without);
    if (strcmp(kinds[kind].name, "ccajson") == 0)
        point_figure("mb_s", n_bytes / (us - without));
    point_end();
    return TRUE;
}

static gboolean measure(const Point *point, guint kind, const Scene *scene)
{
    Bench bench = { .scene = *scene };
    const gchar *skipped;
    GstStructure *config;
    GstVideoInfo info;
    gboolean ok = TRUE;

    gst_video_info_set_format(&info, GST_VIDEO_FORMAT_NV12, scene->width, scene->height);
    info.fps_n = 30;
    info.fps_d = 1;
    bench.frames = g_ptr_array_new_with_free_func((GDestroyNotify) gst_buffer_unref);
    bench.pool = gst_buffer_pool_new();
    config = gst_buffer_pool_get_config(bench.pool);
    gst_buffer_pool_config_set_params(config, NULL, info.size, 0, 0);
    gst_buffer_pool_set_config(bench.pool, config);
    gst_buffer_pool_set_active(bench.pool, TRUE);
    skipped = prepare(&bench, kind, &info);
    if (skipped != NULL)
        point_no_figures(point, FALSE, skipped);
    else
        ok = measure_prepared(&bench, point, kind, &info);
    g_clear_pointer(&bench.canvas, opencv_canvas_free);
    g_ptr_array_unref(bench.frames);
    gst_buffer_pool_set_active(bench.pool, FALSE);
    gst_object_unref(bench.pool);
    g_free(bench.copy);
    return ok;
}

static gboolean parse(const Point *point, guint *kind, Scene *scene)
{
    if (point->n_words < 3 || point->n_words > 4 || strcmp(point->words[0], "elements") != 0 ||
        !point_number(point->words[2], "", "", &scene->n) || scene->n == 0 ||
        scene->n > MOST_COMPONENTS ||
        !point_size(point->n_words > 3 ? point->words[3] : "1080p", &scene->width,
                    &scene->height) ||
        !find_cell(scene))
        return FALSE;
    for (*kind = 0; *kind < G_N_ELEMENTS(kinds); (*kind)++)
        if (strcmp(point->words[1], kinds[*kind].name) == 0)
            return TRUE;
    return FALSE;
}

int main(int argc, char **argv)
{
    gboolean ok = TRUE;
    Scene scene;
    Point point;
    guint kind;
    int i;

    gst_init(&argc, &argv);
    if (argc < 2 || argv[1][0] == '-') {
        g_printerr("usage: bench-elements POINT...\n");
        return 2;
    }
    for (i = 1; i < argc; i++) {
        point_parse(&point, argv[i]);
        if (parse(&point, &kind, &scene)) {
            ok &= measure(&point, kind, &scene);
        } else {
            point_no_figures(&point, TRUE, "there is no such point");
            ok = FALSE;
        }
    }
    return !ok;
}
