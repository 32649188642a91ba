import NewsflashBasics
package import NewsflashHTTPTransport
package import NewsflashTimestamps

/// Caches the token of one hub and renews it in time.
package final class TokenSource: Sendable {
    private struct Held {
        /// The header field `Authorization`.
        var field: HTTPHeaders
        var signedAt: Timestamp
        var renewAt: Timestamp
    }

    private let resource: String
    private let keyName: String
    private let key: SharedAccessKey
    private let life: Duration
    private let held = Locked<Held?>(nil)

    /// Creates a token source for a hub.
    ///
    /// - Parameters:
    ///   - hubURL: The hub's URL without a query; its token is valid for all requests to the hub.
    ///   - keyName: The policy's name.
    ///   - key: The policy's key.
    ///   - life: The lifetime of a token.
    package init(hubURL: String, keyName: String, key: SharedAccessKey, life: Duration) {
        self.resource = SharedAccessSignature.resource(forURL: hubURL)
        self.keyName = keyName
        self.key = key
        self.life = life
    }

    /// Returns the header field `Authorization`.
    ///
    /// A new token is signed after three quarters of the lifetime, or if the current time is before the time of signing: the
    /// clock
    /// was wrong then, and the remaining lifetime is unknown.
    ///
    /// - Returns: The field; at least a quarter of the token's lifetime remains.
    package func field(now: Timestamp) -> HTTPHeaders {
        held.withLock { held in
            if let held, held.signedAt <= now, now < held.renewAt { return held.field }
            let token = SharedAccessSignature(
                resource: resource,
                expiry: (now + life).seconds,
                keyName: keyName,
                key: key
            )
            let field = HTTPHeaders([.init("Authorization", token.headerValue)])
            held = Held(field: field, signedAt: now, renewAt: now + life * 3 / 4)
            return field
        }
    }

    /// Discards the token, so that the next request has a new one.
    package func renew() {
        held.withLock { $0 = nil }
    }
}
