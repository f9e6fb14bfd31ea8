#pragma once
/* Deterministic keys and signatures for the simulator's own test authority.
   The nonce of a signature is derived from the key and the digest (as in RFC 6979, with SHA-512 instead of
   HMAC-DRBG), so the same seed gives the same bytes on every machine. Never use it to protect real data. */
#include <openssl/bn.h>
#include <openssl/ec.h>
#include <openssl/ecdsa.h>
#include <openssl/obj_mac.h>
#include <openssl/sha.h>
#include <string.h>

/* Creates the key whose secret is SHA-512(seed) mod (n - 1) + 1. Returns NULL when memory runs out. */
static inline EC_KEY *simulated_key_new(int curve, const unsigned char *seed, size_t length) {
  unsigned char wide[SHA512_DIGEST_LENGTH];
  EC_KEY *key = EC_KEY_new_by_curve_name(curve);
  BN_CTX *context = BN_CTX_new();
  BIGNUM *secret = BN_new(), *bound = BN_new();
  EC_POINT *point = NULL;
  int done = 0;
  if (key && context && secret && bound && SHA512(seed, length, wide)) {
    const EC_GROUP *group = EC_KEY_get0_group(key);
    point = EC_POINT_new(group);
    done = point && BN_sub(bound, EC_GROUP_get0_order(group), BN_value_one())
      && BN_bin2bn(wide, sizeof wide, secret) && BN_mod(secret, secret, bound, context)
      && BN_add_word(secret, 1) && EC_POINT_mul(group, point, secret, NULL, NULL, context)
      && EC_KEY_set_private_key(key, secret) && EC_KEY_set_public_key(key, point);
  }
  EC_POINT_free(point);
  BN_free(bound);
  BN_clear_free(secret);
  BN_CTX_free(context);
  if (!done) {
    EC_KEY_free(key);
    key = NULL;
  }
  return key;
}

static inline void simulated_key_free(EC_KEY *key) { EC_KEY_free(key); }

/* Writes the uncompressed public point. Returns its length, or 0 on failure. */
static inline size_t simulated_key_public(const EC_KEY *key, unsigned char *out, size_t capacity) {
  return EC_POINT_point2oct(EC_KEY_get0_group(key), EC_KEY_get0_public_key(key),
                            POINT_CONVERSION_UNCOMPRESSED, out, capacity, NULL);
}

/* Writes r and s, `half` bytes each. Returns 1, or 0 when memory runs out. */
static inline int simulated_key_sign(EC_KEY *key, const unsigned char *digest, size_t digest_length,
                                     unsigned char *out, int half) {
  unsigned char material[64 + SHA512_DIGEST_LENGTH], wide[SHA512_DIGEST_LENGTH];
  const EC_GROUP *group = EC_KEY_get0_group(key);
  const BIGNUM *order = EC_GROUP_get0_order(group);
  BN_CTX *context = BN_CTX_new();
  BIGNUM *nonce = BN_new(), *inverse = BN_new(), *r = BN_new(), *x = BN_new();
  EC_POINT *point = EC_POINT_new(group);
  ECDSA_SIG *signature = NULL;
  int done = 0;
  memset(material, 0, sizeof material);
  if (context && nonce && inverse && r && x && point && half <= 64 && digest_length <= 64
      && BN_bn2binpad(EC_KEY_get0_private_key(key), material, 64) == 64) {
    memcpy(material + 64, digest, digest_length);
    SHA512(material, sizeof material, wide);
    if (BN_bin2bn(wide, sizeof wide, nonce) && BN_mod(nonce, nonce, order, context)
        && !BN_is_zero(nonce) && EC_POINT_mul(group, point, nonce, NULL, NULL, context)
        && EC_POINT_get_affine_coordinates(group, point, x, NULL, context)
        && BN_mod(r, x, order, context) && BN_mod_inverse(inverse, nonce, order, context))
      signature = ECDSA_do_sign_ex(digest, (int)digest_length, inverse, r, key);
    if (signature)
      done = BN_bn2binpad(ECDSA_SIG_get0_r(signature), out, half) == half
        && BN_bn2binpad(ECDSA_SIG_get0_s(signature), out + half, half) == half;
  }
  ECDSA_SIG_free(signature);
  EC_POINT_free(point);
  BN_free(x);
  BN_free(r);
  BN_clear_free(inverse);
  BN_clear_free(nonce);
  BN_CTX_free(context);
  return done;
}

static inline void simulated_sha384(const unsigned char *bytes, size_t length, unsigned char *out) {
  SHA512_CTX state;
  SHA384_Init(&state);
  SHA384_Update(&state, bytes, length);
  SHA384_Final(out, &state);
}
