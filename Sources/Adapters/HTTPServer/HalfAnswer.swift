internal import CMicroHTTPD

#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

/// The first half of a response, for a client whose connection is to break within it.
///
/// libmicrohttpd sends heads as a whole, so these bytes are written directly to the socket, or into its TLS session. By then it
/// has sent all earlier responses, and it closes the connection when the callback requests that.
struct HalfAnswer {
    let bytes: [UInt8]

    /// Creates the first half of a response.
    ///
    /// - Parameters:
    ///   - answer: The complete response.
    ///   - isHead: Whether the request is a `HEAD`, whose response has no content.
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

    /// Writes as much as the system accepts at once; on the thread that is in a callback for the connection.
    ///
    /// - Parameter connection: A connection without a response.
    func write(to connection: OpaquePointer) {
        // Bytes that are not sent here would have been cut off anyway.
        bytes.withUnsafeBytes { cmhd_send(connection, $0.baseAddress, $0.count, sendFlags) }
    }
}

#if canImport(Glibc)
private let sendFlags = Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT)
#else
private let sendFlags = Int32(MSG_DONTWAIT)
#endif
