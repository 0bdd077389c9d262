/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#include "gstccacudadevice.h"

#include <gst/base/gstbasetransform.h>

#include "gst/ccabase/gstccaproperty.h"

GST_DEBUG_CATEGORY_STATIC (gst_cca_cuda_device_debug);
#define GST_CAT_DEFAULT gst_cca_cuda_device_debug

#define DEFAULT_ID -1

/* Must be greater than the property ids of all classes that have a device. */
#define PROP_DEVICE_ID 1000

typedef struct
{
  gpointer parent_class;
  /* The functions of the class itself, or NULL. */
  void (*set_property) (GObject *object, guint prop_id, const GValue *value,
      GParamSpec *pspec);
  void (*get_property) (GObject *object, guint prop_id, GValue *value,
      GParamSpec *pspec);
  gssize offset;
} DeviceClass;

/* Attached to the class that installed the device. The class of an element can
 * be a subclass of it. */
static G_DEFINE_QUARK (gst - cca - cuda - device - class, device_class);

static const DeviceClass *
find_class (gpointer element)
{
  GType type = G_OBJECT_TYPE (element);
  const DeviceClass *klass;

  while ((klass = g_type_get_qdata (type, device_class_quark ())) == NULL)
    type = g_type_parent (type);
  return klass;
}

static GstCcaCudaDevice *
find_device (gpointer element)
{
  return G_STRUCT_MEMBER_P (element, find_class (element)->offset);
}

void
gst_cca_cuda_device_init (GstCcaCudaDevice *self, GstElement *element)
{
  self->element = element;
  g_rec_mutex_init (&self->lock);
  g_mutex_init (&self->answer_lock);
  self->id = DEFAULT_ID;
}

static gint
get_id (GstCcaCudaDevice *self)
{
  gint id;

  GST_OBJECT_LOCK (self->element);
  id = self->id;
  GST_OBJECT_UNLOCK (self->element);
  return id;
}

/* GStreamer searches for a context under a lock that all elements share, and
 * queries other elements for theirs. An element can hold self->lock while it
 * waits for that lock. A query answered under self->lock would then deadlock,
 * so a copy of the context is kept for it under a lock of its own. */
static void
unlock (GstCcaCudaDevice *self)
{
  GstCudaContext *old;

  g_mutex_lock (&self->answer_lock);
  old = self->answer;
  self->answer = self->context ? gst_object_ref (self->context) : NULL;
  g_mutex_unlock (&self->answer_lock);
  g_rec_mutex_unlock (&self->lock);
  gst_clear_object (&old);
}

/* Takes ownership of the stream. The lock is needed because an allocation query
 * can arrive while the element stops. */
static void
set_stream (GstCcaCudaDevice *self, GstCudaStream *stream)
{
  GstCudaStream *old;

  g_rec_mutex_lock (&self->lock);
  old = self->stream;
  self->stream = stream;
  g_rec_mutex_unlock (&self->lock);
  gst_clear_cuda_stream (&old);
}

gboolean
gst_cca_cuda_device_start (GstCcaCudaDevice *self)
{
  GstElement *element = self->element;
  gboolean ok;
  gint id;

  gst_cca_set_started (element, &self->started, TRUE);
  id = get_id (self);
  g_rec_mutex_lock (&self->lock);
  ok = gst_cuda_ensure_element_context (element, id, &self->context);
  unlock (self);

  if (!ok) {
    gst_cca_set_started (element, &self->started, FALSE);
    if (id < 0)
      GST_ELEMENT_ERROR (element, RESOURCE, NOT_FOUND,
          ("A CUDA context cannot be created."), (NULL));
    else
      GST_ELEMENT_ERROR (element, RESOURCE, NOT_FOUND,
          ("A CUDA context cannot be created on the GPU with cuda-device-id "
           "%d.",
              id),
          (NULL));
    return FALSE;
  }
  set_stream (self, gst_cuda_stream_new (self->context));
  return TRUE;
}

static void
release (GstCcaCudaDevice *self)
{
  set_stream (self, NULL);
  g_rec_mutex_lock (&self->lock);
  gst_clear_object (&self->context);
  unlock (self);
}

void
gst_cca_cuda_device_stop (GstCcaCudaDevice *self)
{
  release (self);
  gst_cca_set_started (self->element, &self->started, FALSE);
}

/* Returns whether the context is on the device of cuda-device-id. Posts an
 * error if it is not. */
static gboolean
accept_context (GstCcaCudaDevice *self, GstCudaContext *context)
{
  gint wanted = get_id (self);
  guint id = 0;

  if (wanted < 0)
    return TRUE;
  g_object_get (context, "cuda-device-id", &id, NULL);
  if (id == (guint) wanted)
    return TRUE;
  GST_ELEMENT_ERROR (self->element, RESOURCE, SETTINGS,
      ("The video is on GPU %u, but cuda-device-id is %d.", id, wanted),
      (NULL));
  return FALSE;
}

gboolean
gst_cca_cuda_device_follow (GstCcaCudaDevice *self, GstCudaContext *context,
    void (*leave) (gpointer element))
{
  if (context == self->context)
    return TRUE;
  if (!accept_context (self, context))
    return FALSE;
  GST_INFO_OBJECT (self->element,
      "changing from %" GST_PTR_FORMAT " to %" GST_PTR_FORMAT, self->context,
      context);
  if (leave != NULL)
    leave (self->element);
  set_stream (self, NULL);
  g_rec_mutex_lock (&self->lock);
  gst_object_replace ((GstObject **) &self->context, GST_OBJECT (context));
  unlock (self);
  set_stream (self, gst_cuda_stream_new (context));
  return TRUE;
}

/* --- virtual functions of the elements ------------------------------------ */

static void
gst_cca_cuda_device_set_property (GObject *object, guint prop_id,
    const GValue *value, GParamSpec *pspec)
{
  const DeviceClass *klass = find_class (object);
  GstCcaCudaDevice *self = find_device (object);

  if (prop_id == PROP_DEVICE_ID) {
    if (!gst_cca_lock_to_set (self->element, &self->started, pspec))
      return;
    self->id = g_value_get_int (value);
    GST_OBJECT_UNLOCK (self->element);
  } else if (klass->set_property != NULL) {
    klass->set_property (object, prop_id, value, pspec);
  } else {
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
  }
}

static void
gst_cca_cuda_device_get_property (GObject *object, guint prop_id, GValue *value,
    GParamSpec *pspec)
{
  const DeviceClass *klass = find_class (object);

  if (prop_id == PROP_DEVICE_ID)
    g_value_set_int (value, get_id (find_device (object)));
  else if (klass->get_property != NULL)
    klass->get_property (object, prop_id, value, pspec);
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
}

static void
gst_cca_cuda_device_finalize (GObject *object)
{
  GstCcaCudaDevice *self = find_device (object);

  release (self);
  g_rec_mutex_clear (&self->lock);
  g_mutex_clear (&self->answer_lock);
  G_OBJECT_CLASS (find_class (object)->parent_class)->finalize (object);
}

static void
gst_cca_cuda_device_set_context (GstElement *element, GstContext *context)
{
  GstCcaCudaDevice *self = find_device (element);
  gint id = get_id (self);

  g_rec_mutex_lock (&self->lock);
  gst_cuda_handle_set_context (element, context, id, &self->context);
  unlock (self);
  GST_ELEMENT_CLASS (find_class (element)->parent_class)
      ->set_context (element, context);
}

static gboolean
answer_context_query (GstCcaCudaDevice *self, GstQuery *query)
{
  GstCudaContext *context;
  gboolean answered;

  g_mutex_lock (&self->answer_lock);
  context = self->answer ? gst_object_ref (self->answer) : NULL;
  g_mutex_unlock (&self->answer_lock);
  answered = gst_cuda_handle_context_query (self->element, query, context);
  gst_clear_object (&context);
  return answered;
}

static gboolean
gst_cca_cuda_device_query (GstBaseTransform *trans, GstPadDirection direction,
    GstQuery *query)
{
  if (GST_QUERY_TYPE (query) == GST_QUERY_CONTEXT
      && answer_context_query (find_device (trans), query))
    return TRUE;
  return GST_BASE_TRANSFORM_CLASS (find_class (trans)->parent_class)
      ->query (trans, direction, query);
}

void
gst_cca_cuda_device_install (gpointer klass, gssize offset)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  DeviceClass *device_class = g_new0 (DeviceClass, 1);

  GST_DEBUG_CATEGORY_INIT (gst_cca_cuda_device_debug, "ccacudadevice", 0,
      "CUDA contexts of the elements");

  device_class->parent_class = g_type_class_peek_parent (klass);
  device_class->offset = offset;
  device_class->set_property = object_class->set_property;
  device_class->get_property = object_class->get_property;
  g_type_set_qdata (G_TYPE_FROM_CLASS (klass), device_class_quark (),
      device_class);

  object_class->set_property = gst_cca_cuda_device_set_property;
  object_class->get_property = gst_cca_cuda_device_get_property;
  object_class->finalize = gst_cca_cuda_device_finalize;
  GST_ELEMENT_CLASS (klass)->set_context =
      GST_DEBUG_FUNCPTR (gst_cca_cuda_device_set_context);
  GST_BASE_TRANSFORM_CLASS (klass)->query =
      GST_DEBUG_FUNCPTR (gst_cca_cuda_device_query);

  /**
   * GstCudaCca:cuda-device-id:
   *
   * Number of the GPU to use, as CUDA counts them. -1 selects the GPU that
   * other elements of the pipeline use, and follows the video (or the label
   * image) to its GPU. With any other value, video on another GPU is an error.
   * Can be set only in NULL and READY.
   *
   * Since: 0.1
   */
  g_object_class_install_property (object_class, PROP_DEVICE_ID,
      g_param_spec_int ("cuda-device-id", "CUDA Device ID",
          "Number of the GPU to use, as CUDA counts them. Set it to reject "
          "video on other GPUs (-1 = the GPU that the video is on)",
          -1, G_MAXINT, DEFAULT_ID, GST_CCA_PARAM_READY));
}
