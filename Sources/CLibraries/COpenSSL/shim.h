#ifndef PHAROS_COPENSSL_SHIM_H
#define PHAROS_COPENSSL_SHIM_H

#include <openssl/bio.h>
#include <openssl/core_names.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/pem.h>
#include <openssl/pkcs12.h>
#include <openssl/provider.h>
#include <openssl/rand.h>
#include <openssl/rsa.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

/* Function-like macros that Swift cannot import. Add to this list; define no feature macro here. */
static inline long pharos_SSL_CTX_set_mode(SSL_CTX *context, long mode) { return SSL_CTX_set_mode(context, mode); }
static inline int pharos_SSL_CTX_set_min_proto_version(SSL_CTX *context, int version) {
    return SSL_CTX_set_min_proto_version(context, version);
}
static inline long pharos_SSL_CTX_set_session_cache_mode(SSL_CTX *context, long mode) {
    return SSL_CTX_set_session_cache_mode(context, mode);
}
static inline long pharos_SSL_set_tlsext_host_name(SSL *ssl, const char *name) {
    return SSL_set_tlsext_host_name(ssl, name);
}
static inline long pharos_BIO_get_mem_data(BIO *bio, char **data) { return BIO_get_mem_data(bio, data); }
static inline int pharos_SSL_CTX_set1_groups_list(SSL_CTX *context, const char *list) {
    return (int)SSL_CTX_set1_groups_list(context, (char *)list);
}
static inline long pharos_SSL_CTX_add1_chain_cert(SSL_CTX *context, X509 *certificate) {
    return SSL_CTX_add1_chain_cert(context, certificate);
}

/* What every context of ours has: TLS 1.2 or later, no resumption, no renegotiation, buffers only while they hold
   bytes, X25519 first. Returns 1, or 0 on failure. */
static inline int pharos_SSL_CTX_harden(SSL_CTX *context, int read_ahead) {
    SSL_CTX_set_mode(context, SSL_MODE_RELEASE_BUFFERS | SSL_MODE_ENABLE_PARTIAL_WRITE |
                                  SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER | SSL_MODE_AUTO_RETRY);
    SSL_CTX_set_options(context, SSL_OP_NO_TICKET | SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION |
                                     SSL_OP_CIPHER_SERVER_PREFERENCE);
    SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
    SSL_CTX_set_read_ahead(context, read_ahead);
    return SSL_CTX_set_num_tickets(context, 0) && SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION) &&
           SSL_CTX_set1_groups_list(context, "X25519:P-256:P-384");
}
/* The cheapest suite first; a client without AES in hardware, which names ChaCha first, gets that. Returns 1, or 0. */
static inline int pharos_SSL_CTX_prefer_light_suites(SSL_CTX *context) {
    SSL_CTX_set_options(context, SSL_OP_PRIORITIZE_CHACHA);
    return SSL_CTX_set_ciphersuites(
        context, "TLS_AES_128_GCM_SHA256:TLS_CHACHA20_POLY1305_SHA256:TLS_AES_256_GCM_SHA384");
}
static inline EVP_PKEY *pharos_RSA_generate(unsigned int bits) { return EVP_RSA_gen(bits); }
static inline EVP_PKEY *pharos_EC_generate(const char *curve) { return EVP_EC_gen(curve); }
static inline int pharos_X509_count(const STACK_OF(X509) *certificates) { return sk_X509_num(certificates); }
static inline X509 *pharos_X509_at(const STACK_OF(X509) *certificates, int place) {
    return sk_X509_value(certificates, place);
}
static inline void pharos_X509_stack_free(STACK_OF(X509) *certificates) { sk_X509_pop_free(certificates, X509_free); }

#endif
