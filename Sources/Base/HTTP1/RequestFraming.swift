package import HTTPTransport

/// The fields of a request that its framing depends on, as the caller gave them.
package struct RequestFraming: Sendable, Equatable {
    /// What is wrong with a request apart from its URL.
    package enum Fault: Error, Sendable, Equatable {
        case methodIsNoToken
        /// `CONNECT` makes a tunnel of a connection.
        case methodIsConnect
        case headerNameIsNoToken
        /// The value holds a line break or another control.
        case headerHoldsControl(name: String)
        case transferEncoding
        /// `Content-Length` is not the number of the body's bytes.
        case contentLengthDoesNotFit
    }

    /// Whether the caller named the host, the agent and the length, so that nothing is added.
    var bringsHost = false
    var bringsAgent = false
    var bringsLength = false

    /// Looks through a request.
    ///
    /// - Parameter request: To be sent with any URL.
    /// - Throws: ``Fault`` for what could end a line early or change the framing of the body.
    package init(_ request: HTTPRequest) throws(Fault) {
        guard request.method.rawValue.utf8.isToken else { throw .methodIsNoToken }
        guard request.method.rawValue != "CONNECT" else { throw .methodIsConnect }
        let headers = request.headers
        switch headers.soundness {
        case .sound: break
        case .brokenName: throw .headerNameIsNoToken
        case .brokenValue(lineAt: var start):
            throw .headerHoldsControl(name: headers.nextLine(at: &start).map { headers.text($0.name) } ?? "?")
        }
        // Nearly all requests tell by their names alone.
        guard !headers.framingNames.isDisjoint(with: [.contentLength, .transferEncoding, .unknown]) else {
            bringsHost = headers.framingNames.contains(.host)
            bringsAgent = headers.framingNames.contains(.userAgent)
            return
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
