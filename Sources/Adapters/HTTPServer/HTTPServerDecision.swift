/// The further handling of a request whose head has been received.
package enum HTTPServerDecision: Sendable {
    /// Responds without the body. A body of up to 64 KiB is read and discarded first, so that the connection can continue; a
    /// longer one is not read, and the connection is closed.
    case answer(HTTPServerReply)
    /// Receives a body up to a number of bytes, then calls the closure with the complete request.
    ///
    /// A longer body gets ``HTTPServerRefusal/tooLarge`` and is not read, and one for which the server has no memory left gets
    /// ``HTTPServerRefusal/busy``, both without the closure.
    case receive(upTo: Int, @Sendable (HTTPServerRequest) -> HTTPServerReply)
    /// Decides when the closure returns; the body waits in the network until then. The closure runs in a task that is cancelled
    /// if the client ends its side of the connection, or the server stops.
    case later(@Sendable () async -> HTTPServerDecision)
}

/// The reason why the server itself refuses a request.
package enum HTTPServerRefusal: Sendable, Equatable {
    /// The head breaks a rule; the connection is closed, because the following bytes may not be a request.
    case malformed(MalformedHead)
    /// The body is longer than the decision allows.
    case tooLarge
    /// The bodies that the server keeps have reached their common limit.
    case busy

    /// The status of the response.
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
        case .busy: "The server has no room for more request bodies: try again."
        }
    }

    /// The response as plain text, with `Retry-After` if trying again may help.
    package var response: HTTPServerResponse {
        var response = HTTPServerResponse.text(message + "\n", status: status)
        if self == .busy { response.headers.append(("Retry-After", "1")) }
        return response
    }
}
