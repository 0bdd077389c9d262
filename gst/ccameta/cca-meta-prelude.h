/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef __GST_CCA_META_PRELUDE_H__
#define __GST_CCA_META_PRELUDE_H__

#include <gst/gst.h>

#ifndef GST_CCA_META_API
# ifdef BUILDING_GST_CCA_META
#  define GST_CCA_META_API GST_API_EXPORT
# else
#  define GST_CCA_META_API GST_API_IMPORT
# endif
#endif

#endif /* __GST_CCA_META_PRELUDE_H__ */
