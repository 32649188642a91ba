import NewsflashBasics
import NewsflashSigning
package import NewsflashTimestamps

/// A token that grants access to a resource for a limited time: the value of `Authorization`.
///
/// `SharedAccessSignature sr=<resource>&sig=<code>&se=<end>&skn=<policy>`
///
/// The code covers the resource exactly as written in the header. The SDKs write it differently (scheme, case of the escapes,
/// with or without the query, whole namespace or full path), so verification must use `sr` literally.
package struct SharedAccessSignature: Sendable, Equatable {
    /// The resource URI as in `sr`, percent-encoded.
    package let resource: String
    /// The code: the decoded bytes of `sig`.
    let code: [UInt8]
    /// The expiry: `se`, in seconds since 1970.
    package let expiry: Int64
    /// The possible policy names in `skn`, the likelier first: .NET encodes a blank as `+`, other SDKs use `+` for a plus.
    package let keyNames: [String]

    /// Signs a resource.
    ///
    /// - Parameters:
    ///   - resource: The resource as in `sr`, already percent-encoded; see ``resource(forURL:)``.
    ///   - expiry: The expiry, in seconds since 1970.
    ///   - keyName: The policy's name.
    ///   - key: The policy's key.
    package init(resource: String, expiry: Int64, keyName: String, key: SharedAccessKey) {
        self.resource = resource
        self.code = key.signature(resource: resource, expiry: expiry)
        self.expiry = expiry
        self.keyNames = [keyName]
    }

    init(resource: String, code: [UInt8], expiry: Int64, keyNames: [String]) {
        self.resource = resource
        self.code = code
        self.expiry = expiry
        self.keyNames = keyNames
    }

    /// Returns the resource of a URL as this library signs it: in lower case, percent-encoded with lower-case digits.
    ///
    /// - Parameter url: The URL without a query. A token for a path is valid for all paths below it.
    /// - Returns: The value of `sr`.
    package static func resource(forURL url: String) -> String {
        PercentEncoding.encode(url.lowercased())
    }

    /// The value of the header `Authorization`.
    package var headerValue: String {
        "SharedAccessSignature sr=\(resource)&sig=\(PercentEncoding.encode(Base64.encode(code)))"
            + "&se=\(expiry)&skn=\(PercentEncoding.encode(keyNames.first ?? ""))"
    }
}

extension SharedAccessSignature: CustomStringConvertible, CustomReflectable {
    /// The token without the code.
    package var description: String {
        "SharedAccessSignature sr=\(resource)&sig=<redacted>&se=\(expiry)&skn=\(keyNames.first ?? "")"
    }

    /// The token without the code.
    package var customMirror: Mirror { Mirror(self, children: ["resource": resource, "expiry": expiry]) }
}

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
    package init(parsing header: String) throws(SharedAccessSignatureError) {
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
package struct SharedAccessSignatureError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The kind of the error.
    package struct Code: RawRepresentable, Hashable, Sendable {
        /// The short label for metrics.
        package var rawValue: String

        /// Creates a code.
        ///
        /// - Parameter rawValue: The label, in snake case.
        package init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// There is no token.
        package static let missing = Code(rawValue: "token_missing")
        /// The token has an invalid form.
        package static let malformed = Code(rawValue: "token_malformed")
        /// No policy has the token's key name.
        package static let unknownKeyName = Code(rawValue: "token_unknown_key_name")
        /// The code was not created with the policy's key.
        package static let invalidSignature = Code(rawValue: "token_invalid_signature")
        /// The token has expired.
        package static let expired = Code(rawValue: "token_expired")
        /// The token is for another resource.
        package static let otherResource = Code(rawValue: "token_other_resource")
    }

    /// The kind of the error.
    package let code: Code
    /// The fault; contains nothing of the token.
    package let message: String

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
    package var description: String { "\(message) [\(code.rawValue)]" }
}

extension SharedAccessSignature {
    /// Verifies a token completely, except for the claims of its policy.
    ///
    /// - Parameters:
    ///   - header: The value of `Authorization`, if any.
    ///   - host: The requested host, as in `Host`; a port is ignored on both sides, because .NET omits it.
    ///   - path: The requested path, as sent.
    ///   - now: The current time.
    ///   - key: Returns the key of the policy with the given name.
    /// - Returns: The token and the name of the policy that signed it.
    /// - Throws: ``SharedAccessSignatureError``. It distinguishes an unknown policy from a wrong code; do not reveal the
    ///   difference to the client.
    package static func verify(
        header: String?,
        host: String,
        path: String,
        now: Timestamp,
        key: (String) -> SharedAccessKey?
    ) throws(SharedAccessSignatureError) -> (token: SharedAccessSignature, keyName: String) {
        guard let header else { throw SharedAccessSignatureError(.missing, "the Authorization header is missing") }
        let token = try SharedAccessSignature(parsing: header)
        guard let keyName = token.keyNames.first(where: { key($0) != nil }), let key = key(keyName) else {
            throw .unknownKeyName
        }
        guard token.isSigned(by: key) else {
            throw SharedAccessSignatureError(.invalidSignature, "the code was not created with the policy's key")
        }
        guard !token.isExpired(at: now) else { throw .expired }
        guard token.covers(host: host, path: path) else { throw .otherResource }
        return (token, keyName)
    }

    /// Whether the code was created with a key, over the resource as written.
    ///
    /// - Parameter key: The policy's key.
    /// - Returns: The result of a comparison in constant time.
    package func isSigned(by key: SharedAccessKey) -> Bool {
        isEqualInConstantTime(code, key.signature(resource: resource, expiry: expiry))
    }

    /// Whether the token has expired.
    ///
    /// - Parameter now: The current time.
    /// - Returns: `true` from the second in `se` on.
    package func isExpired(at now: Timestamp) -> Bool {
        now.seconds >= expiry
    }

    /// Whether the token is for the path or for one of its parents.
    ///
    /// Scheme, port, query, case and a trailing slash are ignored.
    ///
    /// - Parameters:
    ///   - host: The requested host, as in `Host`.
    ///   - path: The requested path, as sent, with its leading slash.
    /// - Returns: `false` also for a path that shares a prefix without being below the token's path.
    package func covers(host: String, path: String) -> Bool {
        guard let decoded = PercentEncoding.decode(resource) else { return false }
        let afterScheme = decoded.utf8Range(of: "://").map { decoded[$0.upperBound...] } ?? decoded[...]
        let withoutQuery = afterScheme.prefix { $0 != "?" && $0 != "#" }
        let authority = withoutQuery.prefix { $0 != "/" }
        guard Self.withoutPort(authority).isEqualIgnoringASCIICase(to: Self.withoutPort(host[...])) else {
            return false
        }
        let allowed = Self.normalized(withoutQuery[authority.endIndex...])
        let asked = Self.normalized(path[...])
        return Self.isPath(allowed, atOrAbove: asked)
            || PercentEncoding.decode(asked).map {
                Self.isPath(PercentEncoding.decode(allowed) ?? allowed, atOrAbove: $0)
            }
                ?? false
    }

    /// Returns the requested resource in the form in which it is compared: host and path in lower case, without port and
    /// trailing
    /// slash.
    ///
    /// - Parameters:
    ///   - host: The requested host, as in `Host`.
    ///   - path: The requested path, as sent, with its leading slash.
    /// - Returns: The resource; percent-encoding is kept.
    package static func comparedForm(host: String, path: String) -> String {
        withoutPort(host[...]).lowercased() + normalized(path[...])
    }

    private static func isPath(_ upper: String, atOrAbove lower: String) -> Bool {
        lower.utf8.starts(with: upper.utf8)
            && (lower.utf8.count == upper.utf8.count
                || lower.utf8[lower.utf8.index(lower.startIndex, offsetBy: upper.utf8.count)] == UInt8(ascii: "/"))
    }

    private static func normalized(_ path: Substring) -> String {
        var path = path
        while path.utf8.last == UInt8(ascii: "/") { path = path.dropLast() }
        return path.lowercased()
    }

    private static func withoutPort(_ authority: Substring) -> Substring {
        guard let colon = authority.lastIndex(of: ":"), authority[colon...].dropFirst().utf8.allSatisfy({ $0.isDigit })
        else { return authority }
        return authority[..<colon]
    }
}

/// The key of a shared access policy. Its description and mirror show `<redacted>`.
///
/// Keys in the portal look like base 64, but the service signs with the UTF-8 bytes of the text itself.
package struct SharedAccessKey: Sendable, Equatable {
    private let bytes: [UInt8]

    /// Creates a key from its text.
    ///
    /// - Parameter text: The text shown in the portal; not decoded.
    package init(_ text: String) {
        self.bytes = Array(text.utf8)
    }

    /// The text of the key, for a secrets file or a connection string; never log it.
    package var secretText: String { String(decoding: bytes, as: UTF8.self) }

    /// Returns the code of a shared access signature.
    ///
    /// - Parameters:
    ///   - resource: The resource URI as in `sr`, already percent-encoded.
    ///   - expiry: The value of `se`, in seconds since 1970.
    /// - Returns: 32 bytes, whose base 64 is `sig`.
    package func signature(resource: String, expiry: Int64) -> [UInt8] {
        var message = Array(resource.utf8)
        message.append(UInt8(ascii: "\n"))
        message.append(contentsOf: String(expiry).utf8)
        return HMACSHA256.code(for: message, key: bytes)
    }

    /// Compares in constant time.
    package static func == (left: SharedAccessKey, right: SharedAccessKey) -> Bool {
        isEqualInConstantTime(left.bytes, right.bytes)
    }
}

extension SharedAccessKey: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// A placeholder for the key.
    package var description: String { "<redacted>" }
    /// A placeholder for the key.
    package var debugDescription: String { "<redacted>" }
    /// A mirror without children, so that `dump` does not print the key.
    package var customMirror: Mirror { Mirror(self, children: []) }
}
