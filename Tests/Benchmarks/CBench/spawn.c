#define _GNU_SOURCE
#include "CNewsflashBench.h"

#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

// Between fork and exec only what POSIX calls async-signal-safe: other threads may have held any lock.
static void become(
    const char *path, char *const arguments[], char *const environment[], const int from[3], pid_t parent) {
    sigset_t none;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    // It may have gone before it could be heard of.
    if (getppid() != parent) _exit(127);
    setpgid(0, 0);
    for (int number = 1; number < NSIG; number++) signal(number, SIG_DFL);
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    for (int target = 0; target < 3; target++) {
        if (dup2(from[target], target) < 0) _exit(127);
    }
    close_range(3, ~0U, 0);
    execve(path, arguments, environment);
    _exit(127);
}

pid_t cbench_spawn(
    const char *path, char *const arguments[], char *const environment[], int input, int output, int errors) {
    const int from[3] = {input, output, errors};
    pid_t parent = getpid();
    pid_t child = fork();
    if (child == 0) become(path, arguments, environment, from, parent);
    return child;
}
