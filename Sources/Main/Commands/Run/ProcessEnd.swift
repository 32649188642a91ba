import StructuredLog
import Threads

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// The end of a process of which threads may hang.
enum ProcessEnd {
    /// Ends the process after a time, if it has not ended by itself. No other thread can hinder that.
    ///
    /// - Parameters:
    ///   - limit: The time.
    ///   - kind: The exit code.
    ///   - reason: The last line of the log.
    ///   - logger: Gets the reason, and a second to write it.
    static func force(after limit: Duration, _ kind: CommandError.Kind, because reason: String, logger: Logger) {
        startThread(named: "process-end") {
            // Nobody signals: only the time counts.
            _ = ThreadSemaphore().wait(within: limit)
            logger.critical("the worker ends, though a part of it hangs", metadata: ["detail": .string(reason)])
            logger.flush(within: .seconds(1))
            _exit(kind.rawValue)
        }
    }
}
