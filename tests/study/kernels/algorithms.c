/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#include <string.h>

#include "study.h"

#define ICASSP "Lemaitre, Hennequin, Lacassagne, ICASSP 2021"
#define COMPAS "Hennequin, Lacassagne, Masliah, COMPAS 2019"
#define IPTA "Cabaret, Lacassagne, Etiemble, IPTA 2017"
#define TPDS "Playne, Hawick, IEEE TPDS 2018"
#define ALGORITHMS "Algorithms 16(2), 80, 2023"

#define OF_PIXELS .kind = STUDY_CCA, .gather = { "study_gather_pixels", STUDY_LINES_32 }
#define OF_RUNS .kind = STUDY_CCA, .corners = true, .gather = { "study_gather_runs", STUDY_ROWS }
#define OF_NODES .kind = STUDY_CCA, .corners = true, .nodes = true
#define LABEL_BY_PLAYNE                                                                     \
    { "study_playne_initialise_all", STUDY_LINES_32 }, { "study_resolve", STUDY_LINES_32 }, \
        { "study_playne_reduce", STUDY_LINES_32 },                                          \
    {                                                                                       \
        "study_resolve", STUDY_LINES_32                                                     \
    }
#define FEATURES_BY_TMK                                                                         \
    { "study_tmk_initialise", STUDY_NODES }, { "study_tmk_merge_shared", STUDY_NODES },         \
        { "study_tmk_merge_global", STUDY_TOGETHER }, { "study_tmk_update_size", STUDY_NODES }, \
    {                                                                                           \
        "study_tmk_balance", STUDY_NODES                                                        \
    }
#define OF_LABELS .kind = STUDY_CCL
#define OF_LABELS_4_8 OF_LABELS, .corners = true
#define OF_LABELS_FROM_1 OF_LABELS_4_8, .first_label = 1

const StudyAlgorithm study_algorithms[] = {
    {
        .name = "naive", .paper = ICASSP, OF_PIXELS,
        .steps = {
            { "study_ha_strips", STUDY_STRIPS },
            { "study_ha4_64_borders", STUDY_BORDERS_64 },
            { "study_ha4_64_relabel", STUDY_LINES_64 },
            { "study_naive_features", STUDY_LINES_32 },
        },
    },
    {
        .name = "ha-32", .paper = COMPAS, OF_PIXELS,
        .steps = {
            { "study_ha_32_strips", STUDY_STRIPS },
            { "study_ha4_32_borders", STUDY_BORDERS_32 },
            { "study_ha_32_features", STUDY_LINES_32 },
        },
    },
    {
        .name = "ha", .paper = COMPAS " and " ICASSP, OF_PIXELS,
        .steps = {
            { "study_ha_strips", STUDY_STRIPS },
            { "study_ha4_64_borders", STUDY_BORDERS_64 },
            { "study_ha_features", STUDY_LINES_64 },
        },
    },
    {
        .name = "ha-otf", .paper = ICASSP, OF_PIXELS,
        .steps = {
            { "study_ha_otf_strips", STUDY_STRIPS },
            { "study_ha_otf_borders", STUDY_BORDERS_64 },
        },
    },
    {
        .name = "ha-cd", .paper = ICASSP, OF_PIXELS,
        .steps = {
            { "study_ha_strips", STUDY_STRIPS },
            { "study_ha4_64_borders", STUDY_BORDERS_64 },
            { "study_ha_cd_features", STUDY_LINES_64 },
        },
    },
    {
        .name = "flsl", .paper = ICASSP, OF_RUNS,
        .steps = {
            { "study_flsl_strips", STUDY_STRIPS },
            { "study_flsl_borders", STUDY_ROW_BORDERS },
            { "study_flsl_features", STUDY_ROWS },
        },
    },
    {
        .name = "flsl-otf", .paper = ICASSP, OF_RUNS,
        .steps = {
            { "study_flsl_otf_strips", STUDY_STRIPS },
            { "study_flsl_otf_borders", STUDY_ROW_BORDERS },
        },
    },
    {
        .name = "flsl-cd", .paper = ICASSP, OF_RUNS,
        .steps = {
            { "study_flsl_strips", STUDY_STRIPS },
            { "study_flsl_borders", STUDY_ROW_BORDERS },
            { "study_flsl_cd_features", STUDY_ROWS },
        },
    },
    {
        .name = "ha4-32", .paper = COMPAS, OF_LABELS,
        .steps = {
            { "study_ha4_32_strips", STUDY_STRIPS },
            { "study_ha4_32_borders", STUDY_BORDERS_32 },
            { "study_ha4_32_relabel", STUDY_LINES_32 },
        },
    },
    {
        .name = "ha4-64", .paper = COMPAS, OF_LABELS,
        .steps = {
            { "study_ha4_64_strips", STUDY_STRIPS },
            { "study_ha4_64_borders", STUDY_BORDERS_64 },
            { "study_ha4_64_relabel", STUDY_LINES_64 },
        },
    },
    {
        .name = "komura", .paper = "Komura, CPC 2015", OF_LABELS_4_8,
        .steps = {
            { "study_komura_initialise", STUDY_LINES_32 },
            { "study_resolve", STUDY_LINES_32 },
            { "study_komura_reduce", STUDY_LINES_32 },
            { "study_resolve", STUDY_LINES_32 },
        },
    },
    {
        .name = "playne", .paper = TPDS, OF_LABELS_4_8,
        .steps = {
            { "study_playne_initialise", STUDY_LINES_32 },
            { "study_resolve", STUDY_LINES_32 },
            { "study_playne_reduce", STUDY_LINES_32 },
            { "study_resolve", STUDY_LINES_32 },
        },
    },
    {
        .name = "playne-tiles", .paper = TPDS, OF_LABELS,
        .steps = {
            { "study_playne_tiles", STUDY_LINES_32 },
            { "study_playne_merge", STUDY_LINES_32 },
            { "study_resolve", STUDY_LINES_32 },
        },
    },
    {
        .name = "tmk", .paper = ALGORITHMS, OF_NODES,
        .steps = {
            LABEL_BY_PLAYNE, FEATURES_BY_TMK,
        },
    },
    {
        .name = "dlp", .paper = IPTA, OF_LABELS_FROM_1,
        .steps = {
            { "study_dlp_tiles", STUDY_TILES },
            { "study_dlp_merge", STUDY_TILES },
            { "study_dlp_relabel", STUDY_TILES },
        },
    },
    {
        .name = "dlp-set-root", .paper = IPTA, OF_LABELS_FROM_1,
        .steps = {
            { "study_dlp_set_root_tiles", STUDY_TILES },
            { "study_dlp_merge", STUDY_TILES },
            { "study_dlp_relabel", STUDY_TILES },
        },
    },
};
const uint32_t n_study_algorithms = sizeof(study_algorithms) / sizeof(*study_algorithms);

const StudyAlgorithm study_stream = {
    .name = "stream", .paper = ALGORITHMS, OF_NODES,
    .steps = {
        LABEL_BY_PLAYNE,
        { "study_inherit_clear", STUDY_PAIRS },
        { "study_inherit_count", STUDY_LINES_32 },
        { "study_inherit_best", STUDY_PAIRS },
        { "study_inherit_ids", STUDY_PAIRS },
        { "study_inherit_count_new", STUDY_PIXELS },
        { "study_inherit_number", STUDY_PIXELS },
        { "study_inherit_relabel", STUDY_LINES_32 },
        FEATURES_BY_TMK,
    },
};

const StudyAlgorithm *study_find(const char *const name)
{
    for (uint32_t i = 0; i < n_study_algorithms; i++)
        if (strcmp(study_algorithms[i].name, name) == 0)
            return &study_algorithms[i];
    return NULL;
}
