/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#include <execinfo.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "check.h"
#include "run.h"

static const Check *running;
static const int signals[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTERM, SIGINT };
#define N_SIGNALS (sizeof(signals) / sizeof(signals[0]))
static struct sigaction before[N_SIGNALS];

static void say_case(const char *const cause)
{
    if (running == NULL || running->group == NULL)
        return;
    char line[256], text[512];
    check_replay_line(running, running->index, line, sizeof(line));
    snprintf(text, sizeof(text), "\nFAIL %s/%" PRIu64 ", engine %s: %s\n  replay: %s\n",
             running->group->name, running->index, running->engine ? running->engine->name : "-",
             cause, line);
    running = NULL; /* once */
    if (write(STDOUT_FILENO, text, strlen(text)) < 0) {
        /* nothing left to do */
    }
}

static void on_sanitizer_report(void)
{
    say_case("sanitizer report");
}

/* Prints the call stack at the timeout, as addresses for addr2line. */
static void say_where(void)
{
    void *callers[32];
    backtrace_symbols_fd(callers, backtrace(callers, sizeof(callers) / sizeof(*callers)),
                         STDOUT_FILENO);
}

/* Says which case it was, then lets the signal happen again as if this handler
 * were not there, for a sanitizer or a core dump. */
static void on_signal(const int number)
{
    char cause[32];
    snprintf(cause, sizeof(cause), "signal %d", number);
    say_case(cause);
    if (number == SIGTERM)
        say_where();
    for (size_t i = 0; i < N_SIGNALS; i++)
        sigaction(signals[i], &before[i], NULL);
    if (number == SIGABRT || number == SIGTERM || number == SIGINT)
        raise(number);
}

/* There if built with -fsanitize. */
extern void __sanitizer_set_death_callback(void (*)(void)) __attribute__((weak));

void run_catch_signals(const Check *const k)
{
    if (__sanitizer_set_death_callback)
        __sanitizer_set_death_callback(on_sanitizer_report);
    struct sigaction action = { .sa_handler = on_signal };
    void *caller;
    backtrace(&caller, 1); /* the first call loads a library: not in a handler */
    running = k;
    for (size_t i = 0; i < N_SIGNALS; i++)
        sigaction(signals[i], &action, &before[i]);
}

double run_clock(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double) t.tv_sec + 1e-9 * (double) t.tv_nsec;
}

static void progress(const Check *const k, const uint64_t count)
{
    static double last;
    const double now = run_clock();
    if (!isatty(STDERR_FILENO) || now - last < 0.1)
        return;
    last = now;
    fprintf(stderr, "\r\033[K%s %" PRIu64 "/%" PRIu64, k->group->name, k->index, count);
}

/* Whether a case is in the part to be run, which does not depend on the seed. */
static bool in_part(const Options *const o, const Group *const g, const uint64_t index)
{
    Rng r = rng_for(0, g->name, index);
    return rng_below(&r, o->n_parts) == o->part - 1;
}

static bool has_ended(const Check *const k)
{
    return k->options->stop && k->n_differences != 0;
}

/* Restarts all engines, so that a group gives the same results alone and among others. */
static void run_group(Check *const k, const Group *const g, GroupFigures *const figures)
{
    const Options *const o = k->options;
    const uint64_t count = g->count(o->set);
    uint64_t first = 0, last = count;
    if (o->group != NULL) {
        first = o->first;
        last = o->last < count ? o->last + 1 : count;
    }
    const double start = run_clock();
    const uint64_t n_cases = k->n_cases, n_differences = k->n_differences;
    k->group = g;
    k->n_reported = 0;
    engines_close(&k->engines);
    for (k->index = first; k->index < last && !has_ended(k); k->index++) {
        if (!in_part(o, g, k->index))
            continue;
        g->run(k, k->index);
        k->n_cases++;
        progress(k, count);
    }
    if (isatty(STDERR_FILENO))
        fputs("\r\033[K", stderr);
    *figures = (GroupFigures) {
        .name = g->name,
        .n_cases = k->n_cases - n_cases,
        .n_differences = k->n_differences - n_differences,
        .seconds = run_clock() - start,
    };
    if (o->verbose)
        printf("%-20s %8" PRIu64 " cases %6" PRIu64 " differences %8.2f s\n", g->name,
               figures->n_cases, figures->n_differences, figures->seconds);
    fflush(stdout);
}

static bool has_gpu(const Engines *const engines)
{
    for (uint32_t i = 0; i < engines->n; i++)
        if (engine_is_on_gpu(&engines->list[i]))
            return true;
    return false;
}

static bool selected(const Check *const k, const Group *const g)
{
    const Options *const o = k->options;
    if (o->group != NULL)
        return strcmp(g->name, o->group) == 0;
    if (o->filter != NULL)
        return strstr(g->name, o->filter) != NULL;
    return g->use != USE_GPU || o->set == SET_FULL || has_gpu(&k->engines);
}

uint32_t run_groups(Check *const k, GroupFigures *const figures)
{
    uint32_t n = 0;
    const double start = run_clock();
    for (uint32_t i = 0; i < n_groups; i++)
        if (selected(k, groups[i]) && !has_ended(k))
            run_group(k, groups[i], &figures[n++]);
    k->group = NULL;
    k->seconds = run_clock() - start;
    running = NULL; /* it is the caller's, and later failures belong to no case */
    return n;
}
