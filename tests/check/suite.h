/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef __CCA_TEST_SUITE_H__
#define __CCA_TEST_SUITE_H__

#include <gst/check/gstcheck.h>

/* Tests of GstCheck that add themselves to the suite of their program:
 *
 *   TEST (test_one) { ... }
 *   TEST_LOOP (test_each, 0, 3) { ... once for each __i__ from 0 to 2 ... }
 *   SUITE ("name", .timeout = 60);
 */

#define TEST(name) TEST_LOOP (name, 0, 1)

#define TEST_LOOP(name, begin, end) \
  static void name##_body (gint __i__); \
  GST_START_TEST (name) \
  { \
    name##_body (__i__); \
  } \
  GST_END_TEST \
  static void __attribute__ ((constructor)) name##_add (void) \
  { \
    suite_add (name, #name, begin, end); \
  } \
  static void name##_body (gint G_GNUC_UNUSED __i__)

/* Defines main(). The other arguments initialise a SuiteOptions. */
#define SUITE(name, ...) \
  int main (int argc, char **argv) \
  { \
    const SuiteOptions options = {__VA_ARGS__}; \
\
    gst_check_init (&argc, &argv); \
    return suite_run (name, &options); \
  }

typedef struct
{
  void (*setup) (void);         /* before each test */
  void (*teardown) (void);      /* after each test */
  int timeout; /* of a test in seconds; 0: CK_DEFAULT_TIMEOUT, -1: none */
} SuiteOptions;

void suite_add (TFun test, const gchar * name, int begin, int end);

/* Runs all tests that were added. Returns the exit status. */
int suite_run (const gchar * name, const SuiteOptions * options);

#endif /* __CCA_TEST_SUITE_H__ */
