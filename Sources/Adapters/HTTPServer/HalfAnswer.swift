internal import CMicroHTTPD

#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

/// The first half of an answer, as a client sees it whose connection breaks meanwhile.
///
/// libmicrohttpd sends heads whole, so these bytes go past it to the socket, or into its TLS session; it has sent all answers before by then, and
/// cuts the connection when the callback says so.
struct HalfAnswer {
    let bytes: [UInt8]

    /// Takes half of an answer.
    ///
    /// - Parameters:
    ///   - answer: Whole.
    ///   - isHead: Whether the content would not be sent.
    init(_ answer: HTTPServerResponse, isHead: Bool) {
        var content: [UInt8] = []
        if case .bytes(let bytes) = answer.body, !isHead { content = bytes }
        let reason = MHD_get_reason_phrase_for(UInt32(clamping: answer.status)).map { String(cString: $0) } ?? ""
        var lines = ["HTTP/1.1 \(answer.status) \(reason)"]
        lines += answer.headers.map { "\($0.name): \($0.value)" }
        lines.append("Content-Length: \(content.count)")
        let head = Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
        bytes = content.isEmpty ? Array(head.prefix(head.count / 2)) : head + content.prefix(content.count / 2)
    }

    /// Writes what the system takes at once; on the thread that is in a callback for the connection.
    ///
    /// - Parameter connection: With no answer yet.
    func write(to connection: OpaquePointer) {
        // What is not sent here would have been cut a moment later.
        bytes.withUnsafeBytes { cmhd_send(connection, $0.baseAddress, $0.count, sendFlags) }
    }
}

#if canImport(Glibc)
private let sendFlags = Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT)
#else
private let sendFlags = Int32(MSG_DONTWAIT)
#endif
