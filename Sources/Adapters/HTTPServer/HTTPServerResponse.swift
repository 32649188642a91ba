/// What a handler answers.
package struct HTTPServerResponse: Sendable {
    /// The content of an answer.
    package enum Body: Sendable {
        /// Sent at once, with its length.
        case bytes([UInt8])
        /// Sent piece by piece as they come, in chunked coding, until the stream ends.
        ///
        /// The stream's task is cancelled when the client has gone. That is noticed by the next write only: a stream that
        /// can be silent for long should send something now and then, such as a comment line of server-sent events.
        case stream(AsyncStream<[UInt8]>)
    }

    /// Where a connection is cut on purpose, as by a broken network.
    package enum Cut: Sendable {
        /// Before the first byte of the answer.
        case unanswered
        /// After half of the content and a head that announces all of it; after half of the head where there is no content,
        /// or where it is a stream.
        case halfway
    }

    /// Between 200 and 599.
    package var status: Int
    /// `Content-Length`, `Transfer-Encoding` and `Date` are the server's own. A line break in one makes the answer a 500.
    package var headers: [(name: String, value: String)]
    /// The content; not sent in answer to `HEAD`, nor with 204 and 304.
    package var body: Body
    /// Cuts the connection in place of the answer, or amid it.
    package var cut: Cut?

    /// Makes an answer.
    ///
    /// - Parameters:
    ///   - status: Between 200 and 599.
    ///   - headers: In order.
    ///   - body: The content.
    ///   - cut: Cuts the connection in place of the answer, or amid it.
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

    /// An answer of UTF-8 text.
    ///
    /// - Parameters:
    ///   - text: The content.
    ///   - status: Between 200 and 599.
    ///   - contentType: With its character set.
    /// - Returns: The answer.
    package static func text(
        _ text: String,
        status: Int = 200,
        contentType: String = "text/plain; charset=utf-8"
    ) -> HTTPServerResponse {
        HTTPServerResponse(status: status, headers: [("Content-Type", contentType)], body: .bytes(Array(text.utf8)))
    }
}

/// When a handler answers.
package enum HTTPServerReply: Sendable {
    /// At once, on the server's own thread: for answers that need no waiting.
    case now(HTTPServerResponse)
    /// When the closure returns. It runs in a task that is cancelled, and waited for, by ``HTTPServer/stop()``. Where the
    /// client ends its side of the connection meanwhile, that is noticed within some seconds, and the task is cancelled.
    case later(@Sendable () async -> HTTPServerResponse)
    /// Never: the connection is cut, as by a broken network.
    case abort
}
