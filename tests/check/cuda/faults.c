/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* On the simulated driver, each driver call of the elements fails: the first,
 * the second and so on until there are no more. Whether the project or
 * GStreamer made the call, no frame is wrong, nothing crashes, hangs or leaks,
 * and the next run is correct. If the project made it, there is one error in
 * one sentence. */

#include "faults.h"

#include <dlfcn.h>
#include <gst/gst.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cuda/driver.h"

/* Seconds until a run counts as hanging. */
#define WATCHDOG 60
#define N_CHILDREN 3

/* From one call to the next, after the first two. */
static guint step = 1;

#define SNOW "videotestsrc pattern=snow num-buffers="
#define SIZE ",width=64,height=48 "
#define CUDA "video/x-raw(memory:CUDAMemory)"

static const Scenario scenarios[] = {
  /* larger frames, then smaller ones */
  {"sizes",
    SNOW "3 ! capsfilter name=size ! cca connectivity=4 ! "
         "cudagrayupload ! cudacca connectivity=4 algorithm=tiled ! "
         "fakesink name=sink",
    2, 3, NULL,
    {"video/x-raw,format=GRAY8,width=64,height=48",
      "video/x-raw,format=GRAY8,width=80,height=70",
      "video/x-raw,format=GRAY8,width=32,height=24"},
    FALSE, 1},
  {"gray",
    SNOW "2 ! video/x-raw,format=GRAY8" SIZE
         "! cca ! cudagrayupload ! cudacca algorithm=flsl-cd ! "
         "cudagraydownload ! cca ! fakesink name=sink",
    3, 2, NULL, {NULL}, FALSE, 1},
  {"area",
    SNOW "1 ! video/x-raw,format=GRAY8" SIZE
         "! cca order=area max-components=9 ! cudagrayupload ! cudacca "
         "order=area max-components=9 ! fakesink name=sink",
    2, 1, "cuMemsetD8Async cuLaunchKernelEx", {NULL}, FALSE, 1},
  /* a background, and Otsu's threshold */
  {"moves",
    SNOW "3 ! video/x-raw,format=GRAY8" SIZE
         "! cca foreground=sigma-delta close-radius=1 ! cudagrayupload ! "
         "cudacca foreground=sigma-delta close-radius=1 ! fakesink name=sink",
    2, 3, "cuMemAlloc_v2 cuLaunchKernelEx cuEventRecord", {NULL}, FALSE, 1},
  {"otsu",
    SNOW "2 ! video/x-raw,format=GRAY8" SIZE
         "! cca foreground=otsu ! cudagrayupload ! cudacca foreground=otsu ! "
         "fakesink name=sink",
    2, 2, "cuMemAlloc_v2 cuLaunchKernelEx", {NULL}, FALSE, 1},
  /* the calls of several frames in flight */
  {"queue",
    SNOW "5 ! video/x-raw,format=GRAY8" SIZE
         "! cca foreground=difference ! cudagrayupload ! cudacca "
         "foreground=difference async-depth=2 ! fakesink name=sink",
    2, 5,
    "cuMemcpyDtoHAsync_v2 cuEventRecord cuEventSynchronize "
    "cuCtxPushCurrent_v2",
    {NULL}, FALSE, 1},
  {"upload",
    SNOW "2 ! video/x-raw,format=NV12" SIZE
         "! cca ! cudaupload ! cudacca ! cudadownload ! "
         "video/x-raw ! cca ! fakesink name=sink",
    3, 2, NULL, {NULL}, FALSE, 1},
  /* a label image, and its picture */
  {"mask",
    SNOW "2 ! video/x-raw,format=GRAY8" SIZE
         "! cca ! cudagrayupload ! cudacca meta-types=cca+labels ! "
         "cudaccamask mode=colors ! fakesink name=sink",
    2, 2,
    "cuCtxPushCurrent_v2 cuModuleLoadData cuModuleGetFunction "
    "cuModuleUnload cuLaunchKernelEx cuMemAllocPitch_v2 "
    "cuStreamSynchronize",
    {NULL}, FALSE, 1},
  {"view",
    SNOW "2 ! video/x-raw,format=NV12" SIZE "! cca ! cudaupload ! " CUDA
         " ! cudagrayupload ! cudacca ! "
         "cudagraydownload ! cca ! fakesink name=sink",
    3, 2, NULL, {NULL}, FALSE, 1},
  /* enough frames for a graph */
  {"graph",
    SNOW "7 ! video/x-raw,format=GRAY8" SIZE
         "! cca ! cudagrayupload ! cudacca ! fakesink name=sink",
    2, 7,
    "cuStreamIsCapturing cuGraphCreate cuGraphAddKernelNode_v2 "
    "cuGraphAddDependencies_v2 cuGraphInstantiateWithFlags "
    "cuGraphExecKernelNodeSetParams_v2 cuGraphLaunch cuGraphDestroy "
    "cuGraphExecDestroy",
    {NULL}, FALSE, 1},
  /* drawing on the frame, and on a copy of it */
  {"drawing",
    SNOW "2 ! video/x-raw,format=NV12" SIZE
         "! cca ! cudaupload ! cudaccaoverlay ! fakesink name=sink",
    1, 2, NULL, {NULL}, FALSE, 1},
  {"shared",
    SNOW "2 ! video/x-raw,format=GRAY8" SIZE
         "! cca ! cudagrayupload ! tee name=t ! cudaccaoverlay ! "
         "fakesink name=sink t. ! fakesink async=false",
    1, 2,
    "cuMemAllocPitch_v2 cuMemcpy2DAsync_v2 cuMemcpyHtoDAsync_v2 "
    "cuEventRecord cuLaunchKernelEx",
    {NULL}, FALSE, 1},
  /* from one GPU to another, within one stream; stopped in between, concat may
   * keep a frame */
  {"move",
    SNOW "1 ! video/x-raw,format=NV12" SIZE "! cca ! "
         "cudaupload cuda-device-id=0 ! concat name=all ! cudacca ! "
         "fakesink name=sink " SNOW "1 ! video/x-raw,format=NV12" SIZE
         "! cca ! cudaupload cuda-device-id=1 ! all.",
    2, 2, "cuMemAlloc_v2 cuModuleLoadData", {NULL}, TRUE, 2},
};

/* The required outcome when a call of the project fails. */
typedef enum
{
  REPORTED,
  REPORTED_OR_QUIET, /* it is also called before memory is freed */
  QUIET,
  NO_ELEMENT,
} Duty;

typedef struct
{
  const gchar *call;
  Duty duty;
  const gchar *errors[6];
  const gchar *before; /* another call that fails first */
} Case;

#define LOST "ILLEGAL_ADDRESS"

static const Case cases[] = {
  {"cuInit", NO_ELEMENT, {"DEVICE_UNAVAILABLE"}, NULL},
  {"cuDriverGetVersion", NO_ELEMENT, {"NOT_PERMITTED"}, NULL},
  {"cuGetErrorName", REPORTED, {"INVALID_VALUE"},
    "cuLaunchKernelEx:1:NOT_PERMITTED"},
  {"cuGetErrorName", REPORTED, {"INVALID_VALUE"},
    "cuLaunchKernelEx:1:LAUNCH_FAILED"},
  {"cuDeviceGetCount", NO_ELEMENT, {"NOT_PERMITTED"}, NULL},
  {"cuCtxPushCurrent_v2", REPORTED_OR_QUIET, {"DEVICE_UNAVAILABLE"}, NULL},
  {"cuCtxPopCurrent_v2", QUIET, {"NOT_PERMITTED"}, NULL},
  {"cuCtxGetDevice", REPORTED, {"NOT_PERMITTED"}, NULL},
  {"cuDeviceGetAttribute", REPORTED, {"DEVICE_UNAVAILABLE"}, NULL},
  {"cuModuleLoadData", REPORTED,
    {"OUT_OF_MEMORY", LOST, "NO_BINARY_FOR_GPU", "UNSUPPORTED_PTX_VERSION",
      "INVALID_PTX", "NOT_PERMITTED"},
    NULL},
  {"cuModuleUnload", QUIET, {"NOT_PERMITTED", LOST}, NULL},
  {"cuModuleGetFunction", REPORTED, {"NOT_PERMITTED"}, NULL},
  {"cuFuncGetAttribute", REPORTED, {"NOT_PERMITTED", LOST}, NULL},
  {"cuFuncSetAttribute", REPORTED, {"NOT_PERMITTED", LOST}, NULL},
  {"cuMemAlloc_v2", REPORTED, {"OUT_OF_MEMORY", LOST}, NULL},
  {"cuMemFree_v2", QUIET, {"NOT_PERMITTED", LOST}, NULL},
  {"cuMemHostAlloc", REPORTED, {"OUT_OF_MEMORY", LOST}, NULL},
  {"cuMemFreeHost", QUIET, {"NOT_PERMITTED", LOST}, NULL},
  {"cuMemcpyHtoDAsync_v2", REPORTED, {"NOT_PERMITTED", LOST}, NULL},
  {"cuMemsetD8Async", REPORTED, {"NOT_PERMITTED", LOST}, NULL},
  {"cuEventCreate", REPORTED, {"OUT_OF_MEMORY", LOST}, NULL},
  {"cuEventDestroy_v2", QUIET, {"NOT_PERMITTED", LOST}, NULL},
  {"cuEventRecord", REPORTED_OR_QUIET, {"NOT_PERMITTED", LOST}, NULL},
  {"cuEventSynchronize", REPORTED_OR_QUIET, {"NOT_PERMITTED", "LAUNCH_FAILED"},
    NULL},
  {"cuLaunchKernelEx", REPORTED, {"NOT_PERMITTED", "LAUNCH_FAILED"}, NULL},
  /* without a graph they are launches */
  {"cuStreamIsCapturing", QUIET, {"NOT_PERMITTED"}, NULL},
  {"cuStreamIsCapturing", REPORTED, {LOST}, NULL},
  {"cuGraphCreate", QUIET, {"OUT_OF_MEMORY", "NOT_PERMITTED"}, NULL},
  {"cuGraphCreate", REPORTED, {LOST}, NULL},
  {"cuGraphAddKernelNode_v2", QUIET, {"NOT_SUPPORTED"}, NULL},
  {"cuGraphAddKernelNode_v2", REPORTED, {LOST}, NULL},
  {"cuGraphAddDependencies_v2", QUIET, {"NOT_SUPPORTED"}, NULL},
  {"cuGraphAddDependencies_v2", REPORTED, {LOST}, NULL},
  {"cuGraphInstantiateWithFlags", QUIET, {"OUT_OF_MEMORY", "NOT_SUPPORTED"},
    NULL},
  {"cuGraphInstantiateWithFlags", REPORTED, {LOST}, NULL},
  {"cuGraphExecKernelNodeSetParams_v2", REPORTED, {"NOT_PERMITTED", LOST},
    NULL},
  {"cuGraphLaunch", REPORTED, {"NOT_PERMITTED", "LAUNCH_FAILED"}, NULL},
  {"cuGraphDestroy", QUIET, {"NOT_PERMITTED", LOST}, NULL},
  {"cuGraphExecDestroy", QUIET, {"NOT_PERMITTED", LOST}, NULL},
  /* calls of cudagrayupload, cudagraydownload and cudaccamask through
   * libgstcuda */
  {"cuMemAllocPitch_v2", REPORTED, {"OUT_OF_MEMORY", LOST}, NULL},
  {"cuStreamSynchronize", QUIET, {"NOT_PERMITTED", LOST}, NULL},
  {"cuMemcpy2DAsync_v2", REPORTED, {"NOT_PERMITTED", LOST}, NULL},
};

/* Any other call, which GStreamer makes. */
static const Case other_case = {NULL, QUIET, {"NOT_PERMITTED", LOST}, NULL};

static const gchar *const our_calls[] = {
#define NAME(field, name, type) name,
  CCA_CUDA_CALLS (NAME)
#undef NAME
};

/* Failures of one call, one after the other. */
typedef struct
{
  const Scenario *scenario;
  const Case *c;
  const gchar *call, *error;
  guint n_calls; /* in a run with nothing that fails, or 0 */
  guint n;       /* the call that fails now */
  guint n_reached, n_ours, n_left, outcomes[N_OUTCOMES];
} Job;

static guint n_failed, n_faults;

static const Case *
find_case (const gchar *call)
{
  guint i;

  for (i = 0; i < G_N_ELEMENTS (cases); i++)
    if (strcmp (cases[i].call, call) == 0)
      return &cases[i];
  return NULL;
}

/* --- children ------------------------------------------------------------- */

typedef struct
{
  pid_t pid;
  FILE *output;
  Job *job;
} Child;

/* Forks: the parent never loads a driver. */
static Child
begin (const Scenario *scenario, const gchar *faults, guint n,
    gboolean context_is_lost)
{
  Child child = {.output = tmpfile ()};

  fflush (NULL);
  child.pid = fork ();
  if (child.pid != 0)
    return child;
  dup2 (fileno (child.output), STDOUT_FILENO);
  dup2 (fileno (child.output), STDERR_FILENO);
  g_setenv (faults ? "SIMCUDA_FAIL" : "SIMCUDA_COUNT", faults ? faults : "1",
      TRUE);
  alarm (WATCHDOG);
  exit (run_scenario (scenario, n, context_is_lost));
}

static void
print_output (Child *child)
{
  char line[512];

  rewind (child->output);
  while (fgets (line, sizeof (line), child->output) != NULL)
    printf ("    | %s", line);
}

static gboolean
loses_context (const gchar *faults)
{
  return strstr (faults, LOST) != NULL
      || strstr (faults, "LAUNCH_FAILED") != NULL
      || strstr (faults, "cuCtxPushCurrent") != NULL;
}

static Child
begin_job (Job *job)
{
  gchar *faults = g_strdup_printf ("%s%s%s:%u:%s",
      job->c->before ? job->c->before : "", job->c->before ? "," : "",
      job->call, job->n, job->error);
  Child child = begin (job->scenario, faults, job->c->before ? 2 : 1,
      loses_context (faults));

  child.job = job;
  g_free (faults);
  return child;
}

/* Whether the call that failed last was ours, as the driver has printed it. */
static gboolean
was_ours (const Child *child)
{
  gboolean ours = FALSE;
  char line[512], in[64];

  rewind (child->output);
  while (fgets (line, sizeof (line), child->output) != NULL)
    if (sscanf (line, "simcuda: call %*u of %*s from %63s", in) == 1)
      ours = strncmp (in, "libgstcudacca.", 14) == 0;
  return ours;
}

/* An unexpected way in which the child ended, or NULL. */
static const gchar *
complaint (const Child *child, int status)
{
  const Job *job = child->job;
  gint code = WIFEXITED (status) ? WEXITSTATUS (status) : -1;
  Outcome outcome = code & OUTCOME_MASK;
  gboolean afterwards = code & OUTCOME_AFTERWARDS;

  if (WIFSIGNALED (status))
    return WTERMSIG (status) == SIGALRM ? "it hangs" : "it crashes";
  /* GStreamer leaks after some failures of its own calls */
  if (code == 99 && !was_ours (child))
    return NULL;
  if (code == 99)
    return "the driver was misused, or something was left behind";
  /* it does not look whether it could wait */
  if (outcome == OUTCOME_WRONG && !(code & OUTCOME_OURS)
      && strcmp (job->call, "cuStreamSynchronize") == 0)
    return NULL;
  if (outcome == OUTCOME_WRONG)
    return "a frame is wrong";
  if (outcome >= OUTCOME_BAD || code >= 0x40)
    return "it did what it must not";
  if (!(code & OUTCOME_OURS))
    return NULL;
  if (job->c == &other_case)
    return "we make a call that this test does not know";
  switch (job->c->duty) {
    case NO_ELEMENT:
      return outcome == OUTCOME_NO_ELEMENT ? NULL : "the element works";
    case REPORTED:
      return outcome == OUTCOME_REPORTED ? NULL : "it is not reported";
    case REPORTED_OR_QUIET:
      return outcome == OUTCOME_REPORTED || outcome == OUTCOME_RIGHT
          ? NULL
          : "it is not reported";
    default:
      return outcome == OUTCOME_RIGHT
              || (outcome == OUTCOME_REPORTED && !afterwards)
          ? NULL
          : "it is not quiet";
  }
}

/* Returns TRUE if there may be another call to fail. */
static gboolean
end_job (Child *child, int status)
{
  Job *job = child->job;
  const gchar *wrong = complaint (child, status);
  gboolean reached = wrong != NULL || WEXITSTATUS (status) != 0;

  if (wrong != NULL) {
    printf ("FAIL %s, call %u of %s fails with %s: %s (status 0x%x)\n",
        job->scenario->name, job->n, job->call, job->error, wrong, status);
    print_output (child);
    n_failed++;
    job->outcomes[OUTCOME_BAD]++;
  } else if (reached && WEXITSTATUS (status) == 99) {
    job->n_left++;
  } else if (reached) {
    job->outcomes[WEXITSTATUS (status) & OUTCOME_MASK]++;
    job->n_ours += (WEXITSTATUS (status) & OUTCOME_OURS) != 0;
  }
  fclose (child->output);
  n_faults += reached;
  job->n_reached += reached;
  job->n += job->n < 2 ? 1 : step;
  /* the full run tries it all the same */
  if (step > 1 && job->n_calls > 0 && job->n > job->n_calls)
    return FALSE;
  return reached && job->n < 500;
}

/* A few at once. */
static void
run_jobs (GArray *jobs)
{
  Child children[N_CHILDREN];
  guint n_children = 0, next = 0, i;

  while (n_children > 0 || next < jobs->len) {
    int status;
    pid_t pid;

    for (; n_children < N_CHILDREN && next < jobs->len; next++)
      children[n_children++] = begin_job (&g_array_index (jobs, Job, next));
    pid = wait (&status);
    for (i = 0; i < n_children && children[i].pid != pid; i++)
      ;
    if (i == n_children)
      continue;
    if (end_job (&children[i], status))
      children[i] = begin_job (children[i].job);
    else
      children[i] = children[--n_children];
  }
}

/* --- calls that can fail -------------------------------------------------- */

/* The first error in each scenario. Other errors, and calls at the start of an
 * engine, are tried in one scenario, and in one with frames in flight. */
static void
add_errors (GArray *jobs, const Scenario *scenario, const Case *c,
    const gchar *call, guint n_calls)
{
  guint i, j;

  for (i = 0; i < G_N_ELEMENTS (c->errors) && c->errors[i] != NULL; i++) {
    gboolean once = (i > 0 && strstr (scenario->line, "async-depth=") == NULL)
        || strcmp (call, "cuModuleGetFunction") == 0
        || g_str_has_prefix (call, "cuFunc");
    Job job = {scenario, c, g_strdup (call), c->errors[i], n_calls, 1, 0, 0, 0,
      {0}};

    for (j = 0; once && j < jobs->len; j++)
      if (strcmp (g_array_index (jobs, Job, j).call, call) == 0
          && g_array_index (jobs, Job, j).error == c->errors[i])
        break;
    if (!once || j == jobs->len)
      g_array_append_val (jobs, job);
  }
}

/* Runs it with nothing that fails, and adds the calls that are counted. */
static void
add_jobs (GArray *jobs, const Scenario *scenario)
{
  Child child = begin (scenario, NULL, 0, FALSE);
  char line[512], call[64];
  int status, n_calls = 0;
  guint i;

  waitpid (child.pid, &status, 0);
  if (!WIFEXITED (status) || WEXITSTATUS (status) != OUTCOME_RIGHT) {
    printf ("FAIL %s: with nothing that fails\n", scenario->name);
    print_output (&child);
    n_failed++;
  }
  rewind (child.output);
  while (fgets (line, sizeof (line), child.output) != NULL) {
    const Case *c;

    if (sscanf (line, "simcuda: %d %63s", &n_calls, call) != 2)
      continue;
    c = find_case (call);
    if (c == NULL)
      c = &other_case;
    if (c->before == NULL
        && (scenario->only == NULL || strstr (scenario->only, call) != NULL))
      add_errors (jobs, scenario, c, call, n_calls);
  }
  for (i = 0; i < G_N_ELEMENTS (cases); i++)
    if (cases[i].before != NULL && scenario->only == NULL)
      add_errors (jobs, scenario, &cases[i], cases[i].call, 0);
  fclose (child.output);
}

static void
print_jobs (const GArray *jobs)
{
  guint i;

  printf ("%-8s %-22s %-18s %6s %6s %6s %8s %6s %10s %9s\n", "", "call",
      "error", "faults", "ours", "right", "reported", "others", "no element",
      "not freed");
  for (i = 0; i < jobs->len; i++) {
    const Job *job = &g_array_index (jobs, Job, i);

    printf ("%-8s %-22s %-18s %6u %6u %6u %8u %6u %10u %9u\n",
        job->scenario->name, job->call, job->error, job->n_reached, job->n_ours,
        job->outcomes[OUTCOME_RIGHT], job->outcomes[OUTCOME_REPORTED],
        job->outcomes[OUTCOME_OTHERS], job->outcomes[OUTCOME_NO_ELEMENT],
        job->n_left);
  }
}

/* Each call of ours has a case, and was seen to fail: where all are tried, as
 * which of them is ours depends on how many GStreamer makes before it. */
static void
check_cases (const GArray *jobs)
{
  guint i, j;

  for (i = 0; i < G_N_ELEMENTS (our_calls); i++) {
    guint n = 0;

    for (j = 0; j < jobs->len; j++) {
      const Job *job = &g_array_index (jobs, Job, j);

      if (strcmp (job->call, our_calls[i]) == 0)
        n += job->n_ours;
    }
    /* for frames in flight on two streams, and for backgrounds in files, which
     * no scenario has */
    if (g_str_has_prefix (our_calls[i], "cuStreamWaitEvent")
        || g_str_has_prefix (our_calls[i], "cuStreamCreate")
        || g_str_has_prefix (our_calls[i], "cuStreamDestroy"))
      continue;
    if (find_case (our_calls[i]) == NULL || (n == 0 && step == 1)) {
      printf ("FAIL %s: %s\n", our_calls[i],
          find_case (our_calls[i]) == NULL
              ? "there is no case of it"
              : "no call of ours was made to fail");
      n_failed++;
    }
  }
}

/* To look at it: the run with these faults, in this process. */
static int
run_alone (const Scenario *scenario, const gchar *faults)
{
  guint n = 1 + (strchr (faults, ',') != NULL);

  g_setenv ("SIMCUDA_FAIL", faults, TRUE);
  return run_scenario (scenario, n, loses_context (faults));
}

/* Loads plugins once for all children; for those that load the driver only
 * their libraries. */
static void
load_plugins (void)
{
  const gchar *const harmless[] = {"cca", "coreelements", "videotestsrc"};
  const gchar *const others[] = {"cudacca", "nvcodec"};
  GstPlugin *plugin;
  guint i;

  for (i = 0; i < G_N_ELEMENTS (harmless); i++) {
    plugin = gst_plugin_load_by_name (harmless[i]);
    gst_clear_object (&plugin);
  }
  for (i = 0; i < G_N_ELEMENTS (others); i++) {
    plugin = gst_registry_find_plugin (gst_registry_get (), others[i]);
    if (plugin != NULL)
      dlopen (gst_plugin_get_filename (plugin), RTLD_LAZY);
    gst_clear_object (&plugin);
  }
}

int
main (int argc, char **argv)
{
  GArray *jobs = g_array_new (FALSE, FALSE, sizeof (Job));
  const gchar *other_step = g_getenv ("CCA_FAULTS_STEP");
  int status;
  guint i;

  if (other_step != NULL)
    step = MAX (1, atoi (other_step));
  /* plugins are looked at, and drivers loaded, by a child */
  if (fork () == 0) {
    gst_init (&argc, &argv);
    exit (0);
  }
  wait (&status);
  gst_init (&argc, &argv);
  load_plugins ();
  if (dlopen ("libcuda.so.1", RTLD_NOW | RTLD_NOLOAD) != NULL) {
    printf ("FAIL the driver is loaded too early\n");
    return 1;
  }

  if (argc == 3) {
    for (i = 0; i < G_N_ELEMENTS (scenarios); i++)
      if (strcmp (argv[1], scenarios[i].name) == 0)
        return run_alone (&scenarios[i], argv[2]);
    return 2;
  }
  for (i = 0; i < G_N_ELEMENTS (scenarios); i++)
    if (argc < 2 || strcmp (argv[1], scenarios[i].name) == 0)
      add_jobs (jobs, &scenarios[i]);
  run_jobs (jobs);
  print_jobs (jobs);
  if (argc < 2)
    check_cases (jobs);
  printf ("%u calls made to fail, %u failures\n", n_faults, n_failed);
  return n_failed > 0 || n_faults == 0;
}
