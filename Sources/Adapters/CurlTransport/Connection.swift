import HTTP1
import HTTPTransport
import Timestamps

/// One connection with the request that is on it.
///
/// Belongs to the loop's thread.
final class Connection {
    /// What the connection does.
    enum Phase {
        /// libcurl opens it.
        case opening
        /// Open, without a request.
        case idle
        /// A request is written, as far as the socket takes it; an answer may come already.
        case writing
        /// The request was written whole.
        case reading
    }

    /// How writing went on.
    enum Progress {
        case written
        /// The socket takes no more now.
        case blocked
        case failed(ConnectionHandle.Moved)
    }

    let handle: ConnectionHandle
    let slot: Int
    /// Which of all connections that have had the slot it is.
    let number: UInt32
    let origin: Origin
    /// The pool's number of it.
    let originNumber: Int

    var phase = Phase.opening
    /// Once it is open.
    var socket: Int32 = -1
    var parser: ResponseParser
    /// While it is writing or reading.
    var pending: PendingExchange?
    /// When writing the request began.
    var beganAt: Instant
    /// When an answer came on it last, before the present request.
    var answeredAt: Instant?
    /// Whether an answer came on it before the present request.
    var wasUsed: Bool { answeredAt != nil }
    /// Whether the poller waits until the socket takes more.
    var isWatchedForWriting = false
    /// Whether the server may have any byte of the request.
    private(set) var mayHaveSent = false

    /// The lines of a request, with its body where that is short, while they are not written whole.
    private var lines: [UInt8] = []
    private var writtenOfLines = 0
    private var writtenOfBody = 0

    /// Longer bodies are written from where they are.
    static let maximumCopiedBody = 16_384 - 2048
    /// A record of TLS: of what OpenSSL holds back of a piece, no other piece can have gone out.
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

    /// How the poller knows it.
    var source: Poller.Source { .connection(slot: slot, number: number) }

    /// Takes a request over; nothing is written yet.
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
    /// - Parameter buffer: Holds the lines, with the body where that is short. What is not written at once is kept, and the
    ///   buffer exchanged for another, since OpenSSL wants the same bytes at the same place again.
    /// - Returns: How far it went.
    func write(_ buffer: inout [UInt8]) -> Progress {
        let progress = buffer.withUnsafeBytes { write($0, counting: &writtenOfLines) }
        guard case .written = progress else {
            if case .blocked = progress { swap(&lines, &buffer) }
            return progress
        }
        return writeBody()
    }

    /// Goes on with writing, when the socket takes more.
    func writeOn() -> Progress {
        if writtenOfLines < lines.count {
            let progress = lines.withUnsafeBytes { write($0, counting: &writtenOfLines) }
            guard case .written = progress else { return progress }
            lines = []
        }
        return writeBody()
    }

    /// Forgets the request.
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
                // OpenSSL may have begun with a record, and end it when the connection is closed.
                mayHaveSent = true
                return .blocked
            case .end, .failure:
                return .failed(moved)
            }
        }
        return .written
    }
}
