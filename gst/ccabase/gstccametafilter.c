/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#include "gstccametafilter.h"

#include <gst/video/video.h>

gboolean
gst_cca_meta_stays (const GstMeta *meta)
{
  static const gchar *const kept[] = {GST_META_TAG_VIDEO_STR,
    GST_META_TAG_VIDEO_SIZE_STR, GST_META_TAG_VIDEO_ORIENTATION_STR, NULL};
  const gchar *const *tags = gst_meta_api_type_get_tags (meta->info->api);

  /* The new picture has the cropped size already. */
  if (meta->info->api == GST_VIDEO_CROP_META_API_TYPE)
    return FALSE;
  for (; tags != NULL && *tags != NULL; tags++)
    if (!g_strv_contains (kept, *tags))
      return FALSE;
  return TRUE;
}
