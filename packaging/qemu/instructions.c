/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* A plugin of QEMU that prints how many instructions a program executed, on standard error:
 *
 *     qemu-aarch64 -plugin ./libinstructions.so -d plugin PROGRAM
 *
 * QEMU's header is not in a package of Debian 13; these are its declarations. */

#include <inttypes.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define EXPORT __attribute__((visibility("default")))

typedef uint64_t PluginId;
struct qemu_plugin_tb;

void qemu_plugin_register_vcpu_tb_trans_cb(PluginId id,
                                           void (*cb)(PluginId id, struct qemu_plugin_tb *tb));
size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *tb);
void qemu_plugin_register_vcpu_tb_exec_cb(struct qemu_plugin_tb *tb,
                                          void (*cb)(unsigned int vcpu, void *data), int flags,
                                          void *data);
void qemu_plugin_register_atexit_cb(PluginId id, void (*cb)(PluginId id, void *data), void *data);
void qemu_plugin_outs(const char *string);

EXPORT int qemu_plugin_version = 4;
EXPORT int qemu_plugin_install(PluginId id, const void *info, int argc, char **argv);

static uint64_t n;

static void execute(const unsigned int vcpu, void *const data)
{
    (void) vcpu;
    __atomic_fetch_add(&n, (uintptr_t) data, __ATOMIC_RELAXED);
}

static void translate(const PluginId id, struct qemu_plugin_tb *const tb)
{
    (void) id;
    qemu_plugin_register_vcpu_tb_exec_cb(tb, execute, 0, (void *) qemu_plugin_tb_n_insns(tb));
}

static void end(const PluginId id, void *const data)
{
    char text[64];
    (void) id;
    (void) data;
    snprintf(text, sizeof(text), "%" PRIu64 " instructions\n", n);
    qemu_plugin_outs(text);
}

int qemu_plugin_install(const PluginId id, const void *const info, const int argc,
                        char **const argv)
{
    (void) info;
    (void) argc;
    (void) argv;
    qemu_plugin_register_vcpu_tb_trans_cb(id, translate);
    qemu_plugin_register_atexit_cb(id, end, NULL);
    return 0;
}
