package import Timestamps

/// Tells which bearer tokens (JSON Web Tokens, RFC 7519) are good, by one key and one algorithm.
///
/// What is allowed is narrower than what RFC 7519 allows, by RFC 8725: the algorithm is the configuration's and not the
/// token's, a token ends, and what nobody here understands is refused. libjwt computes the signature; all else is read here.
/// May be shared by threads. Prints without the key.
package struct BearerTokenVerifier: Sendable, CustomStringConvertible, CustomReflectable {
    /// How tokens are signed.
    package enum Algorithm: String, Sendable, CaseIterable {
        /// HMAC with SHA-256: who verifies could also sign.
        case hs256 = "HS256"
        /// RSA (PKCS #1 1.5) with SHA-256.
        case rs256 = "RS256"
        /// ECDSA on P-256 with SHA-256.
        case es256 = "ES256"
    }

    /// No token is longer.
    package static let mostBytes = 8192

    private let library: SignatureLibrary
    private let algorithm: Algorithm
    private let key: VerificationKey
    private let issuer: String?
    private let audience: String?
    private let userClaim: String
    private let leeway: Duration

    /// Makes a verifier.
    ///
    /// - Parameters:
    ///   - algorithm: The only one that is taken.
    ///   - key: For HS256 the secret, 32 bytes or more, all of which count, a line's end too; else the public key in PEM.
    ///   - issuer: What `iss` has to be; anything where nil.
    ///   - audience: What `aud` has to be or to hold; where nil, a token that names an audience means somebody else and is
    ///     refused (RFC 7519, section 4.1.3).
    ///   - userClaim: The claim that says whose the token is.
    ///   - leeway: How far the issuer's clock may be off.
    /// - Throws: ``BearerTokenError`` where the key is of the wrong kind for the algorithm, or libjwt is not there.
    package init(
        algorithm: Algorithm,
        key: [UInt8],
        issuer: String?,
        audience: String?,
        userClaim: String = "sub",
        leeway: Duration = .seconds(30)
    ) throws(BearerTokenError) {
        self.library = try SignatureLibrary.load()
        self.algorithm = algorithm
        self.key = try VerificationKey(key, for: algorithm)
        self.issuer = issuer
        self.audience = audience
        self.userClaim = userClaim
        self.leeway = max(.zero, leeway)
    }

    /// Verifies a token.
    ///
    /// - Parameters:
    ///   - token: As it stands behind `Bearer `.
    ///   - now: The present instant.
    /// - Returns: Whose it is and until when.
    /// - Throws: ``BearerTokenError`` for the first fault. What the claims say is looked at only once the signature is good.
    package func verify(_ token: String, now: Timestamp) throws(BearerTokenError) -> BearerToken {
        guard token.utf8.count <= Self.mostBytes else {
            throw BearerTokenError(.tooLong, "the token is longer than \(Self.mostBytes) bytes")
        }
        let parts = try CompactToken(token)
        try parts.check(algorithm)
        guard library.hasGoodSignature(token, key: key.bytes, algorithm: algorithm.rawValue) else {
            throw BearerTokenError(.wrongSignature, "the token's signature is not the issuer's")
        }
        let claims = try TokenClaims(parts.payload)
        let expiry = try expiry(claims, now: now)
        try checkOrigin(claims)
        guard let user = try claims.text(userClaim), !user.isEmpty else {
            throw BearerTokenError(.noUser, "the token does not say whose it is (\(userClaim))")
        }
        return BearerToken(user: user, expiry: expiry, id: try claims.text("jti"))
    }

    private func expiry(_ claims: TokenClaims, now: Timestamp) throws(BearerTokenError) -> Timestamp {
        guard let expiry = try claims.instant("exp", .down) else {
            throw BearerTokenError(.noExpiry, "the token does not say when it ends (exp)")
        }
        guard now < expiry + leeway else { throw BearerTokenError(.expired, "the token has expired") }
        for name in ["nbf", "iat"] {
            guard let start = try claims.instant(name, .up) else { continue }
            guard start <= now + leeway else {
                throw BearerTokenError(.notYetValid, "the token's time has not come (\(name)); look at both clocks")
            }
        }
        return expiry
    }

    private func checkOrigin(_ claims: TokenClaims) throws(BearerTokenError) {
        let named = try claims.text("iss")
        if let issuer, named.map({ $0.utf8.elementsEqual(issuer.utf8) }) != true {
            throw BearerTokenError(.wrongIssuer, "the token is another issuer's (iss)")
        }
        let audiences = try claims.audience()
        guard let audience else {
            guard audiences == nil else {
                throw BearerTokenError(.wrongAudience, "the token names an audience (aud) and none is configured")
            }
            return
        }
        guard audiences?.contains(where: { $0.utf8.elementsEqual(audience.utf8) }) == true else {
            throw BearerTokenError(.wrongAudience, "the token is for another service (aud)")
        }
    }

    /// Without the key.
    package var description: String { "BearerTokenVerifier(\(algorithm.rawValue), key: <redacted>)" }
    /// Without the key.
    package var customMirror: Mirror { Mirror(self, children: []) }
}
