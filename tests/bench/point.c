/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#include "point.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

bool point_parse(Point *const p, const char *const name)
{
    *p = (Point) { .name = name };
    if (strlen(name) >= sizeof(p->text))
        return false;
    strcpy(p->text, name);
    char *rest = p->text, *word;
    while ((word = strsep(&rest, "/")) != NULL) {
        if (p->n_words == POINT_MOST_WORDS)
            return false;
        p->words[p->n_words++] = word;
    }
    return true;
}

bool point_size(const char *const word, uint32_t *const width, uint32_t *const height)
{
    static const struct {
        const char *name;
        uint32_t width, height;
    } sizes[] = { { "1080p", 1920, 1080 }, { "4k", 3840, 2160 }, { "8k", 7680, 4320 } };
    for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++)
        if (strcmp(word, sizes[i].name) == 0) {
            *width = sizes[i].width;
            *height = sizes[i].height;
            return true;
        }
    int length = 0;
    return sscanf(word, "%5" SCNu32 "x%5" SCNu32 "%n", width, height, &length) == 2 &&
           word[length] == '\0' && *width > 0 && *height > 0;
}

bool point_features(const char *const word, const char *const before, uint32_t *const flags)
{
    static const struct {
        const char *name;
        uint32_t flags;
    } features[] = { { "moments", 1 }, { "intensity", 2 }, { "shape", 4 }, { "features", 7 } };
    if (strncmp(word, before, strlen(before)) != 0)
        return false;
    for (size_t i = 0; i < sizeof(features) / sizeof(*features); i++)
        if (strcmp(word + strlen(before), features[i].name) == 0) {
            *flags = features[i].flags;
            return true;
        }
    return false;
}

bool point_number(const char *word, const char *const before, const char *const after,
                  uint32_t *const number)
{
    if (strncmp(word, before, strlen(before)) != 0)
        return false;
    word += strlen(before);
    char *end;
    const unsigned long n = strtoul(word, &end, 10);
    if (*word < '0' || *word > '9' || strcmp(end, after) != 0 || n > UINT32_MAX)
        return false;
    *number = (uint32_t) n;
    return true;
}

/* Prints a sentence without the characters that JSON does not allow. */
static void print_string(const char *text)
{
    putchar('"');
    for (; *text != '\0'; text++) {
        if (*text == '"' || *text == '\\')
            putchar('\\');
        if ((unsigned char) *text >= ' ')
            putchar(*text);
    }
    putchar('"');
}

void point_begin(const Point *const p)
{
    printf("{\"point\": ");
    print_string(p->name);
}

void point_figure(const char *const figure, const double number)
{
    printf(", \"%s\": %.6g", figure, number);
}

void point_list(const char *const figure, const double *const numbers, const uint32_t n)
{
    printf(", \"%s\": [", figure);
    for (uint32_t i = 0; i < n; i++)
        printf("%s%.5g", i > 0 ? ", " : "", numbers[i]);
    putchar(']');
}

void point_text(const char *const key, const char *const text)
{
    printf(", \"%s\": ", key);
    print_string(text);
}

void point_end(void)
{
    printf("}\n");
    fflush(stdout);
}

void point_no_figures(const Point *const p, const bool failed, const char *const why)
{
    point_begin(p);
    point_text(failed ? "failed" : "skipped", why);
    point_end();
}
