/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#include "suite.h"

typedef struct
{
  TFun run;
  const gchar *name;
  int begin, end;
} Test;

static GSList *tests; /* of Test, last one first */

void
suite_add (TFun run, const gchar *name, int begin, int end)
{
  const Test test = {run, name, begin, end};

  tests = g_slist_prepend (tests, g_memdup2 (&test, sizeof (test)));
}

int
suite_run (const gchar *name, const SuiteOptions *options)
{
  Suite *suite = suite_create (name);
  TCase *tc = tcase_create ("general");
  GSList *l;

  suite_add_tcase (suite, tc);
  tcase_add_checked_fixture (tc, options->setup, options->teardown);
  if (options->timeout != 0)
    tcase_set_timeout (tc, MAX (options->timeout, 0));
  tests = g_slist_reverse (tests);
  for (l = tests; l != NULL; l = l->next) {
    const Test *test = l->data;

    _tcase_add_test (tc, test->run, test->name, 0, 0, test->begin, test->end);
  }
  g_slist_free_full (g_steal_pointer (&tests), g_free);
  return gst_check_run_suite (suite, name, name);
}
