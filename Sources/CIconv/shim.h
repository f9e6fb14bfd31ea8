#pragma once
#include <errno.h>
#include <iconv.h>

// Converts `input`, and updates both counts of remaining bytes. Returns 0, or the error number.
static inline int convert_text(iconv_t converter, const char *input, size_t *input_left, char *output, size_t *output_left) {
  char *from = (char *)input;
  char *to = output;
  return iconv(converter, &from, input_left, &to, output_left) == (size_t)-1 ? errno : 0;
}

// Opens a converter; null if the system does not have one of the encodings.
static inline iconv_t open_converter(const char *target, const char *source) {
  iconv_t converter = iconv_open(target, source);
  return converter == (iconv_t)-1 ? 0 : converter;
}

// Returns a converter to its initial state after an error.
static inline void reset_converter(iconv_t converter) { iconv(converter, 0, 0, 0, 0); }
