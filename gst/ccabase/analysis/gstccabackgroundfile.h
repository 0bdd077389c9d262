/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef __GST_CCA_BACKGROUND_FILE_H__
#define __GST_CCA_BACKGROUND_FILE_H__

#include <glib.h>

#include "cca.h"

G_BEGIN_DECLS

/* A background in memory, as it is in a file. docs/foreground.md describes the
 * format. */
typedef struct {
  CcaBackground form;
  guint x, y;                   /* position of the picture in the frame */
  guint8 *state;                /* of the form; owned */
  gchar *path;                  /* of the file; owned, NULL before it is read */
} GstCcaBackgroundFile;

void gst_cca_background_file_free (GstCcaBackgroundFile * self);

/* Replaces the file as a whole: after a failure, also of the machine, it has
 * the old content or the new one. On failure returns FALSE and sets *why to a
 * sentence without a final period, to be freed. */
gboolean gst_cca_background_file_write (const GstCcaBackgroundFile * self,
    const gchar * path, gchar ** why);

/* Returns NULL on failure, with *why as above, or NULL in *why if there is no
 * such file. */
GstCcaBackgroundFile *gst_cca_background_file_read (const gchar * path,
    gchar ** why);

/* Describes the form in words, such as "640x360 pixels of 8 bits for
 * sigma-delta". To be freed. */
gchar *gst_cca_background_file_describe (const GstCcaBackgroundFile * self);

/* Returns whether both have the same form and position, at whatever age. */
gboolean gst_cca_background_file_matches (const GstCcaBackgroundFile * self,
    const GstCcaBackgroundFile * other);

G_END_DECLS

#endif /* __GST_CCA_BACKGROUND_FILE_H__ */
