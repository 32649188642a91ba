package import Timestamps

/// What a token that was verified says.
package struct BearerToken: Sendable, Equatable {
    /// Whose it is, as the issuer names them; never empty, but any text.
    package var user: String
    /// When it ends; until then the verdict may be kept.
    package var expiry: Timestamp
    /// Its own name (`jti`), where the issuer gave it one.
    package var id: String?
}
