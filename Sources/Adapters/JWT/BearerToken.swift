package import Timestamps

/// The content of a verified token.
package struct BearerToken: Sendable, Equatable {
    /// The user, as named by the issuer; never empty, but any text.
    package var user: String
    /// When it expires; until then the result may be cached.
    package var expiry: Timestamp
    /// Its identifier (`jti`), if the issuer gave it one.
    package var id: String?
}
