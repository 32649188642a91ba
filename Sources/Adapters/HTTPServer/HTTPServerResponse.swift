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
