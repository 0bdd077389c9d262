/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* A CUDA driver so old that it has little more than a name. */

__attribute__((visibility("default"))) int cuInit(unsigned int flags);

int cuInit(const unsigned int flags)
{
    return (int) flags;
}
