/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Files of backgrounds. Those that are read are written again as they were. */

#include <glib/gstdio.h>
#include <string.h>

#include "gst/ccabase/analysis/gstccabackgroundfile.h"
#include "plugin.h"

static void
check_same (const GstCcaBackgroundFile *file, const gchar *path,
    const uint8_t *data, size_t size)
{
  gchar *why = NULL, *content;
  gsize length;

  REQUIRE (gst_cca_background_file_write (file, path, &why), "%s", why);
  REQUIRE (g_file_get_contents (path, &content, &length, NULL), "read");
  REQUIRE (length == size && memcmp (content, data, size) == 0, "%zu of %zu",
      length, size);
  g_free (content);
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  gchar *folder = g_dir_make_tmp ("background-XXXXXX", NULL);
  gchar *path = g_build_filename (folder, "background.pgm", NULL);
  GstCcaBackgroundFile *file;
  gchar *why = NULL, *form;

  REQUIRE (g_file_set_contents_full (path, (const gchar *) data, size,
               G_FILE_SET_CONTENTS_NONE, 0600, NULL),
      "write");
  file = gst_cca_background_file_read (path, &why);
  REQUIRE ((file == NULL) == (why != NULL), "%s", why);
  if (file != NULL) {
    form = gst_cca_background_file_describe (file);
    REQUIRE (gst_cca_background_file_matches (file, file), "%s", form);
    check_same (file, path, data, size);
    gst_cca_background_file_free (file);
    g_free (form);
  }
  g_remove (path);
  g_rmdir (folder);
  g_free (path);
  g_free (folder);
  g_free (why);
  return 0;
}
