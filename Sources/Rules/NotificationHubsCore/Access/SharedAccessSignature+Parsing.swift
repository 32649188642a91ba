import ASCII
import Signing

extension SharedAccessSignature {
    private static let schemeWord = "SharedAccessSignature "
    /// The maximum length in bytes, within the usual header limits of HTTP servers; valid tokens have less than 1,000 bytes.
    private static let maximumLength = 4096

    /// Parses the value of an `Authorization` header.
    ///
    /// Fields may be in any order. Unknown fields are ignored; a repeated field is an error.
    ///
    /// - Parameter header: The value as received.
    /// - Throws: ``SharedAccessSignatureError`` with ``SharedAccessSignatureError/Code/malformed``.
    public init(parsing header: String) throws(SharedAccessSignatureError) {
        guard header.utf8.count <= Self.maximumLength else { throw .malformed("the token is too long") }
        guard header.utf8.starts(with: Self.schemeWord.utf8) else {
            throw .malformed("the scheme is not SharedAccessSignature")
        }
        var fields: [Substring: Substring] = [:]
        for field in header.utf8.dropFirst(Self.schemeWord.utf8.count).split(separator: UInt8(ascii: "&")) {
            let text = Substring(field)
            guard let equals = text.firstIndex(of: "=") else { throw .malformed("a field has no =") }
            guard fields.updateValue(text[text.index(after: equals)...], forKey: text[..<equals]) == nil else {
                throw .malformed("a field is repeated")
            }
        }
        guard let resource = fields["sr"], let sig = fields["sig"], let se = fields["se"], let skn = fields["skn"]
        else { throw .malformed("sr, sig, se or skn is missing") }
        guard !se.isEmpty, se.utf8.allSatisfy({ $0.isDigit }), let expiry = Int64(se) else {
            throw .malformed("se is not a number of seconds")
        }
        guard let codeText = PercentEncoding.decode(sig), let code = Base64.decode(codeText) else {
            throw .malformed("sig is not base 64")
        }
        guard let name = PercentEncoding.decode(skn),
            let nameWithBlanks = PercentEncoding.decode(String(skn.map { $0 == "+" ? " " : $0 }))
        else { throw .malformed("skn is not UTF-8") }
        self.init(
            resource: String(resource),
            code: code,
            expiry: expiry,
            keyNames: name == nameWithBlanks ? [name] : [name, nameWithBlanks]
        )
    }
}

/// The reason why a token is rejected.
public struct SharedAccessSignatureError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The kind of the error.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The short label for metrics.
        public var rawValue: String

        /// Creates a code.
        ///
        /// - Parameter rawValue: The label, in snake case.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// There is no token.
        public static let missing = Code(rawValue: "token_missing")
        /// The token has an invalid form.
        public static let malformed = Code(rawValue: "token_malformed")
        /// No policy has the token's key name.
        public static let unknownKeyName = Code(rawValue: "token_unknown_key_name")
        /// The code was not created with the policy's key.
        public static let invalidSignature = Code(rawValue: "token_invalid_signature")
        /// The token has expired.
        public static let expired = Code(rawValue: "token_expired")
        /// The token is for another resource.
        public static let otherResource = Code(rawValue: "token_other_resource")
    }

    /// The kind of the error.
    public let code: Code
    /// The fault; contains nothing of the token.
    public let message: String

    init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    package static let unknownKeyName = SharedAccessSignatureError(.unknownKeyName, "no policy has the name in skn")
    package static let expired = SharedAccessSignatureError(.expired, "it has expired")
    package static let otherResource = SharedAccessSignatureError(
        .otherResource,
        "the token is for another resource"
    )

    static func malformed(_ message: String) -> SharedAccessSignatureError {
        SharedAccessSignatureError(.malformed, message)
    }

    /// The message, followed by the code.
    public var description: String { "\(message) [\(code.rawValue)]" }
}
