#define _GNU_SOURCE
#include "CNewsflashBench.h"

#include <dlfcn.h>
#include <link.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

// The hook of the Swift runtime itself, _swift_allocObject, cannot be used: with it the runtime of Swift 6.3 sends retains
// another way, on which it takes a short string for a pointer. So the runtime is led to a malloc that counts, by the tables
// through which ELF libraries find each other's functions (System V ABI, chapter 5). Other libraries keep theirs.

static atomic_long count;

// Found before anything is redirected: the program's own table leads to the counting ones afterwards.
static void *(*real_malloc)(size_t);
static int (*real_posix_memalign)(void **, size_t, size_t);

static void *counting_malloc(size_t size) {
    atomic_fetch_add_explicit(&count, 1, memory_order_relaxed);
    return real_malloc(size);
}

static int counting_posix_memalign(void **place, size_t alignment, size_t size) {
    atomic_fetch_add_explicit(&count, 1, memory_order_relaxed);
    return real_posix_memalign(place, alignment, size);
}

/// What to call in place of a function; NULL to leave it.
static const void *replacement(const char *name) {
    if (strcmp(name, "malloc") == 0) return (const void *)counting_malloc;
    if (strcmp(name, "posix_memalign") == 0) return (const void *)counting_posix_memalign;
    return NULL;
}

typedef struct {
    const ElfW(Sym) *symbols;
    const char *names;
    const ElfW(Rela) *entries[2];
    size_t sizes[2];
} Tables;

static Tables read_tables(const ElfW(Dyn) *dynamic) {
    Tables tables = {0};
    for (; dynamic->d_tag != DT_NULL; dynamic++) {
        switch (dynamic->d_tag) {
        case DT_SYMTAB: tables.symbols = (const void *)dynamic->d_un.d_ptr; break;
        case DT_STRTAB: tables.names = (const void *)dynamic->d_un.d_ptr; break;
        case DT_JMPREL: tables.entries[0] = (const void *)dynamic->d_un.d_ptr; break;
        case DT_PLTRELSZ: tables.sizes[0] = dynamic->d_un.d_val; break;
        case DT_RELA: tables.entries[1] = (const void *)dynamic->d_un.d_ptr; break;
        case DT_RELASZ: tables.sizes[1] = dynamic->d_un.d_val; break;
        }
    }
    return tables;
}

/// Writes into a table that the linker may have made read-only.
static bool redirect(uintptr_t slot, const void *function) {
    uintptr_t page = slot & ~(uintptr_t)(sysconf(_SC_PAGESIZE) - 1);
    if (mprotect((void *)page, slot - page + sizeof function, PROT_READ | PROT_WRITE) != 0) return false;
    *(const void **)slot = function;
    return true;
}

static bool redirect_table(uintptr_t base, const Tables *tables, int table) {
    bool redirected = false;
    for (size_t entry = 0; entry < tables->sizes[table] / sizeof(ElfW(Rela)); entry++) {
        const ElfW(Rela) *relocation = &tables->entries[table][entry];
        const ElfW(Sym) *symbol = &tables->symbols[ELF64_R_SYM(relocation->r_info)];
        const void *function = replacement(tables->names + symbol->st_name);
        if (function != NULL && redirect(base + relocation->r_offset, function)) redirected = true;
    }
    return redirected;
}

static int redirect_library(struct dl_phdr_info *library, size_t size, void *redirected) {
    (void)size;
    // The program itself has no name here; the runtime is in it where it is linked statically.
    if (library->dlpi_name[0] != 0 && strstr(library->dlpi_name, "/libswift") == NULL) return 0;
    for (int i = 0; i < library->dlpi_phnum; i++) {
        if (library->dlpi_phdr[i].p_type != PT_DYNAMIC) continue;
        Tables tables = read_tables((const void *)(library->dlpi_addr + library->dlpi_phdr[i].p_vaddr));
        if (tables.symbols == NULL || tables.names == NULL) continue;
        for (int table = 0; table < 2; table++) {
            if (redirect_table(library->dlpi_addr, &tables, table)) *(bool *)redirected = true;
        }
    }
    return 0;
}

bool cbench_count_allocations(void) {
    bool redirected = false;
    real_malloc = (void *(*)(size_t))dlsym(RTLD_DEFAULT, "malloc");
    real_posix_memalign = (int (*)(void **, size_t, size_t))dlsym(RTLD_DEFAULT, "posix_memalign");
    if (real_malloc == NULL || real_posix_memalign == NULL) return false;
    dl_iterate_phdr(redirect_library, &redirected);
    return redirected;
}

long cbench_allocations(void) { return atomic_load_explicit(&count, memory_order_relaxed); }
