#pragma once

/* Starts C11 threads as POSIX threads, so that the thread sanitizer sees them start and end.
 *
 * Debian's librdkafka uses C11 threads of glibc, which the sanitizer does not intercept: it crashes at the first of them.
 * The dynamic linker prefers the functions of the test bundle to those of glibc. Linked only for the thread sanitizer. */
