package import Timestamps

/// Verifies bearer tokens (JSON Web Tokens, RFC 7519) with the keys of one issuer and one algorithm.
///
/// Accepts less than RFC 7519 allows, as required by RFC 8725: the configuration determines the algorithm, not the token; a
/// token must expire; and a header with unknown extensions is refused. Threads may share it. Printed without the keys.
package struct BearerTokenVerifier: Sendable, CustomStringConvertible, CustomReflectable {
    /// How tokens are signed.
    package enum Algorithm: String, Sendable, CaseIterable {
        /// HMAC with SHA-256: every verifier could also sign.
        case hs256 = "HS256"
        /// RSA (PKCS #1 1.5) with SHA-256.
        case rs256 = "RS256"
        /// ECDSA on P-256 with SHA-256.
        case es256 = "ES256"
        /// Ed25519 (RFC 8037).
        case eddsa = "EdDSA"
    }

    /// The maximum length of a token.
    package static let mostBytes = 8192

    private let algorithm: Algorithm
    private let keys: VerificationKeys
    private let issuer: String?
    private let audience: String?
    private let userClaim: String
    private let maximumLifetime: Duration?
    private let leeway: Duration

    /// Creates a verifier.
    ///
    /// - Parameters:
    ///   - algorithm: The only accepted algorithm.
    ///   - key: The keys of the issuer: a JSON Web Key Set (RFC 7517); or one or several public keys in PEM; or for HS256 a
    ///     secret of at least 32 bytes, all of which count, including a newline at the end.
    ///   - issuer: The required value of `iss`; `nil` for any.
    ///   - audience: The value that `aud` must have or contain. If `nil`, a token with an audience is for another service and
    ///     is refused (RFC 7519, section 4.1.3).
    ///   - userClaim: The claim with the user's name.
    ///   - maximumLifetime: The longest time from a token's `iat`, or from now if it has none, to its expiry; `nil` for any.
    ///   - leeway: The accepted difference to the issuer's clock.
    /// - Throws: ``BearerTokenError`` if a key has the wrong type for the algorithm, or no key exists.
    package init(
        algorithm: Algorithm,
        key: [UInt8],
        issuer: String?,
        audience: String?,
        userClaim: String = "sub",
        maximumLifetime: Duration? = nil,
        leeway: Duration = .seconds(30)
    ) throws(BearerTokenError) {
        self.algorithm = algorithm
        self.keys = try VerificationKeys(key, for: algorithm)
        self.issuer = issuer
        self.audience = audience
        self.userClaim = userClaim
        self.maximumLifetime = maximumLifetime
        self.leeway = max(.zero, leeway)
    }

    /// Verifies a token.
    ///
    /// - Parameters:
    ///   - token: The text after `Bearer `.
    ///   - now: The current time.
    /// - Returns: The user and the expiry.
    /// - Throws: ``BearerTokenError`` for the first error. The claims are checked only if the signature is valid.
    package func verify(_ token: String, now: Timestamp) throws(BearerTokenError) -> BearerToken {
        guard token.utf8.count <= Self.mostBytes else {
            throw BearerTokenError(.tooLong, "the token is longer than \(Self.mostBytes) bytes")
        }
        let parts = try CompactToken(token)
        try parts.check(algorithm)
        let candidates = keys.candidates(for: try parts.keyID())
        guard !candidates.isEmpty else {
            throw BearerTokenError(
                .unknownKey,
                "no key has the identifier in the token (kid): update the file of keys"
            )
        }
        guard candidates.contains(where: { $0.hasSigned(parts.signed, signature: parts.signature) }) else {
            throw BearerTokenError(.wrongSignature, "the token's signature is not the issuer's")
        }
        let claims = try TokenClaims(parts.payload)
        let expiry = try expiry(claims, now: now)
        try checkOrigin(claims)
        guard let user = try claims.text(userClaim), !user.isEmpty else {
            throw BearerTokenError(.noUser, "the token names no user (\(userClaim))")
        }
        return BearerToken(user: user, expiry: expiry, id: try claims.text("jti"))
    }

    private func expiry(_ claims: TokenClaims, now: Timestamp) throws(BearerTokenError) -> Timestamp {
        guard let expiry = try claims.instant("exp", .down) else {
            throw BearerTokenError(.noExpiry, "the token has no expiry (exp)")
        }
        guard now < expiry + leeway else { throw BearerTokenError(.expired, "the token has expired") }
        for name in ["nbf", "iat"] {
            guard let start = try claims.instant(name, .up) else { continue }
            guard start <= now + leeway else {
                throw BearerTokenError(.notYetValid, "the token is not valid yet (\(name)); check both clocks")
            }
        }
        let issued = try claims.instant("iat", .up)
        if let maximumLifetime, expiry > (issued ?? now) + maximumLifetime {
            throw BearerTokenError(.longLived, "the token is valid for longer than allowed (exp)")
        }
        return expiry
    }

    private func checkOrigin(_ claims: TokenClaims) throws(BearerTokenError) {
        let named = try claims.text("iss")
        if let issuer, named.map({ $0.utf8.elementsEqual(issuer.utf8) }) != true {
            throw BearerTokenError(.wrongIssuer, "the token is from another issuer (iss)")
        }
        let audiences = try claims.audience()
        guard let audience else {
            guard audiences == nil else {
                throw BearerTokenError(.wrongAudience, "the token has an audience (aud), but none is configured")
            }
            return
        }
        guard audiences?.contains(where: { $0.utf8.elementsEqual(audience.utf8) }) == true else {
            throw BearerTokenError(.wrongAudience, "the token is for another service (aud)")
        }
    }

    /// The description without the key.
    package var description: String { "BearerTokenVerifier(\(algorithm.rawValue), key: <redacted>)" }
    /// The reflection without the key.
    package var customMirror: Mirror { Mirror(self, children: []) }
}
