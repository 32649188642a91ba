internal import CNewsflashMicroHTTPD
internal import NewsflashBasics

/// The pieces of a streamed response between the task that creates them and the thread that writes them.
final class StreamBody: Sendable {
    private struct State {
        var pending = StreamBuffer()
        var isFinished = false
        /// Whether the stream was abandoned before its end: the client must not mistake the received part for the whole.
        var isCut = false
        var isClosed = false
        var roomWaiter: CheckedContinuation<Void, Never>?
    }

    private let gate: ConnectionGate
    private let state = Locked(State())

    /// Creates an empty body.
    ///
    /// - Parameter gate: Suspended while there is nothing to write.
    init(gate: ConnectionGate) {
        self.gate = gate
    }

    /// Adds a stream's pieces until it ends, or the task is cancelled.
    ///
    /// - Parameter stream: The stream, read no faster than the client reads.
    func pump(_ stream: AsyncStream<[UInt8]>) async {
        for await piece in stream where !piece.isEmpty {
            await append(piece)
        }
        let isCut = Task.isCancelled
        state.withLock { state in
            state.isFinished = true
            state.isCut = isCut
        }
        gate.resume()
    }

    /// Adds a piece and waits until the client has read enough of the earlier ones.
    private func append(_ piece: [UInt8]) async {
        await withCheckedContinuation { continuation in
            let hasRoom = state.withLock { state in
                guard !state.isClosed else { return true }
                state.pending.append(piece)
                if state.pending.count < StreamBuffer.highWater { return true }
                state.roomWaiter = continuation
                return false
            }
            gate.resume()
            if hasRoom { continuation.resume() }
        }
    }

    /// Copies the available bytes for libmicrohttpd, or suspends the connection until some come.
    ///
    /// - Returns: The number of bytes, or one of libmicrohttpd's end marks.
    func read(into buffer: UnsafeMutablePointer<CChar>, maximum: Int) -> Int {
        let (count, waiter) = state.withLock { state -> (Int, CheckedContinuation<Void, Never>?) in
            let count = min(maximum, state.pending.count)
            guard count > 0 else {
                if state.isFinished { return (state.isCut ? endWithError : endOfStream, nil) }
                // Under the lock, so that no piece can come between the check and the suspension.
                return (gate.suspend() ? 0 : endWithError, nil)
            }
            state.pending.removeFirst(into: UnsafeMutableRawBufferPointer(start: buffer, count: count))
            return (count, state.pending.count <= StreamBuffer.lowWater ? state.roomWaiter.take() : nil)
        }
        waiter?.resume()
        return count
    }

    /// Discards the remaining bytes: the client or the server has gone.
    func close() {
        let waiter = state.withLock { state in
            state.isClosed = true
            state.pending.removeAll()
            return state.roomWaiter.take()
        }
        waiter?.resume()
    }
}

// The two end marks of `MHD_ContentReaderCallback`, which are macros with casts that Swift does not import.
private let endOfStream = -1
private let endWithError = -2

/// The bytes of a stream that wait for a client, with limits for more.
struct StreamBuffer {
    /// A stream is read only while fewer bytes than this are waiting.
    static let highWater = 64 * 1024
    /// After a pause, a stream is read again when at most this many bytes are waiting.
    static let lowWater = 16 * 1024

    /// Sent bytes stay before the waiting ones until they are dropped.
    private(set) var bytes: [UInt8] = []
    private var sent = 0

    /// The number of waiting bytes.
    var count: Int { bytes.count - sent }

    /// Adds bytes at the end.
    mutating func append(_ piece: [UInt8]) {
        if bytes.isEmpty { bytes = piece } else { bytes += piece }
    }

    /// Removes the first bytes and copies them to a buffer.
    ///
    /// - Parameter buffer: The destination, at most ``count`` bytes long.
    mutating func removeFirst(into buffer: UnsafeMutableRawBufferPointer) {
        bytes.withUnsafeBytes { bytes in buffer.copyBytes(from: bytes[sent..<sent + buffer.count]) }
        sent += buffer.count
        if sent == bytes.count {
            removeAll()
        } else if sent >= Self.highWater, sent >= bytes.count / 2 {
            // At most as many bytes are moved as were sent since the last time, so the total time grows only linearly with the
            // stream.
            bytes.removeFirst(sent)
            sent = 0
        }
    }

    /// Discards everything.
    mutating func removeAll() {
        bytes = []
        sent = 0
    }
}
