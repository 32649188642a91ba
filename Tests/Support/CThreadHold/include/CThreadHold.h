#ifndef CTHREADHOLD_H
#define CTHREADHOLD_H

#include <sys/types.h>

/// Stops one thread of another process, as a call that hangs would, while its other threads go on. Blocks until that thread has
/// ended: call it on a thread of its own. Linux only.
///
/// @param thread The thread, as in `/proc/PID/task`.
/// @return 0, or the number of the error if the thread cannot be held.
int test_thread_hold(pid_t thread);

#endif
