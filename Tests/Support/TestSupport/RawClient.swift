internal import Dispatch

#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

/// A TCP connection that sends and receives bytes unchanged. Blocking calls run on its own queue.
package final class RawClient: Sendable {
    private let descriptor: Int32
    private let queue = DispatchQueue(label: "raw client")

    /// Connects to a port of the loopback address.
    package init(port: UInt16) throws(RawClientError) {
        #if canImport(Glibc)
        let stream = Int32(SOCK_STREAM.rawValue)
        #else
        let stream = SOCK_STREAM
        #endif
        descriptor = socket(AF_INET, stream, 0)
        var limit = timeval(tv_sec: 20, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let result = withUnsafeBytes(of: &address) { bytes in
            connect(
                descriptor,
                bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self),
                socklen_t(MemoryLayout<sockaddr_in>.size)
            )
        }
        guard result == 0 else { throw RawClientError(what: "connect", number: errno) }
    }

    deinit {
        close(descriptor)
    }

    /// Writes text, byte for byte.
    package func send(_ text: String) {
        send(Array(text.utf8))
    }

    /// Writes bytes; returns early if the server has closed the connection.
    package func send(_ bytes: [UInt8]) {
        var sent = 0
        while sent < bytes.count {
            let count = bytes.withUnsafeBytes { buffer in
                sendBytes(descriptor, buffer.baseAddress.map { $0 + sent }, bytes.count - sent, noSignal)
            }
            guard count > 0 else { return }
            sent += count
        }
    }

    /// Closes the sending side of the connection.
    package func finishSending() {
        shutdown(descriptor, Int32(SHUT_WR))
    }

    /// The time limit of one call; otherwise a stream that sends something now and then would be read forever.
    private static let limit = Duration.seconds(20)

    /// Reads until the text ends in a mark, the connection ends, or the limit is reached.
    package func receive(through mark: String) async -> String {
        await onQueue { $0.read(through: mark) }
    }

    /// Reads one answer with a length.
    package func receiveResponse(isHead: Bool = false) async -> RawResponse {
        await onQueue { $0.readResponse(isHead: isHead) }
    }

    /// Reads one answer with a length from each of several connections, in their order and on one queue. A test that
    /// awaits each of hundreds of answers waits behind other tests each time.
    package static func receiveResponses(from clients: [RawClient]) async -> [RawResponse] {
        await clients.first?.onQueue { _ in clients.map { $0.readResponse(isHead: false) } } ?? []
    }

    private func read(through mark: String) -> String {
        var bytes: [UInt8] = []
        let mark = Array(mark.utf8)
        let deadline = ContinuousClock.now + Self.limit
        // Reads byte by byte, so that nothing of the next answer is lost.
        while !bytes.suffix(mark.count).elementsEqual(mark), ContinuousClock.now < deadline,
            let byte = readSome(1).first
        {
            bytes.append(byte)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private func readResponse(isHead: Bool) -> RawResponse {
        let head = read(through: "\r\n\r\n")
        let length =
            head.split(separator: "\r\n").first { $0.lowercased().hasPrefix("content-length:") }
            .flatMap { Int($0.dropFirst(15).drop { $0 == " " }) } ?? 0
        var body: [UInt8] = []
        while !isHead, body.count < length {
            let piece = readSome(length - body.count)
            if piece.isEmpty { break }
            body += piece
        }
        return RawResponse(head: head, body: String(decoding: body, as: UTF8.self))
    }

    /// Reads until the server closes the connection, or the limit is reached.
    package func receiveToEnd() async -> String {
        await onQueue { client in
            var bytes: [UInt8] = []
            let deadline = ContinuousClock.now + Self.limit
            while ContinuousClock.now < deadline {
                let piece = client.readSome(65536)
                if piece.isEmpty { break }
                bytes += piece
            }
            return String(decoding: bytes, as: UTF8.self)
        }
    }

    /// Reads until the connection ends, and ignores the bytes.
    ///
    /// - Returns: `false` if the server kept it open for the limit, or sent nothing for twenty seconds.
    package func waitForEnd() async -> Bool {
        await onQueue { client in
            let deadline = ContinuousClock.now + Self.limit
            while ContinuousClock.now < deadline {
                if client.readSome(65536).isEmpty { return errno != EAGAIN }
            }
            return false
        }
    }

    private func readSome(_ maximum: Int) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: maximum) { buffer, count in
            errno = 0
            count = max(0, recv(descriptor, buffer.baseAddress, maximum, 0))
        }
    }

    private func onQueue<Result: Sendable>(_ work: @escaping @Sendable (RawClient) -> Result) async -> Result {
        await withCheckedContinuation { continuation in
            queue.async { continuation.resume(returning: work(self)) }
        }
    }
}

#if canImport(Glibc)
private let noSignal = Int32(MSG_NOSIGNAL)
#else
private let noSignal: Int32 = 0
#endif

/// The system's `send`, which the method of the same name hides.
private func sendBytes(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int, _ flags: Int32) -> Int {
    send(descriptor, bytes, count, flags)
}

/// The reason why no connection could be made.
package struct RawClientError: Error {
    /// The call that failed.
    package var what: String
    /// The system's number for the reason.
    package var number: Int32
}

/// An answer, head and body as text.
package struct RawResponse {
    /// The head, including the empty line.
    package var head: String
    /// The body.
    package var body: String

    /// The status in the first line.
    package var status: Int? {
        head.split(separator: " ").dropFirst().first.flatMap { Int($0) }
    }
}
