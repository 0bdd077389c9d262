/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef __GST_CCA_TYPE_NAME_H__
#define __GST_CCA_TYPE_NAME_H__

#include <glib-object.h>

/* Each plugin compiles its own copy of the shared files. GType names are
 * global in a process, so a second plugin must define its own prefix. */
#ifndef GST_CCA_TYPE_PREFIX
#define GST_CCA_TYPE_PREFIX "GstCca"
#endif

/* Like G_DEFINE_ABSTRACT_TYPE, but the name of the GType is the prefix of the
 * plugin followed by a string. */
#define GST_CCA_DEFINE_ABSTRACT_TYPE(TypeName, type_name, name, TYPE_PARENT) \
static void type_name##_class_init (TypeName##Class * klass); \
static void type_name##_init (TypeName * self); \
static gpointer type_name##_parent_class; \
 \
static void \
type_name##_class_intern_init (gpointer klass, gpointer data) \
{ \
  type_name##_parent_class = g_type_class_peek_parent (klass); \
  type_name##_class_init (klass); \
} \
 \
static void \
type_name##_intern_init (GTypeInstance * instance, gpointer klass) \
{ \
  type_name##_init ((TypeName *) instance); \
} \
 \
GType \
type_name##_get_type (void) \
{ \
  static gsize type = 0; \
 \
  if (g_once_init_enter (&type)) { \
    GType new_type = g_type_register_static_simple (TYPE_PARENT, \
        g_intern_static_string (GST_CCA_TYPE_PREFIX name), \
        sizeof (TypeName##Class), type_name##_class_intern_init, \
        sizeof (TypeName), type_name##_intern_init, G_TYPE_FLAG_ABSTRACT); \
 \
    g_once_init_leave (&type, new_type); \
  } \
  return type; \
}

/* Defines type_name_get_type() of an enum, or of flags, with the same kind of
 * name. The values that follow are initialisers of GEnumValue or GFlagsValue,
 * without the terminator. */
#define GST_CCA_DEFINE_ENUM_TYPE(type_name, name, ...) \
  GST_CCA_DEFINE_VALUES_TYPE (GEnumValue, g_enum_register_static, type_name, \
      name, __VA_ARGS__)
#define GST_CCA_DEFINE_FLAGS_TYPE(type_name, name, ...) \
  GST_CCA_DEFINE_VALUES_TYPE (GFlagsValue, g_flags_register_static, \
      type_name, name, __VA_ARGS__)

#define GST_CCA_DEFINE_VALUES_TYPE(Value, register_static, type_name, name, ...) \
GType \
type_name##_get_type (void) \
{ \
  static gsize type = 0; \
  static const Value values[] = { __VA_ARGS__, {0, NULL, NULL} }; \
 \
  if (g_once_init_enter (&type)) \
    g_once_init_leave (&type, \
        register_static (GST_CCA_TYPE_PREFIX name, values)); \
  return type; \
}

#endif /* __GST_CCA_TYPE_NAME_H__ */
