/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Replays files through a fuzz target, without a fuzzer: any compiler builds
 * this, and the corpus becomes an ordinary test. */

#include <dirent.h>
#include <errno.h>
#include <sys/stat.h>

#include "fuzz.h"

static unsigned n_replayed;

static int replay_file(const char *const path)
{
    FILE *const file = fopen(path, "rb");
    struct stat st;
    if (file == NULL || fstat(fileno(file), &st) != 0) {
        fprintf(stderr, "%s cannot be read: %s\n", path, strerror(errno));
        if (file != NULL)
            fclose(file);
        return 1;
    }
    const size_t size = (size_t) st.st_size;
    uint8_t *const data = exact(size);
    const size_t got = fread(data, 1, size, file);
    fclose(file);

    /* named before it runs: it may end the process */
    printf("%s (%zu bytes)\n", path, got);
    fflush(stdout);
    LLVMFuzzerTestOneInput(data, got);
    n_replayed++;
    free(data);
    return got != size;
}

static int is_visible(const struct dirent *const entry)
{
    return entry->d_name[0] != '.';
}

static int replay(const char *const path)
{
    struct dirent **entries;
    const int n = scandir(path, &entries, is_visible, alphasort);
    if (n < 0)
        return replay_file(path);

    int failed = 0;
    for (int i = 0; i < n; i++) {
        char name[4096];
        snprintf(name, sizeof(name), "%s/%s", path, entries[i]->d_name);
        failed |= replay_file(name);
        free(entries[i]);
    }
    free(entries);
    return failed;
}

int main(int argc, char **argv)
{
    LLVMFuzzerInitialize(&argc, &argv);
    if (argc < 2) {
        fprintf(stderr, "usage: %s FILE-OR-FOLDER...\n", argv[0]);
        return 2;
    }
    int failed = 0;
    for (int i = 1; i < argc; i++)
        failed |= replay(argv[i]);
    printf("%u inputs replayed\n", n_replayed);
    return failed || n_replayed == 0;
}
