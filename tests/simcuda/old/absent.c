/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Without a CUDA driver that is new enough there is no engine, and a sentence
 * why. */

#include <stdio.h>

#include "cca-cuda.h"

int main(void)
{
    const CcaCudaOptions options = { 0 };
    const char *why = NULL, *missing = NULL;
    CcaEngine *engine = (CcaEngine *) &options;

    if (cca_cuda_load(&missing) == CCA_OK) {
        printf("skipped: there is a CUDA driver\n");
        return 77;
    }
    const CcaStatus status = cca_cuda_open(&engine, &options, &why);
    const CcaStatus again = cca_cuda_open(&engine, &options, NULL);
    printf("%s: %s\n", cca_status_string(status), why);
    return status != CCA_ERROR_NO_DRIVER || again != status || engine != NULL || why != missing;
}
