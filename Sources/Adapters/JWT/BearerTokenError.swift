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
