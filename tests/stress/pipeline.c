/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* A pipeline with queues, shared buffers, three of the elements and a mask,
 * which is stopped, started, paused and sought in. */

#include "stress.h"

typedef struct
{
  GstElement *pipeline, *element, *filter;
  gboolean cuda;
  gboolean changing; /* its state, still */
  gint stopping;
  Rig *rig;
  Actor *driver;
} Pipeline;

static void
set_state (Pipeline *p, Actor *actor, GstState state)
{
  GstStateChangeReturn ret;

  if (gst_element_set_state (p->pipeline, state) == GST_STATE_CHANGE_FAILURE)
    complain ("the pipeline does not go to %s",
        gst_element_state_get_name (state));
  count (N_STATES);
  p->changing = dice (actor, 3) == 0;
  if (p->changing)
    return;
  ret = gst_element_get_state (p->pipeline, NULL, NULL, 20 * GST_SECOND);
  if (ret != GST_STATE_CHANGE_SUCCESS)
    complain ("the pipeline does not get to %s: %s",
        gst_element_state_get_name (state),
        gst_element_state_change_return_get_name (ret));
}

/* A capsfilter supports one change during a negotiation. */
static void
change_caps (Pipeline *p, Actor *actor)
{
  static const guint sizes[][2] = {{64, 48}, {33, 17}, {160, 90}, {320, 16}};
  const guint *size = sizes[dice (actor, G_N_ELEMENTS (sizes))];
  /* the first is GRAY8, the format of cudagrayupload */
  GstVideoFormat format = formats[dice (actor, p->cuda ? 1 : 7)];
  GstCaps *caps = frame_caps (format, size[0], size[1]);

  g_object_set (p->filter, "caps", caps, NULL);
  gst_caps_unref (caps);
  count (N_CAPS);
}

static void
stop (Pipeline *p, GstState state)
{
  g_atomic_int_set (&p->stopping, TRUE);
  gst_element_set_state (p->pipeline, state);
  g_atomic_int_set (&p->stopping, FALSE);
  count (N_STATES);
}

/* The elements' options are read when they start. */
static void
restart (Pipeline *p, Actor *actor)
{
  GstState states[] = {GST_STATE_NULL, GST_STATE_READY};

  stop (p, states[dice (actor, 2)]);
  rig_set_start_options (p->rig, actor);
  change_caps (p, actor);
  set_state (p, actor, dice (actor, 4) ? GST_STATE_PLAYING : GST_STATE_PAUSED);
}

static void
drive (Actor *actor, gpointer data)
{
  Pipeline *p = data;

  rig_set_start_options (p->rig, actor);
  set_state (p, actor, GST_STATE_PLAYING);
  while (actor_goes_on (actor, "drives the pipeline")) {
    /* As applications do: wait for a state change, or stop it. Otherwise even a
     * pipeline of GStreamer's own elements may hang. */
    switch (p->changing ? 0 : dice (actor, 7)) {
      case 0:
        restart (p, actor);
        break;
      case 1:
        set_state (p, actor, GST_STATE_PAUSED);
        break;
      case 2:
        set_state (p, actor, GST_STATE_PLAYING);
        rig_mislead (p->rig, actor);
        break;
      case 3:
        gst_element_seek_simple (p->pipeline, GST_FORMAT_TIME,
            GST_SEEK_FLAG_FLUSH, dice (actor, 100) * 40 * GST_MSECOND);
        count (N_SEEKS);
        if (gst_element_get_state (p->pipeline, NULL, NULL, 20 * GST_SECOND)
            != GST_STATE_CHANGE_SUCCESS)
          complain ("the pipeline does not come back from a seek");
        break;
      default:
        break;
    }
    g_usleep (dice (actor, 20000));
  }
}

gpointer
pipeline_start (const gchar *name)
{
  Pipeline *p = g_new0 (Pipeline, 1);
  GError *error = NULL;
  GstBus *bus;
  gboolean cuda = g_str_equal (name, "cudacca");
  /* leaky, because a sink that pauses first would block the tee, and with it
   * the frame that the other sink needs to pause */
  gchar *description = g_strdup_printf (
      "videotestsrc pattern=snow "
      "! capsfilter name=filter %s! tee name=t ! queue max-size-buffers=2 "
      "! %s name=checked ! queue max-size-buffers=3 ! %s invert=true "
      "meta-types=roi ! ccaexpand meta-types=analytics ! ccatrack min-hits=1 "
      "lines=\"<[a,x1=9,y1=0,x2=9,y2=99]>\" ! fakesink sync=false "
      "t. ! queue leaky=downstream max-size-buffers=2 ! %s threshold=60 "
      "meta-types=cca+labels ! %smask mode=colors ! fakesink sync=false "
      "async=false",
      cuda ? "! cudagrayupload " : "", name, name, name, name);

  p->pipeline = gst_parse_launch (description, &error);
  if (p->pipeline == NULL)
    g_error ("%s: %s", description, error->message);
  g_free (description);
  bus = gst_element_get_bus (p->pipeline);
  gst_bus_set_sync_handler (bus, watch_messages, &p->stopping, NULL);
  gst_object_unref (bus);
  p->element = gst_bin_get_by_name (GST_BIN (p->pipeline), "checked");
  p->filter = gst_bin_get_by_name (GST_BIN (p->pipeline), "filter");
  p->cuda = cuda;
  if (cuda)
    cuda_give_context (p->pipeline);
  p->rig = rig_new (p->element);
  p->driver = actor_start ("driver", drive, p);
  return p;
}

void
pipeline_stop (gpointer pipeline)
{
  Pipeline *p = pipeline;
  GWeakRef left;

  actor_join (p->driver);
  stop (p, GST_STATE_NULL);
  /* a thread that was changing its state, or has ended, may still hold it */
  gst_task_cleanup_all ();
  rig_free (p->rig);
  g_weak_ref_init (&left, p->element);
  gst_clear_object (&p->element);
  gst_clear_object (&p->filter);
  gst_object_unref (p->pipeline);
  p->element = g_weak_ref_get (&left);
  if (p->element != NULL)
    complain ("the element stays after its pipeline");
  g_clear_object (&p->element);
  g_weak_ref_clear (&left);
  g_free (p);
}
