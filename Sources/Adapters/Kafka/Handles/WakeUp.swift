#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// A pipe that wakes one thread: queues of librdkafka write to it, and so does every caller with a request.
final class WakeUp: Sendable {
    /// The end to write to.
    let writeEnd: Int32
    private let readEnd: Int32

    /// Creates a pipe.
    ///
    /// - Throws: ``KafkaError`` if the process has no descriptor left.
    init() throws(KafkaError) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw KafkaError(.noResources, "no file descriptor is left for a Kafka client") }
        for end in ends {
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
        }
        self.readEnd = ends[0]
        self.writeEnd = ends[1]
    }

    deinit {
        close(writeEnd)
        close(readEnd)
    }

    /// Wakes the thread, now or when it waits next.
    func signal() {
        // A full pipe is also a signal.
        var mark: UInt8 = 1
        _ = write(writeEnd, &mark, 1)
    }

    /// Waits for the next signal, and consumes all signals.
    ///
    /// - Parameter limit: The longest wait, as a safety measure: only deadlines rely on it.
    func wait(atMost limit: Duration) {
        var request = pollfd(fd: readEnd, events: Int16(POLLIN), revents: 0)
        guard poll(&request, 1, limit.milliseconds) > 0 else { return }
        withUnsafeTemporaryAllocation(byteCount: 256, alignment: 1) { taken in
            while read(readEnd, taken.baseAddress, taken.count) == taken.count {}
        }
    }
}
