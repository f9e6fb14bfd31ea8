#pragma once
// The type-checking macros of curl require a constant option; these functions have typed arguments instead.
#define CURL_DISABLE_TYPECHECK
#include <curl/curl.h>

// Swift does not import curl_easy_setopt and curl_easy_getinfo, because they are variadic.

static inline CURLcode payrecon_curl_set_long(CURL *handle, CURLoption option, long value) {
  return curl_easy_setopt(handle, option, value);
}

static inline CURLcode payrecon_curl_set_offset(CURL *handle, CURLoption option, curl_off_t value) {
  return curl_easy_setopt(handle, option, value);
}

static inline CURLcode payrecon_curl_set_text(CURL *handle, CURLoption option, const char *value) {
  return curl_easy_setopt(handle, option, value);
}

static inline CURLcode payrecon_curl_set_pointer(CURL *handle, CURLoption option, void *value) {
  return curl_easy_setopt(handle, option, value);
}

static inline CURLcode payrecon_curl_set_list(CURL *handle, CURLoption option, struct curl_slist *value) {
  return curl_easy_setopt(handle, option, value);
}

static inline CURLcode payrecon_curl_set_write(CURL *handle, CURLoption option, curl_write_callback value) {
  return curl_easy_setopt(handle, option, value);
}

static inline CURLcode payrecon_curl_set_read(CURL *handle, CURLoption option, curl_read_callback value) {
  return curl_easy_setopt(handle, option, value);
}

static inline CURLcode payrecon_curl_set_progress(CURL *handle, CURLoption option, curl_xferinfo_callback value) {
  return curl_easy_setopt(handle, option, value);
}

static inline CURLcode payrecon_curl_get_long(CURL *handle, CURLINFO info, long *value) {
  return curl_easy_getinfo(handle, info, value);
}

static inline CURLcode payrecon_curl_get_offset(CURL *handle, CURLINFO info, curl_off_t *value) {
  return curl_easy_getinfo(handle, info, value);
}
