package import HTTPTransport

/// A request as it came in, whatever server took it.
package struct EmulatedRequest: Sendable, Equatable {
    /// The method's name.
    package var method: String
    /// As sent: percent-encoded, with the query; a whole URL where the client wrote one.
    package var target: String
    /// The header fields.
    package var headers: HTTPHeaders
    /// The body.
    package var body: [UInt8]

    /// Makes a request.
    ///
    /// - Parameters:
    ///   - method: The method's name.
    ///   - target: As sent.
    ///   - headers: The header fields.
    ///   - body: Empty for none.
    package init(method: String, target: String, headers: HTTPHeaders = [], body: [UInt8] = []) {
        self.method = method
        self.target = target
        self.headers = headers
        self.body = body
    }
}

/// What to answer, and when.
package struct EmulatedAnswer: Sendable, Equatable {
    /// The answer.
    package var response: HTTPResponse
    /// How long to wait before answering.
    package var delay: Duration = .zero
    /// Where the connection is cut, if it is; the delay comes before it.
    package var cut: Fault.Cut?
    /// Whether a fault decided what is answered.
    package var isByFault = false
    /// Why the request was refused.
    var failure: HubFailure?
}
