#define _GNU_SOURCE
#include "CNewsflashThreadHold.h"

#include <errno.h>

#ifdef __linux__
#include <sys/ptrace.h>
#include <sys/wait.h>

int test_thread_hold(pid_t thread) {
    if (ptrace(PTRACE_SEIZE, thread, NULL, NULL) != 0) return errno;
    if (ptrace(PTRACE_INTERRUPT, thread, NULL, NULL) != 0) return errno;
    int status = 0;
    // The first stop is this one, and the thread is never continued. Waiting for its end lets its process end.
    do {
        if (waitpid(thread, &status, __WALL) < 0 && errno != EINTR) return 0;
    } while (!WIFEXITED(status) && !WIFSIGNALED(status));
    return 0;
}
#else
int test_thread_hold(pid_t thread) {
    (void)thread;
    return ENOSYS;
}
#endif
