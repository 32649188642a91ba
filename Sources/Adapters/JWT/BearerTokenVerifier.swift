internal import NewsflashStrictJSON
package import NewsflashTimestamps

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

/// The content of a verified token.
package struct BearerToken: Sendable, Equatable {
    /// The user, as named by the issuer; never empty, but any text.
    package var user: String
    /// When it expires; until then the result may be cached.
    package var expiry: Timestamp
    /// Its identifier (`jti`), if the issuer gave it one.
    package var id: String?
}

/// The claims of a token with a valid signature (RFC 7519, section 4).
struct TokenClaims {
    private let value: JSONValue

    init(_ payload: [UInt8]) throws(BearerTokenError) {
        guard let value = try? JSONReader.read(payload, maximumDepth: CompactToken.maximumDepth), value.object != nil
        else { throw Self.malformed }
        self.value = value
    }

    /// Returns a claim that is a text.
    func text(_ name: String) throws(BearerTokenError) -> String? {
        guard let claim = value[member: name] else { return nil }
        guard let text = claim.string else { throw Self.malformed }
        return text
    }

    /// Returns the audiences of the token, of which one must match.
    func audience() throws(BearerTokenError) -> [String]? {
        guard let claim = value[member: "aud"] else { return nil }
        if let one = claim.string { return [one] }
        guard let list = claim.array else { throw Self.malformed }
        var names: [String] = []
        for element in list {
            guard let name = element.string else { throw Self.malformed }
            names.append(name)
        }
        return names
    }

    /// Returns a claim that is a time, in seconds since 1970 with an optional fraction.
    ///
    /// - Parameters:
    ///   - name: The claim's name.
    ///   - rounding: How a fraction is rounded to a whole second.
    /// - Returns: `nil` if the claim is missing.
    /// - Throws: ``BearerTokenError`` if the claim is not a time.
    func instant(_ name: String, _ rounding: FloatingPointRoundingRule) throws(BearerTokenError) -> Timestamp? {
        guard let claim = value[member: name] else { return nil }
        guard let number = claim.number else { throw Self.malformed }
        let seconds = number.int64 ?? Int64(exactly: number.double.rounded(rounding))
        // A time after the year 9999 is in milliseconds or invalid, and one before 1970 is an error.
        guard let seconds, (0...Self.lastSecond).contains(seconds) else { throw Self.malformed }
        return Timestamp(seconds: seconds)
    }

    private static let lastSecond: Int64 = 253_402_300_799
    private static let malformed = BearerTokenError(.malformedClaims, "the token's claims are malformed")
}

/// Why a token is refused, or a verifier cannot be created.
///
/// Never contains anything of the token or the key.
package struct BearerTokenError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The kind of error, for decisions by programs.
    package enum Code: String, Sendable, CaseIterable {
        /// The key cannot be used with the algorithm.
        case unusableKey = "token_key_unusable"
        /// The token is longer than ``BearerTokenVerifier/mostBytes``.
        case tooLong = "token_too_long"
        /// The token does not have three parts, or its header is malformed.
        case malformed = "token_malformed"
        /// The token is signed with another algorithm than the configured one.
        case wrongAlgorithm = "token_wrong_algorithm"
        /// The token's header requires an unsupported extension.
        case unsupportedHeader = "token_unsupported_header"
        /// No key has the identifier in the token's header (`kid`): the issuer may have changed its keys.
        case unknownKey = "token_unknown_key"
        /// The signature is not from the issuer's key.
        case wrongSignature = "token_wrong_signature"
        /// A claim has the wrong type or is repeated, or the claims cannot be read.
        case malformedClaims = "token_malformed_claims"
        /// The token has no expiry.
        case noExpiry = "token_without_expiry"
        /// The token has expired.
        case expired = "token_expired"
        /// The token is valid for longer than the configuration allows.
        case longLived = "token_long_lived"
        /// The token is not valid yet.
        case notYetValid = "token_not_yet_valid"
        /// The token is from another issuer.
        case wrongIssuer = "token_wrong_issuer"
        /// The token is for another service.
        case wrongAudience = "token_wrong_audience"
        /// The token names no user.
        case noUser = "token_without_user"

        /// Whether the issuer signed the token, so that it is not a guess, whatever else is wrong with it.
        package var isWellSigned: Bool {
            switch self {
            case .unusableKey, .tooLong, .malformed, .wrongAlgorithm, .unsupportedHeader, .unknownKey, .wrongSignature:
                false
            case .malformedClaims, .noExpiry, .expired, .longLived, .notYetValid, .wrongIssuer, .wrongAudience, .noUser:
                true
            }
        }
    }

    /// The kind of error; its raw value is the label for metrics.
    package var code: Code
    /// The text for people; the same for all tokens with the same error.
    package var message: String
    /// Whether the same token may be accepted later: only one that is not valid yet.
    package var isRetriable: Bool { code == .notYetValid }

    init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// The message with its code.
    package var description: String { "\(message) [\(code.rawValue)]" }
}
