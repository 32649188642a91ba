/// Lines that wait to be written: a bounded number of bytes, oldest first.
///
/// A value without threads. What does not fit is dropped and counted, so that whoever logs never waits.
struct LineQueue {
    /// Bytes of lines that are put and not yet written.
    let capacity: Int
    private var waiting: [UInt8] = []
    private var underWay = 0
    private var unreported = 0
    /// Where in ``waiting`` the last of ``unreported`` would lie.
    private var lossOffset = 0
    /// How many of ``unreported`` the batch that was taken tells of.
    private var reporting = 0
    /// Whether all could be written the last time; a report alone is not worth trying where nothing can.
    private var isWritable = true

    /// Lines that were lost since the beginning, for want of room or of someone who reads.
    private(set) var droppedLines = 0
    /// How many bytes were ever put.
    private(set) var put = 0
    /// How many of ``put`` are written, or lost in writing.
    private(set) var done = 0

    /// What to write in one go.
    struct Batch {
        /// Whole lines; may be empty where there is only a loss to report.
        var lines: [UInt8]
        /// How many lines were dropped and not told of; to be told after ``lines``.
        var dropped: Int
    }

    init(capacity: Int) {
        self.capacity = capacity
    }

    /// What urgent lines may take beside the others, so that the last words of a process find room.
    private static let reserve = 65_536

    /// Puts a line that has its end, or drops it.
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

    /// Takes out what waits, up to the place where lines are missing; ``finish(lost:isReported:)`` follows before the next.
    ///
    /// - Returns: `nil` when there is nothing to do.
    mutating func take() -> Batch? {
        guard !waiting.isEmpty || (unreported > 0 && isWritable) else { return nil }
        // Where nothing could be written, the report is no reason to hold lines back.
        let end = unreported > 0 && isWritable ? lossOffset : waiting.count
        let batch = Batch(lines: end == waiting.count ? waiting : Array(waiting[..<end]), dropped: unreported)
        if end == waiting.count { waiting = [] } else { waiting.removeFirst(end) }
        underWay = end
        reporting = unreported
        lossOffset = 0
        return batch
    }

    /// Tells how the batch that was taken ended.
    ///
    /// - Parameters:
    ///   - lost: How many of its lines could not be written.
    ///   - isReported: Whether the lines that were dropped before it, if any, were told of.
    mutating func finish(lost: Int, isReported: Bool) {
        done += underWay
        underWay = 0
        droppedLines += lost
        unreported += lost - (isReported ? reporting : 0)
        isWritable = lost == 0 && (isReported || reporting == 0)
        reporting = 0
    }
}
