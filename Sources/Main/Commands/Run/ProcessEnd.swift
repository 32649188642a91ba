import StructuredLog
import Threads

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Ends a process whose threads may hang.
enum ProcessEnd {
    /// Ends the process after a time, if it is still running. Other threads cannot prevent this.
    ///
    /// - Parameters:
    ///   - limit: The time.
    ///   - kind: The exit code.
    ///   - reason: The reason in the last log line.
    ///   - logger: Logs the reason, and gets one second to write it.
    static func force(after limit: Duration, _ kind: CommandError.Kind, because reason: String, logger: Logger) {
        startThread(named: "process-end") {
            // Nothing signals the semaphore, so this waits for the whole time.
            _ = ThreadSemaphore().wait(within: limit)
            logger.critical("the worker ends, although a part of it hangs", metadata: ["detail": .string(reason)])
            logger.flush(within: .seconds(1))
            _exit(kind.rawValue)
        }
    }
}
