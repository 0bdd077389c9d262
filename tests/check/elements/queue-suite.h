/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef __CCA_TEST_QUEUE_SUITE_H__
#define __CCA_TEST_QUEUE_SUITE_H__

#include "place.h"

/* The place must live as long as the suite. */
Suite *queue_suite (const Place * place);

#endif /* __CCA_TEST_QUEUE_SUITE_H__ */
