/// The way of a request whose head has been received.
package enum HTTPServerDecision: Sendable {
    /// Answers. The body is not kept: one of up to 64 KiB is read and dropped first, so that the connection can go on; a
    /// longer one is not read, and the connection is closed.
    case answer(HTTPServerReply)
    /// Receives a body up to a number of bytes, then asks the closure with the whole request.
    ///
    /// A longer body is answered with ``HTTPServerRefusal/tooLarge`` and not read, and one for which the server has no room
    /// is answered with ``HTTPServerRefusal/busy``, both without the closure.
    case receive(upTo: Int, @Sendable (HTTPServerRequest) -> HTTPServerReply)
    /// Decides when the closure returns; the body waits in the network until then. It runs in a task that is cancelled if
    /// the client ends its side of the connection, or the server stops.
    case later(@Sendable () async -> HTTPServerDecision)
}

/// The reason for which a server refuses a request by itself.
package enum HTTPServerRefusal: Sendable, Equatable {
    /// The head breaks a rule; the connection is closed, because what follows may not be a request.
    case malformed(MalformedHead)
    /// The body is longer than the decision allows.
    case tooLarge
    /// The bodies that the server holds have as many bytes as they may have together.
    case busy

    /// The status of the answer.
    package var status: Int {
        switch self {
        case .malformed: 400
        case .tooLarge: 413
        case .busy: 503
        }
    }

    /// A sentence for the client.
    package var message: String {
        switch self {
        case .malformed(let fault): fault.message
        case .tooLarge: "The body of the request is too large."
        case .busy: "The server is receiving as many bodies as it has room for: try again."
        }
    }

    /// The answer as plain text, with `Retry-After` if trying again may help.
    package var response: HTTPServerResponse {
        var response = HTTPServerResponse.text(message + "\n", status: status)
        if self == .busy { response.headers.append(("Retry-After", "1")) }
        return response
    }
}
