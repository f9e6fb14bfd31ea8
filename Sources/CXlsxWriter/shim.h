#pragma once
/* The functions used of libxlsxwriter 1.1 (Debian's libxlsxwriter4). The library is loaded at run time, so that neither
   a build nor a machine that writes no workbook needs it. */
#include <dlfcn.h>
#include <stdint.h>
#include <time.h>

#define PAYRECON_XLSX_NAME "libxlsxwriter.so.4"

/* The library's struct layouts. Later versions add fields at the end of the options; `reserved` is room for them. */
struct payrecon_xlsx_options {
  uint8_t constant_memory;
  const char *tmpdir;
  uint8_t use_zip64;
  void *reserved[4];
};

struct payrecon_xlsx_properties {
  const char *title, *subject, *author, *manager, *company, *category, *keywords, *comments, *status, *hyperlink_base;
  time_t created;
};

/* The library's functions under their original names. */
struct payrecon_xlsx {
  void *(*workbook_new_opt)(const char *, struct payrecon_xlsx_options *);
  void *(*workbook_add_worksheet)(void *, const char *);
  void *(*workbook_add_format)(void *);
  int (*workbook_set_properties)(void *, struct payrecon_xlsx_properties *);
  int (*workbook_close)(void *);
  void (*lxw_workbook_free)(void *);
  char *(*lxw_strerror)(int);
  int (*worksheet_write_string)(void *, uint32_t, uint16_t, const char *, void *);
  int (*worksheet_write_number)(void *, uint32_t, uint16_t, double, void *);
  int (*worksheet_write_boolean)(void *, uint32_t, uint16_t, int, void *);
  int (*worksheet_write_formula_num)(void *, uint32_t, uint16_t, const char *, void *, double);
  int (*worksheet_set_column)(void *, uint16_t, uint16_t, double, void *);
  int (*worksheet_autofilter)(void *, uint32_t, uint16_t, uint32_t, uint16_t);
  void (*worksheet_freeze_panes)(void *, uint32_t, uint16_t);
  int (*worksheet_repeat_rows)(void *, uint32_t, uint32_t);
  void (*worksheet_set_landscape)(void *);
  void (*format_set_num_format)(void *, const char *);
  void (*format_set_bold)(void *);
  void (*format_set_bg_color)(void *, uint32_t);
};

/* Loads the library and all functions. Returns 0 when the library or a function is missing. */
static inline int payrecon_xlsx_load(struct payrecon_xlsx *library) {
  void *handle = dlopen(PAYRECON_XLSX_NAME, RTLD_NOW | RTLD_LOCAL);
  if (!handle) return 0;
#define PAYRECON_FIND(name) ((library->name = (__typeof__(library->name))dlsym(handle, #name)) != 0)
  return PAYRECON_FIND(workbook_new_opt) && PAYRECON_FIND(workbook_add_worksheet) && PAYRECON_FIND(workbook_add_format)
    && PAYRECON_FIND(workbook_set_properties) && PAYRECON_FIND(workbook_close) && PAYRECON_FIND(lxw_workbook_free)
    && PAYRECON_FIND(lxw_strerror) && PAYRECON_FIND(worksheet_write_string) && PAYRECON_FIND(worksheet_write_number)
    && PAYRECON_FIND(worksheet_write_boolean) && PAYRECON_FIND(worksheet_write_formula_num)
    && PAYRECON_FIND(worksheet_set_column) && PAYRECON_FIND(worksheet_autofilter)
    && PAYRECON_FIND(worksheet_freeze_panes) && PAYRECON_FIND(worksheet_repeat_rows)
    && PAYRECON_FIND(worksheet_set_landscape) && PAYRECON_FIND(format_set_num_format)
    && PAYRECON_FIND(format_set_bold) && PAYRECON_FIND(format_set_bg_color);
#undef PAYRECON_FIND
}

/* Creates a workbook that buffers its rows in a file in `folder` and writes them to `path` when it is closed. */
static inline void *payrecon_xlsx_new(const struct payrecon_xlsx *library, const char *path, const char *folder,
                                      const char *title, int64_t created) {
  struct payrecon_xlsx_options options = {.constant_memory = 1, .tmpdir = folder};
  struct payrecon_xlsx_properties properties = {.title = title, .created = (time_t)created};
  void *workbook = library->workbook_new_opt(path, &options);
  if (workbook && library->workbook_set_properties(workbook, &properties) != 0) {
    library->lxw_workbook_free(workbook);
    return 0;
  }
  return workbook;
}

static inline int payrecon_xlsx_close(const struct payrecon_xlsx *library, void *workbook) {
  return library->workbook_close(workbook);
}
static inline void payrecon_xlsx_free(const struct payrecon_xlsx *library, void *workbook) {
  library->lxw_workbook_free(workbook);
}
static inline const char *payrecon_xlsx_reason(const struct payrecon_xlsx *library, int code) {
  return library->lxw_strerror(code);
}

/* Adds a sheet that prints in landscape. */
static inline void *payrecon_xlsx_sheet(const struct payrecon_xlsx *library, void *workbook, const char *name) {
  void *sheet = library->workbook_add_worksheet(workbook, name);
  if (sheet) library->worksheet_set_landscape(sheet);
  return sheet;
}

static inline void *payrecon_xlsx_format(const struct payrecon_xlsx *library, void *workbook, const char *number_format,
                                         int is_bold, int64_t fill) {
  void *format = library->workbook_add_format(workbook);
  if (!format) return 0;
  if (number_format[0]) library->format_set_num_format(format, number_format);
  if (is_bold) library->format_set_bold(format);
  if (fill >= 0) library->format_set_bg_color(format, (uint32_t)fill);
  return format;
}

static inline int payrecon_xlsx_text(const struct payrecon_xlsx *library, void *sheet, uint32_t row, uint16_t column,
                                     const char *text, void *format) {
  return library->worksheet_write_string(sheet, row, column, text, format);
}
static inline int payrecon_xlsx_number(const struct payrecon_xlsx *library, void *sheet, uint32_t row, uint16_t column,
                                       double number, void *format) {
  return library->worksheet_write_number(sheet, row, column, number, format);
}
static inline int payrecon_xlsx_boolean(const struct payrecon_xlsx *library, void *sheet, uint32_t row, uint16_t column,
                                        int flag, void *format) {
  return library->worksheet_write_boolean(sheet, row, column, flag, format);
}
static inline int payrecon_xlsx_formula(const struct payrecon_xlsx *library, void *sheet, uint32_t row, uint16_t column,
                                        const char *formula, double value, void *format) {
  return library->worksheet_write_formula_num(sheet, row, column, formula, format, value);
}
static inline int payrecon_xlsx_width(const struct payrecon_xlsx *library, void *sheet, uint16_t column, double width) {
  return library->worksheet_set_column(sheet, column, column, width, 0);
}
/* Freezes the first row, repeats it on every printed page, and adds a filter to it. */
static inline int payrecon_xlsx_head(const struct payrecon_xlsx *library, void *sheet, uint32_t last_row,
                                     uint16_t last_column) {
  library->worksheet_freeze_panes(sheet, 1, 0);
  library->worksheet_repeat_rows(sheet, 0, 0);
  return library->worksheet_autofilter(sheet, 0, 0, last_row, last_column);
}
