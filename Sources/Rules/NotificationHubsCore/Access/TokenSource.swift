package import HTTPTransport
import Locks
package import Timestamps

/// Keeps the token of one hub and signs a new one in time.
package final class TokenSource: Sendable {
    private struct Held {
        /// The field `Authorization`.
        var field: HTTPHeaders
        var signedAt: Timestamp
        var renewAt: Timestamp
    }

    private let resource: String
    private let keyName: String
    private let key: SharedAccessKey
    private let life: Duration
    private let held = Locked<Held?>(nil)

    /// Prepares to sign for a hub.
    ///
    /// - Parameters:
    ///   - hubURL: The hub's URL without a query; a token for it is good for all requests below.
    ///   - keyName: The policy's name.
    ///   - key: The policy's key.
    ///   - life: From signing to the end.
    package init(hubURL: String, keyName: String, key: SharedAccessKey, life: Duration) {
        self.resource = SharedAccessSignature.resource(forURL: hubURL)
        self.keyName = keyName
        self.key = key
        self.life = life
    }

    /// The field `Authorization`.
    ///
    /// Signed anew once three quarters of the life are over, and when the clock stands before the signing: then it was
    /// wrong, and how much of the life is left is not known.
    ///
    /// - Parameter now: The present instant.
    /// - Returns: With at least a quarter of its life left.
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

    /// Forgets the token, so that the next request has a new one.
    package func renew() {
        held.withLock { $0 = nil }
    }
}
