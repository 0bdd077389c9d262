/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cca.h"
#include "options.h"

static const char usage[] =
    "usage: checkcca [OPTION]...\n"
    "\n"
    "Compares every engine with a flood fill, bit for bit.\n"
    "\n"
    "  --set SET            tiny, quick (default) or full\n"
    "  --seed N             of all random choices (default: from the clock)\n"
    "  --filter TEXT        only groups whose name contains TEXT\n"
    "  --engine NAME        only this engine, or those whose name starts so\n"
    "  --case GROUP/N[-M]   only case N (to M) of GROUP; implies --verbose\n"
    "  --part K/N           of the cases that remain those of part K of N (1/N to\n"
    "                       N/N); which part a case is in is as good as random\n"
    "  --stop               end after the first case with a difference\n"
    "  --list               list groups of cases and engines\n"
    "  --json[=FILE]        write the figures as JSON; without FILE, to standard\n"
    "                       output, before the last line\n"
    "  --verbose            name each group, report each failing case;\n"
    "                       with --bench, time each level\n"
    "  --help               show this text\n"
    "\n"
    "  --bench              time the engines instead, against OpenCV if built in\n"
    "  --quick              fewer densities and repeats\n"
    "  --frames FILE        also time these raw GRAY8 frames, one after the other;\n"
    "                       made for instance by\n"
    "                         gst-launch-1.0 filesrc location=VIDEO ! decodebin !\n"
    "                           videoconvertscale ! filesink location=FILE\n"
    "                       with caps video/x-raw,format=GRAY8,width=W,height=H\n"
    "  --size WxH           of these frames (default 1920x1080)\n"
    "  --threshold N        for these frames (default 128)\n"
    "  --foreground MODE    for these frames: threshold (default), otsu, difference or\n"
    "                       sigma-delta; the last two take the frames one after the\n"
    "                       other, and are timed against OpenCV's MOG2 and KNN\n"
    "  --open-radius N      for these frames (default 0)\n"
    "  --close-radius N     for these frames (default 0)\n"
    "  --absorb-after N     for these frames, with sigma-delta (default 0)\n"
    "  --light              for these frames: compensate changes of light\n"
    "\n"
    "Exit status: 0 no difference, 1 a difference, 2 a bad option.\n";

static const char *const set_names[] = { "tiny", "quick", "full" };

const char *set_name(const Set set)
{
    return set_names[set];
}

static bool parse_number(const char *const text, uint64_t *const value, const char **const end)
{
    char *after;
    *value = strtoull(text, &after, 0);
    *end = after;
    return after != text && *text != '-';
}

static int refuse(const char *const option, const char *const value)
{
    fprintf(stderr, "checkcca: '%s' is no value for --%s; see --help\n", value, option);
    return 2;
}

static bool parse_set(Options *const o, const char *const text)
{
    for (int i = SET_TINY; i <= SET_FULL; i++)
        if (strcmp(text, set_names[i]) == 0) {
            o->set = (Set) i;
            return true;
        }
    return false;
}

/* GROUP/N or GROUP/N-M; cuts the text at the slash. */
static bool parse_case(Options *const o, char *const text)
{
    char *const slash = strrchr(text, '/');
    const char *end;
    if (slash == NULL || slash == text || !parse_number(slash + 1, &o->first, &end))
        return false;
    o->last = o->first;
    if (*end == '-' && !parse_number(end + 1, &o->last, &end))
        return false;
    if (*end != '\0' || o->last < o->first)
        return false;
    *slash = '\0';
    o->group = text;
    o->verbose = true;
    return true;
}

/* K/N */
static bool parse_part(Options *const o, const char *const text)
{
    uint64_t k, n;
    const char *end;
    if (!parse_number(text, &k, &end) || *end != '/' || !parse_number(end + 1, &n, &end) ||
        *end != '\0' || k == 0 || k > n || n > UINT32_MAX)
        return false;
    o->part = (uint32_t) k;
    o->n_parts = (uint32_t) n;
    return true;
}

static bool parse_size(Options *const o, const char *const text)
{
    uint64_t w, h;
    const char *end;
    if (!parse_number(text, &w, &end) || *end != 'x' || !parse_number(end + 1, &h, &end) ||
        *end != '\0' || w == 0 || h == 0 || w > INT32_MAX || h > INT32_MAX / w)
        return false;
    o->frame_width = (uint32_t) w;
    o->frame_height = (uint32_t) h;
    return true;
}

static bool parse_whole_number(const char *const text, const uint64_t most, uint64_t *const value)
{
    const char *end;
    return parse_number(text, value, &end) && *end == '\0' && *value <= most;
}

static bool parse_foreground(Options *const o, const char *const text)
{
    static const char *const names[] = { "threshold", "otsu", "difference", "sigma-delta" };
    for (uint32_t i = 0; i < sizeof(names) / sizeof(*names); i++)
        if (strcmp(text, names[i]) == 0) {
            o->foreground = i;
            return true;
        }
    return false;
}

static bool parse_property(const char *const text, const uint64_t most, uint32_t *const property)
{
    uint64_t number;
    if (!parse_whole_number(text, most, &number))
        return false;
    *property = (uint32_t) number;
    return true;
}

enum {
    OPT_SET,
    OPT_SEED,
    OPT_FILTER,
    OPT_ENGINE,
    OPT_CASE,
    OPT_PART,
    OPT_STOP,
    OPT_LIST,
    OPT_JSON,
    OPT_VERBOSE,
    OPT_HELP,
    OPT_BENCH,
    OPT_QUICK,
    OPT_FRAMES,
    OPT_SIZE,
    OPT_THRESHOLD,
    OPT_FOREGROUND,
    OPT_OPEN_RADIUS,
    OPT_CLOSE_RADIUS,
    OPT_ABSORB_AFTER,
    OPT_LIGHT,
};

static const struct option long_options[] = {
    { "set", required_argument, NULL, OPT_SET },
    { "seed", required_argument, NULL, OPT_SEED },
    { "filter", required_argument, NULL, OPT_FILTER },
    { "engine", required_argument, NULL, OPT_ENGINE },
    { "case", required_argument, NULL, OPT_CASE },
    { "part", required_argument, NULL, OPT_PART },
    { "stop", no_argument, NULL, OPT_STOP },
    { "list", no_argument, NULL, OPT_LIST },
    { "json", optional_argument, NULL, OPT_JSON },
    { "verbose", no_argument, NULL, OPT_VERBOSE },
    { "help", no_argument, NULL, OPT_HELP },
    { "bench", no_argument, NULL, OPT_BENCH },
    { "quick", no_argument, NULL, OPT_QUICK },
    { "frames", required_argument, NULL, OPT_FRAMES },
    { "size", required_argument, NULL, OPT_SIZE },
    { "threshold", required_argument, NULL, OPT_THRESHOLD },
    { "foreground", required_argument, NULL, OPT_FOREGROUND },
    { "open-radius", required_argument, NULL, OPT_OPEN_RADIUS },
    { "close-radius", required_argument, NULL, OPT_CLOSE_RADIUS },
    { "absorb-after", required_argument, NULL, OPT_ABSORB_AFTER },
    { "light", no_argument, NULL, OPT_LIGHT },
    { 0 },
};

static bool apply(Options *const o, const int option)
{
    switch (option) {
    case OPT_SET: return parse_set(o, optarg);
    case OPT_SEED: return parse_whole_number(optarg, UINT64_MAX, &o->seed);
    case OPT_FILTER: o->filter = optarg; return true;
    case OPT_ENGINE: o->engine = optarg; return true;
    case OPT_CASE: return parse_case(o, optarg);
    case OPT_PART: return parse_part(o, optarg);
    case OPT_STOP: return o->stop = true;
    case OPT_LIST: return o->list = true;
    case OPT_JSON: o->json_file = optarg; return o->json = true;
    case OPT_VERBOSE: return o->verbose = true;
    case OPT_BENCH: return o->bench = true;
    case OPT_QUICK: return o->quick = true;
    case OPT_FRAMES: o->frames = optarg; return true;
    case OPT_SIZE: return parse_size(o, optarg);
    case OPT_FOREGROUND: return parse_foreground(o, optarg);
    case OPT_OPEN_RADIUS: return parse_property(optarg, CCA_MAX_OPEN_RADIUS, &o->open_radius);
    case OPT_CLOSE_RADIUS: return parse_property(optarg, CCA_MAX_CLOSE_RADIUS, &o->close_radius);
    case OPT_ABSORB_AFTER: return parse_property(optarg, CCA_MAX_ABSORB_AFTER, &o->absorb_after);
    case OPT_LIGHT: o->light = true; return true;
    case OPT_THRESHOLD: return parse_property(optarg, UINT16_MAX, &o->threshold);
    }
    return false;
}

int options_parse(Options *const o, const int argc, char **const argv)
{
    *o = (Options) {
        .set = SET_QUICK,
        .part = 1,
        .n_parts = 1,
        .frame_width = 1920,
        .frame_height = 1080,
        .threshold = 128,
        .seed = (uint64_t) time(NULL),
    };
    int option, index = 0;
    while ((option = getopt_long(argc, argv, "", long_options, &index)) != -1) {
        if (option == OPT_HELP) {
            fputs(usage, stdout);
            return 0;
        }
        if (option == '?') {
            fputs("checkcca: see --help\n", stderr);
            return 2;
        }
        if (!apply(o, option))
            return refuse(long_options[index].name, optarg);
    }
    if (optind < argc) {
        fprintf(stderr, "checkcca: '%s' is no option; see --help\n", argv[optind]);
        return 2;
    }
    return -1;
}
