#ifndef CTHREADHOLD_H
#define CTHREADHOLD_H

#include <sys/types.h>

/// Stops one thread of another process, like a call that hangs, while its other threads continue. Blocks until that thread
/// has ended, so call it on its own thread. Linux only.
///
/// @param thread The thread, as in `/proc/PID/task`.
/// @return 0, or the error number if the thread cannot be stopped.
int test_thread_hold(pid_t thread);

#endif
