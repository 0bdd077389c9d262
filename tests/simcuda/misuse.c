/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Breaks each of the rules that the simulated driver watches, in a process of
 * its own, and looks whether it was reported. */

#include <dlfcn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cuda/driver.h"
#include "cuda/image.h"

#define MORE_CALLS(X)                                                                     \
    X(ctx_create, "cuCtxCreate_v2", (CUcontext * c, unsigned int flags, CUdevice device)) \
    X(ctx_destroy, "cuCtxDestroy_v2", (CUcontext c))                                      \
    X(copy_to_host_async, "cuMemcpyDtoHAsync_v2",                                         \
      (void *to, CUdeviceptr from, size_t size, CUstream s))                              \
    X(stream_create, "cuStreamCreate", (CUstream * s, unsigned int flags))                \
    X(stream_destroy, "cuStreamDestroy_v2", (CUstream s))                                 \
    X(stream_synchronize, "cuStreamSynchronize", (CUstream s))

static CcaCudaDriver cu;
static struct {
#define FIELD(field, name, type) CUresult(CUDAAPI *field) type;
    MORE_CALLS(FIELD)
#undef FIELD
} more;

#define N_WORDS 64
#define SIZE (N_WORDS * sizeof(uint32_t))

typedef struct Words { /* as in misuse.cuh */
    CUdeviceptr data;
    uint32_t n;
} Words;

/* The set-up of the cases, which those without a crash release again. */
static CUcontext context;
static CUstream stream;
static CUdeviceptr memory;
static CUmodule module;

static void set_up(void)
{
    void *const library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
#define LOAD(table, field, name)                                                       \
    if (library == NULL || (*(void **) &table.field = dlsym(library, name)) == NULL) { \
        fprintf(stderr, "no %s\n", name);                                              \
        _exit(3);                                                                      \
    }
#define LOAD_CU(field, name, type) LOAD(cu, field, name)
#define LOAD_MORE(field, name, type) LOAD(more, field, name)
    CCA_CUDA_CALLS(LOAD_CU)
    MORE_CALLS(LOAD_MORE)
    if (cu.init(0) || more.ctx_create(&context, 0, 0) || more.stream_create(&stream, 0) ||
        cu.mem_alloc(&memory, SIZE) || cu.module_load(&module, "image"))
        _exit(4);
}

static void take_down(void)
{
    more.stream_synchronize(stream);
    cu.module_unload(module);
    cu.mem_free(memory);
    more.stream_destroy(stream);
    more.ctx_destroy(context);
}

/* The attributes have none or one. */
static CUresult launch_arg(CUlaunchConfig config, CUlaunchAttribute *const attribute,
                           const char *const name, void *const arg)
{
    CUfunction f;
    void *params[] = { arg };
    config.gridDimY = config.gridDimZ = 1;
    config.blockDimX = N_WORDS;
    config.blockDimY = config.blockDimZ = 1;
    config.hStream = stream;
    config.attrs = attribute;
    config.numAttrs = attribute != NULL;
    if (cu.module_function(&f, module, name) != CUDA_SUCCESS)
        _exit(5);
    return cu.launch(&config, f, params, NULL);
}

/* Memory is that of the kernel's argument. */
static CUresult launch_with(const CUlaunchConfig config, CUlaunchAttribute *const attribute,
                            const char *const name, const CUdeviceptr p)
{
    return launch_arg(config, attribute, name, &(Words) { p, N_WORDS });
}

static CUresult launch_after(const char *const name, const CUdeviceptr p)
{
    CUlaunchAttribute overlap = {
        .id = CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION,
        .value.programmaticStreamSerializationAllowed = 1,
    };
    return launch_with((CUlaunchConfig) { .gridDimX = 1 }, &overlap, name, p);
}

static CUresult launch(const char *const name, const CUdeviceptr p)
{
    return launch_with((CUlaunchConfig) { .gridDimX = 1 }, NULL, name, p);
}

static uint32_t words_here[N_WORDS];

/* Copies the words, which are to be N_WORDS - 1 down to 0, with `more_each` added. */
static void compare_backwards(const uint32_t more_each, const bool waits)
{
    bool right = more.copy_to_host_async(words_here, memory, SIZE, stream) == CUDA_SUCCESS &&
                 (!waits || more.stream_synchronize(stream) == CUDA_SUCCESS);
    for (uint32_t i = 0; i < N_WORDS; i++)
        right = right && words_here[i] == N_WORDS - 1 - i + more_each;
    if (!right)
        fprintf(stderr, "wrong words\n");
}

static void expect_backwards(const uint32_t more_each, const bool waits)
{
    compare_backwards(more_each, waits);
    take_down();
}

/* --- the cases ------------------------------------------------------------ */

static void none(void)
{
    launch("misuse_none", memory);
    expect_backwards(0, true);
}

static void race(void)
{
    launch("misuse_race", memory);
    expect_backwards(0, true);
}

static void copy_without_wait(void)
{
    launch("misuse_none", memory);
    expect_backwards(0, false);
}

/* A kernel that may begin before the one before it is done: it waits, */
static void overlap(void)
{
    launch("misuse_none", memory);
    launch_after("misuse_next", memory);
    expect_backwards(1, true);
}

/* and keeps its shared memory, though the other one, which has some by its launch, ends; */
static void overlap_keeps(void)
{
    launch("misuse_none", memory);
    launch_with((CUlaunchConfig) { .gridDimX = 1, .sharedMemBytes = SIZE }, NULL, "misuse_next",
                memory);
    launch_after("misuse_next_keeps", memory);
    expect_backwards(2, true);
}

/* does not, */
static void overlap_early(void)
{
    launch("misuse_none", memory);
    launch_after("misuse_next_early", memory);
    expect_backwards(1, true);
}

/* or has none before it. */
static void overlap_memset(void)
{
    cu.memset_d8_async(memory, 0, SIZE, stream);
    launch_after("misuse_next", memory);
    take_down();
}

/* Blocks that wait for each other, in a cooperative launch or not. */
static void run_grid(const char *const name, const uint32_t n_blocks, const bool cooperative)
{
    CUlaunchAttribute attribute = {
        .id = CU_LAUNCH_ATTRIBUTE_COOPERATIVE,
        .value.cooperative = cooperative,
    };
    cu.memset_d8_async(memory, 0, SIZE, stream);
    launch_with((CUlaunchConfig) { .gridDimX = n_blocks }, &attribute, name, memory);
    if (more.copy_to_host_async(words_here, memory, SIZE, stream) != CUDA_SUCCESS ||
        more.stream_synchronize(stream) != CUDA_SUCCESS || words_here[4] != 2 || words_here[5] != 1)
        fprintf(stderr, "wrong words\n");
    take_down();
}

static void grid(void)
{
    run_grid("misuse_grid", 2, true);
}

static void grid_too_large(void)
{
    run_grid("misuse_grid", 2 * 2048 / N_WORDS + 1, true);
}

static void grid_apart(void)
{
    run_grid("misuse_grid", 2, false);
}

static void grid_left_out(void)
{
    run_grid("misuse_grid_left_out", 2, true);
}

/* More shared memory than without asking for it; asked for, but not as much. */
static void shared_unasked(void)
{
    launch_with((CUlaunchConfig) { .gridDimX = 1, .sharedMemBytes = 48 * 1024 + 1 }, NULL,
                "misuse_none", memory);
    take_down();
}

static void shared_asked(void)
{
    CUfunction f;
    CUlaunchConfig config = { .gridDimX = 1, .sharedMemBytes = 64 * 1024 };
    if (cu.module_function(&f, module, "misuse_none") != CUDA_SUCCESS ||
        cu.func_set_attribute(f, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 64 * 1024) !=
            CUDA_SUCCESS)
        fprintf(stderr, "no shared memory\n");
    launch_with(config, NULL, "misuse_none", memory);
    config.sharedMemBytes++;
    launch_with(config, NULL, "misuse_none", memory);
    take_down();
}

/* A kernel on one stream, then one on another that waits for an event: it was recorded, */
static void two_streams(const bool recorded)
{
    const CUstream first = stream;
    CUevent event;
    cu.event_create(&event, 0);
    launch("misuse_none", memory);
    if (recorded)
        cu.event_record(event, first);
    more.stream_create(&stream, 0);
    cu.stream_wait_event(stream, event, 0);
    launch("misuse_next", memory);
    compare_backwards(1, true);
    more.stream_synchronize(first);
    more.stream_destroy(first);
    cu.event_destroy(event);
    take_down();
}

static void stream_wait(void)
{
    two_streams(true);
}

/* or there is no wait. */
static void stream_wait_unrecorded(void)
{
    two_streams(false);
}

static void leak(void)
{
    CUdeviceptr p;
    cu.mem_alloc(&p, 1000);
    take_down();
}

static void leak_host(void)
{
    void *p;
    cu.host_alloc(&p, 1000, 0);
    take_down();
}

static void leak_event(void)
{
    CUevent e;
    cu.event_create(&e, 0);
    take_down();
}

static void leak_stream(void)
{
    CUcontext c;
    CUstream s;
    more.ctx_create(&c, 0, 0);
    more.stream_create(&s, 0);
    cu.ctx_pop(&c);
    take_down();
}

static void free_twice(void)
{
    cu.mem_free(memory);
    take_down();
}

static void copy_out_of_bounds(void)
{
    char words[SIZE + 1] = { 0 };
    more.copy_to_host_async(words, memory, SIZE + 1, stream);
    take_down();
}

static void copy_after_free(void)
{
    char words[SIZE];
    CUdeviceptr p;
    cu.mem_alloc(&p, SIZE);
    cu.mem_free(p);
    more.copy_to_host_async(words, p, SIZE, stream);
    take_down();
}

static CUdeviceptr freed(void)
{
    CUdeviceptr p;
    cu.mem_alloc(&p, SIZE);
    cu.mem_free(p);
    return p;
}

static void launch_after_free(void)
{
    launch("misuse_none", freed());
    take_down();
}

static void launch_image(CudaImage image)
{
    launch_arg((CUlaunchConfig) { .gridDimX = 1 }, NULL, "misuse_image", &image);
    take_down();
}

static void image_after_free(void)
{
    launch_image((CudaImage) { .data = (const uint8_t *) freed() });
}

static void threshold_after_free(void)
{
    launch_image((CudaImage) { .threshold = (const uint32_t *) freed() });
}

/* Numbers that look like a pointer to it are none. */
static void numbers_after_free(void)
{
    const CUdeviceptr p = freed();
    launch_image((CudaImage) { .low = (uint32_t) p, .range = (uint32_t) (p >> 32) });
}

static void free_in_flight(void)
{
    CUdeviceptr p;
    cu.mem_alloc(&p, SIZE);
    for (int i = 0; i < 100; i++)
        launch("misuse_none", p);
    cu.mem_free(p);
    take_down();
}

static void other_context(void)
{
    CUcontext other;
    more.ctx_create(&other, 0, 0);
    cu.memset_d8_async(memory, 0, SIZE, NULL);
    more.ctx_destroy(other);
    take_down();
}

static void no_context(void)
{
    CUcontext popped;
    CUdeviceptr p;
    cu.ctx_pop(&popped);
    cu.mem_alloc(&p, 1);
    cu.ctx_push(popped);
    take_down();
}

static void push_too_often(void)
{
    cu.ctx_push(context);
    more.stream_synchronize(stream);
}

static void pop_too_often(void)
{
    take_down();
    cu.ctx_pop(NULL);
}

static void run_kernel(const char *const name)
{
    launch(name, memory);
    take_down();
}

static const struct {
    const char *name;
    void (*run)(void);
    const char *report, *or ; /* part of the output; with AddressSanitizer */
} cases[] = {
    { "none", none, NULL, NULL },
    { "race", race, "wrong words", NULL },
    { "copy-without-wait", copy_without_wait, "wrong words", NULL },
    { "overlap", overlap, NULL, NULL },
    { "overlap-keeps", overlap_keeps, NULL, NULL },
    { "overlap-early", overlap_early, "wrong words", NULL },
    { "overlap-memset", overlap_memset, "before it in the stream, which is no kernel", NULL },
    { "stream-wait", stream_wait, NULL, NULL },
    { "stream-wait-unrecorded", stream_wait_unrecorded, "wrong words", NULL },
    { "grid", grid, NULL, NULL },
    { "grid-too-large", grid_too_large, "65 blocks do not run at the same time", NULL },
    { "grid-apart", grid_apart, "waits for blocks that need not run", NULL },
    { "grid-left-out", grid_left_out, "1 of 2 blocks wait for others", NULL },
    { "shared-unasked", shared_unasked, "49153 bytes of shared memory, of at most 49152", NULL },
    { "shared-asked", shared_asked, "65537 bytes of shared memory, of at most 65536", NULL },
    { "leak", leak, "allocation 1 of 1000 bytes of device memory was not freed", NULL },
    { "leak-host", leak_host, "of page-locked memory was not freed", NULL },
    { "leak-event", leak_event, "an event was not destroyed", NULL },
    { "leak-stream", leak_stream, "a stream was not destroyed", NULL },
    { "free-twice", free_twice, "freed already", NULL },
    { "copy-out-of-bounds", copy_out_of_bounds, "bytes 0 to 256 of allocation 0, which has 256",
      NULL },
    { "copy-after-free", copy_after_free, "used after it was freed", NULL },
    { "launch-after-free", launch_after_free, "argument 0 points to memory that was freed", NULL },
    { "image-after-free", image_after_free, "argument 0 points to memory that was freed", NULL },
    { "threshold-after-free", threshold_after_free, "argument 0 points to memory that was freed",
      NULL },
    { "numbers-after-free", numbers_after_free, NULL, NULL },
    { "free-in-flight", free_in_flight, "operations on it in flight", NULL },
    { "other-context", other_context, "belongs to another context", NULL },
    { "no-context", no_context, "no context is current", NULL },
    { "push-too-often", push_too_often, "pushed and not popped", NULL },
    { "pop-too-often", pop_too_often, "nothing was pushed", NULL },
    { "misuse_write_past_end", NULL, "was written to at byte 256", "use-after-poison" },
    { "misuse_lane_returned", NULL, "for lanes 0x80000000, of which 0x80000000 have returned",
      NULL },
    { "misuse_lanes_apart", NULL, "in another operation", NULL },
    { "misuse_not_in_mask", NULL, "its lane is not in the mask", NULL },
    { "misuse_shuffle_from_outside", NULL, "a lane that is not in the mask", NULL },
    { "misuse_barrier_left_out", NULL, "32 of 64 threads wait in __syncthreads, 32 have returned",
      NULL },
    { "misuse_unaligned", NULL, "not aligned", "misaligned address" },
};

/* Runs a case in a child; whether it ended as it should. */
static bool check(const size_t i, const bool verbose)
{
    static char text[1 << 16];
    int ends[2], status;
    fflush(NULL);
    if (pipe(ends) != 0)
        return false;
    const pid_t child = fork();
    if (child == 0) {
        alarm(60);
        dup2(ends[1], STDERR_FILENO);
        close(ends[0]);
        close(ends[1]);
        set_up();
        if (cases[i].run)
            cases[i].run();
        else
            run_kernel(cases[i].name);
        exit(0);
    }
    close(ends[1]);
    size_t n = 0;
    for (ssize_t got; (got = read(ends[0], text + n, sizeof(text) - 1 - n)) > 0;)
        n += (size_t) got;
    text[n] = '\0';
    close(ends[0]);
    if (child < 0 || waitpid(child, &status, 0) < 0)
        return false;
    const char *const report = cases[i].report, *const or = cases[i].or ;
    bool good;
    if (report == NULL)
        good = status == 0 && n == 0;
    else if (strcmp(report, "wrong words") == 0)
        good = status == 0 && strstr(text, report);
    else
        good = (WEXITSTATUS(status) == 99 && strstr(text, report)) ||
               (status != 0 && or &&strstr(text, or));
    printf("%s %s\n", good ? "ok    " : "not ok", cases[i].name);
    if (!good || verbose)
        printf("  status %#x\n%s", status, text);
    return good;
}

int main(const int argc, char **const argv)
{
    bool good = true;
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
        if (argc < 2 || strcmp(argv[1], cases[i].name) == 0)
            good = check(i, argc > 1) && good;
    return !good;
}
