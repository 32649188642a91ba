/// A queue of lines with a bounded number of bytes, oldest first.
///
/// A value type without threads. Lines that do not fit are dropped and counted, so that logging never blocks.
struct LogBuffer {
    /// The maximum number of bytes queued and not yet written.
    let capacity: Int
    private var waiting: [UInt8] = []
    private var underWay = 0
    private var unreported = 0
    /// The position in ``waiting`` at which the last of the ``unreported`` lines is missing.
    private var lossOffset = 0
    /// The part of ``unreported`` that the current batch reports.
    private var reporting = 0
    /// Whether the last batch was written completely; if not, a report alone is not worth trying.
    private var isWritable = true

    /// The number of lines lost so far, because the queue was full or writing failed.
    private(set) var droppedLines = 0
    /// The total number of bytes queued.
    private(set) var put = 0
    /// The part of ``put`` that was written, or lost in writing.
    private(set) var done = 0

    /// The lines to write in one operation.
    struct Batch {
        /// Whole lines; may be empty if only a loss must be reported.
        var lines: [UInt8]
        /// The number of dropped, unreported lines; to be reported after ``lines``.
        var dropped: Int
    }

    init(capacity: Int) {
        self.capacity = capacity
    }

    /// The additional bytes for urgent lines, so that the last lines of a process fit.
    private static let reserve = 65_536

    /// Queues a line that includes its line feed, or drops it.
    mutating func append(_ line: [UInt8], isUrgent: Bool = false) {
        let limit = isUrgent ? capacity + Self.reserve : capacity
        guard line.count <= limit - waiting.count - underWay else {
            droppedLines += 1
            unreported += 1
            lossOffset = waiting.count
            return
        }
        waiting += line
        put += line.count
    }

    /// Dequeues all lines up to the position where lines are missing. Call ``finish(lost:isReported:)`` before the next
    /// call.
    ///
    /// - Returns: `nil` if there is nothing to do.
    mutating func dequeue() -> Batch? {
        guard !waiting.isEmpty || (unreported > 0 && isWritable) else { return nil }
        // If nothing could be written, lines are not held back for the report.
        let end = unreported > 0 && isWritable ? lossOffset : waiting.count
        let batch = Batch(lines: end == waiting.count ? waiting : Array(waiting[..<end]), dropped: unreported)
        if end == waiting.count { waiting = [] } else { waiting.removeFirst(end) }
        underWay = end
        reporting = unreported
        lossOffset = 0
        return batch
    }

    /// Records the result of the dequeued batch.
    ///
    /// - Parameters:
    ///   - lost: The number of its lines that could not be written.
    ///   - isReported: Whether the dropped lines before it, if any, were reported.
    mutating func finish(lost: Int, isReported: Bool) {
        done += underWay
        underWay = 0
        droppedLines += lost
        unreported += lost - (isReported ? reporting : 0)
        isWritable = lost == 0 && (isReported || reporting == 0)
        reporting = 0
    }
}
