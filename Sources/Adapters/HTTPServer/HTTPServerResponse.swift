internal import CNewsflashMicroHTTPD

/// A handler's response.
package struct HTTPServerResponse: Sendable {
    /// The content of a response.
    package enum Body: Sendable {
        /// Sent at once, with its length.
        case bytes([UInt8])
        /// Sent piece by piece as they come, in chunked coding, until the stream ends.
        ///
        /// The stream's task is cancelled when the client has gone. Only the next write detects that: a stream that can be
        /// silent for long should regularly send something, such as a comment line of server-sent events.
        case stream(AsyncStream<[UInt8]>)
    }

    /// The point at which a connection is closed intentionally, as by a broken network.
    package enum Cut: Sendable {
        /// Before the first byte of the response.
        case unanswered
        /// After half the content and a head that announces all of it; after half the head if there is no content, or if it is
        /// a stream.
        case halfway
    }

    /// The status, between 200 and 599.
    package var status: Int
    /// The fields. The server itself adds `Content-Length`, `Transfer-Encoding` and `Date`. If one contains a line break, the
    /// response is a 500.
    package var headers: [(name: String, value: String)]
    /// The content; not sent in response to `HEAD`, nor with 204 and 304.
    package var body: Body
    /// Closes the connection instead of the response, or within it.
    package var cut: Cut?

    /// Creates a response.
    ///
    /// - Parameters:
    ///   - status: The status, between 200 and 599.
    ///   - headers: The fields in order.
    ///   - body: The content.
    ///   - cut: Closes the connection instead of the response, or within it.
    package init(
        status: Int,
        headers: [(name: String, value: String)] = [],
        body: Body = .bytes([]),
        cut: Cut? = nil
    ) {
        self.status = status
        self.headers = headers
        self.body = body
        self.cut = cut
    }

    /// Creates a response with UTF-8 text.
    ///
    /// - Parameters:
    ///   - text: The content.
    ///   - status: The status, between 200 and 599.
    ///   - contentType: The content type with its character set.
    /// - Returns: The response.
    package static func text(
        _ text: String,
        status: Int = 200,
        contentType: String = "text/plain; charset=utf-8"
    ) -> HTTPServerResponse {
        HTTPServerResponse(status: status, headers: [("Content-Type", contentType)], body: .bytes(Array(text.utf8)))
    }
}

/// The time of a handler's response.
package enum HTTPServerReply: Sendable {
    /// At once, on the server's own thread: for responses that need not wait.
    case now(HTTPServerResponse)
    /// When the closure returns. It runs in a task that ``HTTPServer/stop()`` cancels and waits for. If the client ends its
    /// side of the connection meanwhile, the task is cancelled within some seconds.
    case later(@Sendable () async -> HTTPServerResponse)
    /// Never: the connection is closed, as by a broken network.
    case abort
}

/// A response in libmicrohttpd's form; its reference is released with its owner.
struct MHDResponse: ~Copyable {
    private let status: UInt32
    private let response: OpaquePointer?

    /// Converts a response.
    ///
    /// - Parameters:
    ///   - answer: The handler's response.
    ///   - stream: The content of a streamed response; `nil` for `HEAD`.
    init(_ answer: HTTPServerResponse, stream: StreamBody?) {
        let made = Self.make(answer, stream: stream)
        let isValid = answer.headers.allSatisfy { field in
            MHD_add_response_header(made, field.name, field.value) == .YES
        }
        if isValid {
            status = UInt32(clamping: answer.status)
            response = made
        } else {
            made.map { MHD_destroy_response($0) }
            status = 500
            response = MHD_create_response_from_buffer(0, nil, .RESPMEM_PERSISTENT)
        }
    }

    deinit {
        response.map { MHD_destroy_response($0) }
    }

    /// Passes the response to libmicrohttpd.
    ///
    /// - Parameter connection: A connection without a response, in a callback for it.
    /// - Returns: Whether it was accepted; otherwise the connection must be closed.
    func queue(on connection: OpaquePointer) -> Bool {
        MHD_queue_response(connection, status, response) == .YES
    }

    private static func make(_ answer: HTTPServerResponse, stream: StreamBody?) -> OpaquePointer? {
        switch answer.body {
        case .bytes(var bytes):
            return bytes.withUnsafeMutableBytes { buffer in
                MHD_create_response_from_buffer(buffer.count, buffer.baseAddress, .RESPMEM_MUST_COPY)
            }
        case .stream:
            guard let stream else {
                // Only for `HEAD`. libmicrohttpd sends the last chunk of a forbidden body; closing the connection makes it
                // harmless.
                let made = MHD_create_response_from_callback(unknownSize, 1024, { _, _, _, _ in -1 }, nil, nil)
                MHD_add_response_header(made, "Connection", "close")
                return made
            }
            return MHD_create_response_from_callback(
                unknownSize,
                32 * 1024,
                { context, _, buffer, maximum in
                    guard let context, let buffer else { return -2 }
                    return Unmanaged<StreamBody>.fromOpaque(context).takeUnretainedValue()
                        .read(into: buffer, maximum: maximum)
                },
                Unmanaged.passRetained(stream).toOpaque(),
                { context in
                    guard let context else { return }
                    Unmanaged<StreamBody>.fromOpaque(context).release()
                }
            )
        }
    }
}

/// `MHD_SIZE_UNKNOWN`, a macro with a cast that Swift does not import.
private let unknownSize = UInt64.max
