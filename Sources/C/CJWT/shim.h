#pragma once
#include <dlfcn.h>
#include <jwt.h>
#include <stddef.h>

// The library has another name on each release of Debian (libjwt.so.0 on 12, libjwt.so.2 on 13), and a program that was built
// on one has to run on the other: it is not linked but loaded, by what both have.

/// What is used of the library.
typedef struct {
    __typeof__(&jwt_decode) decode;
    __typeof__(&jwt_get_alg) algorithm;
    __typeof__(&jwt_alg_str) name;
    __typeof__(&jwt_free) free;
} cjwt_library;

/// Loads the library; 0 where it is not there. It stays loaded.
static inline int cjwt_load(cjwt_library *library) {
    static const char *const names[] = {"libjwt.so.2", "libjwt.so.1", "libjwt.so.0", "libjwt.so", "libjwt.dylib"};
    void *handle = NULL;
    for (size_t index = 0; handle == NULL && index < sizeof names / sizeof *names; index++) {
        handle = dlopen(names[index], RTLD_NOW | RTLD_LOCAL);
    }
    if (handle == NULL) return 0;
    library->decode = (__typeof__(&jwt_decode))dlsym(handle, "jwt_decode");
    library->algorithm = (__typeof__(&jwt_get_alg))dlsym(handle, "jwt_get_alg");
    library->name = (__typeof__(&jwt_alg_str))dlsym(handle, "jwt_alg_str");
    library->free = (__typeof__(&jwt_free))dlsym(handle, "jwt_free");
    return library->decode != NULL && library->algorithm != NULL && library->name != NULL && library->free != NULL;
}
