package import HTTPTransport

/// A received request, independent of the server.
package struct EmulatedRequest: Sendable, Equatable {
    /// The method.
    package var method: String
    /// The target as sent: percent-encoded, with the query; an absolute URL if the client sent one.
    package var target: String
    /// The header fields.
    package var headers: HTTPHeaders
    /// The body.
    package var body: [UInt8]

    /// Creates a request.
    ///
    /// - Parameters:
    ///   - method: The method.
    ///   - target: The target as sent.
    ///   - headers: The header fields.
    ///   - body: The body; empty if there is none.
    package init(method: String, target: String, headers: HTTPHeaders = [], body: [UInt8] = []) {
        self.method = method
        self.target = target
        self.headers = headers
        self.body = body
    }
}

/// A response, and when and how to send it.
package struct EmulatedAnswer: Sendable, Equatable {
    /// The response.
    package var response: HTTPResponse
    /// The delay before the response is sent.
    package var delay: Duration = .zero
    /// The point at which the connection is cut, after the delay; `nil` if it is not cut.
    package var cut: Fault.Cut?
    /// Whether a fault determined the response.
    package var isByFault = false
    /// The reason if the request was refused.
    var failure: HubFailure?
}
