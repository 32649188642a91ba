package import NewsflashHTTPTransport

/// The headers from the caller that affect the framing of a request.
package struct RequestFraming: Sendable, Equatable {
    /// The reason why a request is rejected, except for its URL.
    package enum InvalidRequestError: Error, Sendable, Equatable {
        case methodIsNoToken
        /// `CONNECT` would turn the connection into a tunnel.
        case methodIsConnect
        case headerNameIsNoToken
        /// The value contains a line break or another control character.
        case headerHoldsControl(name: String)
        case transferEncoding
        /// `Content-Length` differs from the size of the body.
        case contentLengthDoesNotFit
    }

    /// Whether the caller gave host, user agent and length, so that they are not added.
    var bringsHost = false
    var bringsAgent = false
    var bringsLength = false

    /// Checks the headers of a request.
    ///
    /// - Parameter request: The request; its URL is not checked.
    /// - Throws: ``InvalidRequestError`` if a field could end a line early or change the framing of the body.
    package init(_ request: HTTPRequest) throws(InvalidRequestError) {
        guard request.method.rawValue.utf8.isToken else { throw .methodIsNoToken }
        guard request.method.rawValue != "CONNECT" else { throw .methodIsConnect }
        let headers = request.headers
        switch headers.validity {
        case .valid: break
        case .invalidName: throw .headerNameIsNoToken
        case .invalidValue(lineAt: var start):
            throw .headerHoldsControl(name: headers.nextLine(at: &start).map { headers.text($0.name) } ?? "?")
        }
        var position = 0
        while let line = headers.nextLine(at: &position) {
            switch line.name.count {
            case 4 where headers.reads("host", at: line.name): bringsHost = true
            case 10 where headers.reads("user-agent", at: line.name): bringsAgent = true
            case 14 where headers.reads("content-length", at: line.name):
                guard headers.text(line.value) == String(request.body.count) else { throw .contentLengthDoesNotFit }
                bringsLength = true
            case 17 where headers.reads("transfer-encoding", at: line.name): throw .transferEncoding
            default: break
            }
        }
    }
}
