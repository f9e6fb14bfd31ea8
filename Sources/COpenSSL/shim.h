#pragma once
// Functions of OpenSSL that are macros in its headers and cannot be imported.
#include <openssl/cms.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/objects.h>
#include <openssl/pem.h>
#include <openssl/x509.h>
#include <openssl/x509_vfy.h>
#include <openssl/x509v3.h>

#if __has_include("simulated.h")
#include "simulated.h"
#endif

static inline STACK_OF(X509) *payrecon_x509_stack_new(void) { return sk_X509_new_null(); }
static inline int payrecon_x509_stack_push(STACK_OF(X509) *stack, X509 *certificate) {
  return sk_X509_push(stack, certificate);
}
static inline void payrecon_x509_stack_free(STACK_OF(X509) *stack) { sk_X509_free(stack); }
static inline int payrecon_x509_stack_count(const STACK_OF(X509) *stack) { return sk_X509_num(stack); }
static inline X509 *payrecon_x509_stack_value(const STACK_OF(X509) *stack, int at) {
  return sk_X509_value(stack, at);
}
static inline BIO *payrecon_bio_of(const void *bytes, int count) { return BIO_new_mem_buf(bytes, count); }

/* Computes the table of the generator's multiples. OpenSSL deprecated the call without a replacement; this is its only use. */
static inline int payrecon_precompute_generator(EC_GROUP *group, BN_CTX *context) {
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
  return EC_GROUP_precompute_mult(group, context) == 1 && EC_GROUP_have_precompute_mult(group) == 1;
#pragma GCC diagnostic pop
}
