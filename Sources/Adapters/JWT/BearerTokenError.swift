/// Why a token is not taken, or a verifier cannot be made.
///
/// Never holds anything of the token or the key.
package struct BearerTokenError: Error, Sendable, Equatable, CustomStringConvertible {
    /// What is wrong, in kinds that a program can decide on.
    package enum Code: String, Sendable, CaseIterable {
        /// The key cannot be used with the algorithm.
        case unusableKey = "token_key_unusable"
        /// It is longer than ``BearerTokenVerifier/mostBytes``.
        case tooLong = "token_too_long"
        /// It is no token of three parts, or its header is not what a header has to be.
        case malformed = "token_malformed"
        /// It is signed in another way than the one that is taken.
        case wrongAlgorithm = "token_wrong_algorithm"
        /// Its header asks for something that is not understood here.
        case unsupportedHeader = "token_unsupported_header"
        /// No key has the name that its header gives (`kid`): the issuer may have changed its keys.
        case unknownKey = "token_unknown_key"
        /// The signature is not the key's.
        case wrongSignature = "token_wrong_signature"
        /// A claim is of the wrong kind, stands twice, or the claims cannot be read.
        case malformedClaims = "token_malformed_claims"
        /// It does not say when it ends.
        case noExpiry = "token_without_expiry"
        /// Its time is over.
        case expired = "token_expired"
        /// It is good for longer than the configuration allows.
        case longLived = "token_long_lived"
        /// Its time has not come.
        case notYetValid = "token_not_yet_valid"
        /// Another one issued it.
        case wrongIssuer = "token_wrong_issuer"
        /// It was issued for another service.
        case wrongAudience = "token_wrong_audience"
        /// It does not say whose it is.
        case noUser = "token_without_user"

        /// Whether the issuer signed the token: it is not a guess, whatever else is wrong with it.
        package var isWellSigned: Bool {
            switch self {
            case .unusableKey, .tooLong, .malformed, .wrongAlgorithm, .unsupportedHeader, .unknownKey, .wrongSignature:
                false
            case .malformedClaims, .noExpiry, .expired, .longLived, .notYetValid, .wrongIssuer, .wrongAudience, .noUser:
                true
            }
        }
    }

    /// What is wrong; its raw value is the label for metrics.
    package var code: Code
    /// For a person; the same for all tokens with the same fault.
    package var message: String
    /// Whether the same token may be taken later: only one whose time has not come.
    package var isRetriable: Bool { code == .notYetValid }

    init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// The message with its label.
    package var description: String { "\(message) [\(code.rawValue)]" }
}
