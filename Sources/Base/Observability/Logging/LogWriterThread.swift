import NewsflashBasics

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// The writing thread of a ``LogSink``.
final class LogWriterThread: Sendable {
    private enum Activity {
        /// No thread exists.
        case none
        case waiting
        /// The thread has just written, and collects lines before it writes again.
        case gathering
        case working
    }

    /// How long lines are collected under load, because waking the thread for each line costs more than writing it.
    private static let gatheringTime = Duration.milliseconds(5)

    /// A caller that waits until a number of bytes is done.
    private struct Flush {
        let mark: Int
        let semaphore: ThreadSemaphore
    }

    private struct State {
        var queue: LogBuffer
        var activity = Activity.none
        var isClosed = false
        var flushes: [Flush] = []
    }

    private enum Step {
        case write(LogBuffer.Batch)
        case wait
        case end
    }

    private let fileDescriptor: Int32
    private let report: @Sendable (Int) -> [UInt8]
    private let state: Locked<State>
    private let wakeUp = ThreadSemaphore()

    init(fileDescriptor: Int32, capacity: Int, report: @escaping @Sendable (Int) -> [UInt8]) {
        self.fileDescriptor = fileDescriptor
        self.report = report
        self.state = Locked(State(queue: LogBuffer(capacity: capacity)))
    }

    var droppedLines: Int { state.withLock { $0.queue.droppedLines } }

    /// Queues a line; never blocks on the descriptor.
    func put(_ line: [UInt8], isUrgent: Bool) {
        let before = state.withLock { state in
            let before = state.activity
            if before != .gathering || isUrgent { state.activity = .working }
            state.queue.append(line, isUrgent: isUrgent)
            return before
        }
        switch before {
        case .working: return
        case .gathering: if isUrgent { wakeUp.signal() }
        case .waiting: wakeUp.signal()
        case .none:
            LineWriters.add(self)
            guard !startThread(named: "newsflash-log", { [self] in run() }) else { return }
            // The lines stay in the buffer; the next one tries again.
            LineWriters.remove(self)
            state.withLock { $0.activity = .none }
        }
    }

    /// Ends the thread after all lines are written; no more lines may be queued.
    func close() {
        let wasWaiting = state.withLock { state in
            state.isClosed = true
            guard state.activity == .waiting || state.activity == .gathering else { return false }
            state.activity = .working
            return true
        }
        if wasWaiting { wakeUp.signal() }
    }

    /// Waits until all queued lines are done.
    func flush(within patience: Duration) -> Bool {
        let flush = state.withLock { state -> Flush? in
            guard state.queue.done < state.queue.put else { return nil }
            let flush = Flush(mark: state.queue.put, semaphore: ThreadSemaphore())
            state.flushes.append(flush)
            if state.activity == .gathering {
                state.activity = .working
                wakeUp.signal()
            }
            return flush
        }
        guard let flush else { return true }
        if flush.semaphore.wait(within: patience) { return true }
        state.withLock { state in state.flushes.removeAll { $0.semaphore === flush.semaphore } }
        return false
    }

    // MARK: The thread

    private func run() {
        var isTorn = false
        while true {
            switch next() {
            case .write(let batch):
                write(batch, &isTorn)
                gather()
            case .wait: wakeUp.wait()
            case .end: return LineWriters.remove(self)
            }
        }
    }

    /// Waits to collect more lines, unless somebody waits for them.
    private func gather() {
        let isFree = state.withLock { state in
            guard state.flushes.isEmpty, !state.isClosed else { return false }
            state.activity = .gathering
            return true
        }
        guard isFree else { return }
        if !wakeUp.wait(within: Self.gatheringTime) {
            state.withLock { state in if state.activity == .gathering { state.activity = .working } }
        }
    }

    private func next() -> Step {
        state.withLock { state in
            if let batch = state.queue.dequeue() { return .write(batch) }
            state.activity = state.isClosed ? .none : .waiting
            return state.isClosed ? .end : .wait
        }
    }

    private func write(_ batch: LogBuffer.Batch, _ isTorn: inout Bool) {
        let lost = write(batch.lines, &isTorn)
        let isReported = batch.dropped > 0 && write(report(batch.dropped), &isTorn) == 0
        let ended = state.withLock { state in
            state.queue.finish(lost: lost, isReported: isReported)
            let done = state.queue.done
            let ended = state.flushes.filter { $0.mark <= done }
            state.flushes.removeAll { $0.mark <= done }
            return ended
        }
        for flush in ended { flush.semaphore.signal() }
    }

    private func write(_ lines: [UInt8], _ isTorn: inout Bool) -> Int {
        WriteLoop.lines(lines, isTorn: &isTorn, write: attempt, wait: waitForRoom)
    }

    private func attempt(_ bytes: ArraySlice<UInt8>) -> WriteLoop.Attempt {
        let count = unsafe bytes.withUnsafeBytes { buffer in
            #if canImport(Glibc)
            unsafe Glibc.write(fileDescriptor, buffer.baseAddress, buffer.count)
            #else
            unsafe Darwin.write(fileDescriptor, buffer.baseAddress, buffer.count)
            #endif
        }
        guard count < 0 else { return .wrote(count) }
        switch errno {
        case EINTR: return .interrupted
        case EAGAIN: return .full
        default: return .failed
        }
    }

    /// Waits without a time limit: the buffer is bounded, not the waiting time of its thread.
    private func waitForRoom() -> Bool {
        var descriptor = pollfd(fd: fileDescriptor, events: Int16(POLLOUT), revents: 0)
        while true {
            if unsafe poll(&descriptor, 1, -1) > 0 { return true }
            guard errno == EINTR else { return false }
        }
    }
}

/// The writers of this process with a thread, so that none loses lines when the process ends.
private enum LineWriters {
    private static let all = Locked<[LogWriterThread]>([])

    /// The maximum delay of the process's end if readers are blocked.
    private static let patience = Duration.seconds(1)

    private static let atExit: Void = {
        atexit { LineWriters.flush() }
    }()

    static func add(_ writer: LogWriterThread) {
        _ = atExit
        all.withLock { $0.append(writer) }
    }

    static func remove(_ writer: LogWriterThread) {
        all.withLock { all in all.removeAll { $0 === writer } }
    }

    private static func flush() {
        let deadline = ContinuousClock.now + patience
        for writer in all.withLock({ $0 }) {
            _ = writer.flush(within: ContinuousClock.now.duration(to: deadline))
        }
    }
}
