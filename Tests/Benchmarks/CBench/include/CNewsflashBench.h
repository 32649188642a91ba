#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

// The C functions of `newsflash-bench`. Nothing else may use them.

/// Starts a program in a process group of its own, to be killed when the calling thread ends, however that ends.
///
/// Signals are as a shell leaves them, and no other descriptor of ours stays open in it.
///
/// `arguments` and `environment` end with NULL. `input`, `output` and `errors` become its descriptors 0, 1 and 2.
/// Returns its number, or -1 with `errno` set. A program that cannot be executed exits with 127.
pid_t cbench_spawn(
    const char *path, char *const arguments[], char *const environment[], int input, int output, int errors);

/// Posts a fixed request again and again over libcurl's multi interface, with so many under way at a time, on this thread.
///
/// Returns how many were answered 201: fewer than `requests` where one was not, with the reason in `problem`.
long cbench_bare_lap(const char *url, int in_flight, long requests, char *problem, size_t room);

/// Counts each piece of memory that the Swift runtime allocates from now on: instances, arrays, closures, boxes, tasks.
/// What C libraries allocate is not among them.
///
/// Returns false where the runtime cannot be watched.
bool cbench_count_allocations(void);

/// How many there were so far.
long cbench_allocations(void);
