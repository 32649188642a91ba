internal import CMicroHTTPD
internal import Locks

/// The pieces of a streamed answer between the task that makes them and the thread that writes them.
final class StreamBody: Sendable {
    private struct State {
        var pending = StreamBuffer()
        var isFinished = false
        /// Whether the stream was given up before its end: the client must not take what it has for the whole.
        var isCut = false
        var isClosed = false
        var roomWaiter: CheckedContinuation<Void, Never>?
    }

    private let gate: ConnectionGate
    private let state = Locked(State())

    /// Makes an empty body.
    ///
    /// - Parameter gate: Suspended while nothing is there to write.
    init(gate: ConnectionGate) {
        self.gate = gate
    }

    /// Takes a stream's pieces until it ends, or the task is cancelled.
    ///
    /// - Parameter stream: Read no faster than the client takes it.
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

    /// Adds a piece and waits until the client has taken enough of those before.
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

    /// Copies what is there for libmicrohttpd, or suspends the connection until something comes.
    ///
    /// - Parameters:
    ///   - buffer: Where to write.
    ///   - maximum: Its size.
    /// - Returns: The number of bytes, or one of libmicrohttpd's end marks.
    func read(into buffer: UnsafeMutablePointer<CChar>, maximum: Int) -> Int {
        let (count, waiter) = state.withLock { state -> (Int, CheckedContinuation<Void, Never>?) in
            let count = min(maximum, state.pending.count)
            guard count > 0 else {
                if state.isFinished { return (state.isCut ? endWithError : endOfStream, nil) }
                // Under the lock, so that no piece can come between the look and the suspension.
                return (gate.suspend() ? 0 : endWithError, nil)
            }
            state.pending.take(into: UnsafeMutableRawBufferPointer(start: buffer, count: count))
            return (count, state.pending.count <= StreamBuffer.lowWater ? state.roomWaiter.take() : nil)
        }
        waiter?.resume()
        return count
    }

    /// Drops what is left: the client or the server has gone.
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
