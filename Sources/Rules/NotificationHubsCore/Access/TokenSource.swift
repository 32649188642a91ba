import NewsflashBasics
package import NewsflashHTTPTransport
package import NewsflashTimestamps

/// Caches the token of one hub and renews it in time.
package final class TokenSource: Sendable {
    private struct Token {
        /// The header field `Authorization`.
        var field: HTTPHeaders
        var signedAt: Timestamp
        var renewAt: Timestamp
    }

    private struct State {
        var keyName: String
        var key: SharedAccessKey
        var token: Token?
    }

    private let resource: String
    private let life: Duration
    private let state: Locked<State>

    /// Creates a token source for a hub.
    ///
    /// - Parameters:
    ///   - hubURL: The hub's URL without a query; its token is valid for all requests to the hub.
    ///   - keyName: The policy's name.
    ///   - key: The policy's key.
    ///   - life: The lifetime of a token.
    package init(hubURL: String, keyName: String, key: SharedAccessKey, life: Duration) {
        self.resource = SharedAccessSignature.resource(forURL: hubURL)
        self.life = life
        self.state = Locked(State(keyName: keyName, key: key))
    }

    /// Returns the header field `Authorization`.
    ///
    /// A new token is signed after three quarters of the lifetime, or if the current time is before the time of signing: the
    /// clock
    /// was wrong then, and the remaining lifetime is unknown.
    ///
    /// - Returns: The field; at least a quarter of the token's lifetime remains.
    package func field(now: Timestamp) -> HTTPHeaders {
        state.withLock { state in
            if let token = state.token, token.signedAt <= now, now < token.renewAt { return token.field }
            let token = SharedAccessSignature(
                resource: resource,
                expiry: (now + life).seconds,
                keyName: state.keyName,
                key: state.key
            )
            let field = HTTPHeaders([.init("Authorization", token.headerValue)])
            state.token = Token(field: field, signedAt: now, renewAt: now + life * 3 / 4)
            return field
        }
    }

    /// Discards the token, so that the next request has a new one.
    package func renew() {
        state.withLock { $0.token = nil }
    }

    /// Signs all further tokens with another key.
    package func replaceKey(name: String, key: SharedAccessKey) {
        state.withLock { $0 = State(keyName: name, key: key) }
    }
}
