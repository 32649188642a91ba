import NewsflashHTTP1
import NewsflashHTTPTransport
import NewsflashTimestamps

/// One connection with its current request.
///
/// Belongs to the loop's thread.
final class Connection {
    /// The state of the connection.
    enum Phase {
        /// libcurl is opening it.
        case opening
        /// Open, without a request.
        case idle
        /// A request is being written, as far as the socket accepts it; a response may already arrive.
        case writing
        /// The request was written completely.
        case reading
    }

    /// The result of writing.
    enum Progress {
        case written
        /// The socket currently accepts no more.
        case blocked
        case failed(ConnectionHandle.TransferResult)
    }

    let handle: ConnectionHandle
    let slot: Int
    /// The number of this connection among all that the transport has opened.
    let number: UInt32
    let origin: Origin
    /// The origin's number in the pool.
    let originNumber: Int

    var phase = Phase.opening
    /// The socket after opening.
    var socket: Int32 = -1
    var parser: ResponseParser
    /// The request while the connection is writing or reading.
    var pending: PendingExchange?
    /// When writing of the request began.
    var beganAt: Instant
    /// When the last response to an earlier request came.
    var answeredAt: Instant?
    /// Whether it has already returned a response to an earlier request.
    var wasUsed: Bool { answeredAt != nil }
    /// Whether the poller waits until the socket accepts more.
    var isWatchedForWriting = false
    /// Whether the server may have received any byte of the request.
    private(set) var mayHaveSent = false

    /// The head of a request, with its body if it is short, until it is written completely.
    private var lines: [UInt8] = []
    private var writtenOfLines = 0
    private var writtenOfBody = 0

    /// The maximum body that is copied; longer ones are written from their own storage.
    static let maximumCopiedBody = 16_384 - 2048
    /// The size of a TLS record: while OpenSSL retains a piece, no other piece can have been sent.
    private static let maximumPiece = 16_384

    init(
        _ handle: ConnectionHandle,
        slot: Int,
        number: UInt32,
        origin: (value: Origin, number: Int),
        maximumResponseBytes: Int,
        now: Instant
    ) {
        self.handle = handle
        self.slot = slot
        self.number = number
        self.origin = origin.value
        self.originNumber = origin.number
        self.parser = ResponseParser(maximumBytes: maximumResponseBytes)
        self.beganAt = now
    }

    /// The connection's identity for the poller.
    var source: Poller.Source { .connection(slot: slot, number: number) }

    /// Adopts a request; writes nothing yet.
    func begin(_ next: PendingExchange, now: Instant) {
        parser.begin(isForHead: next.exchange.request.method.isHead)
        pending = next
        beganAt = now
        mayHaveSent = false
        writtenOfLines = 0
        writtenOfBody = 0
        phase = .writing
    }

    /// Begins to write.
    ///
    /// - Parameter buffer: The head, with the body if it is short. If a part cannot be written at once, the connection keeps
    ///   the buffer and replaces it, because OpenSSL requires the same bytes at the same address again.
    /// - Returns: The progress.
    func write(_ buffer: inout [UInt8]) -> Progress {
        let progress = buffer.withUnsafeBytes { write($0, counting: &writtenOfLines) }
        guard case .written = progress else {
            if case .blocked = progress { swap(&lines, &buffer) }
            return progress
        }
        return writeBody()
    }

    /// Continues writing when the socket accepts more.
    func writeOn() -> Progress {
        if writtenOfLines < lines.count {
            let progress = lines.withUnsafeBytes { write($0, counting: &writtenOfLines) }
            guard case .written = progress else { return progress }
            lines = []
        }
        return writeBody()
    }

    /// Removes and returns the request.
    func finish() -> PendingExchange? {
        lines = []
        defer { pending = nil }
        return pending
    }

    private func writeBody() -> Progress {
        guard let body = pending?.exchange.request.body, body.count > Self.maximumCopiedBody else { return .written }
        return body.withUnsafeBytes { write($0, counting: &writtenOfBody) }
    }

    private func write(_ bytes: UnsafeRawBufferPointer, counting written: inout Int) -> Progress {
        while written < bytes.count {
            let end = origin.isSecure ? min(bytes.count, written + Self.maximumPiece) : bytes.count
            let moved = handle.send(UnsafeRawBufferPointer(rebasing: bytes[written..<end]))
            switch moved {
            case .bytes(let count):
                mayHaveSent = true
                written += count
            case .later:
                // OpenSSL may have begun a record, and may complete it when the connection is closed.
                mayHaveSent = true
                return .blocked
            case .end, .failure:
                return .failed(moved)
            }
        }
        return .written
    }
}
