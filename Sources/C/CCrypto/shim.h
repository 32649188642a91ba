#pragma once
#include <openssl/bio.h>
#include <openssl/crypto.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

// Macros, which Swift does not import.

/// A new key on the curve P-256; NULL when it cannot be made.
static inline EVP_PKEY *ccrypto_make_p256(void) {
    return EVP_EC_gen("P-256");
}

/// Where what was written to a memory buffer lies, and how much.
static inline long ccrypto_written(BIO *buffer, char **start) {
    return BIO_get_mem_data(buffer, start);
}
