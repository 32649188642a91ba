import ASCII
import Signing
public import Timestamps

extension SharedAccessSignature {
    /// Checks everything about a token but what its policy allows.
    ///
    /// - Parameters:
    ///   - header: The value of `Authorization`, where there is one.
    ///   - host: The host that was asked, as in `Host`; a port is ignored on both sides, since .NET leaves it out.
    ///   - path: The path that was asked, as sent.
    ///   - now: The present instant.
    ///   - key: The key of a policy, by the policy's name.
    /// - Returns: The token and the name of the policy that signed it.
    /// - Throws: ``SharedAccessSignatureError``; an unknown policy and a wrong code are told apart here, tell the
    ///   bearer the same.
    public static func verify(
        header: String?,
        host: String,
        path: String,
        now: Timestamp,
        key: (String) -> SharedAccessKey?
    ) throws(SharedAccessSignatureError) -> (token: SharedAccessSignature, keyName: String) {
        guard let header else { throw SharedAccessSignatureError(.missing, "there is no Authorization header") }
        let token = try SharedAccessSignature(parsing: header)
        guard let keyName = token.keyNames.first(where: { key($0) != nil }), let key = key(keyName) else {
            throw .unknownKeyName
        }
        guard token.isSigned(by: key) else {
            throw SharedAccessSignatureError(.invalidSignature, "the code is not that of the policy's key")
        }
        guard !token.isExpired(at: now) else { throw .expired }
        guard token.covers(host: host, path: path) else { throw .otherResource }
        return (token, keyName)
    }

    /// Whether the code is that of a key, over the resource as written.
    ///
    /// - Parameter key: The policy's key.
    /// - Returns: Compared in constant time.
    public func isSigned(by key: SharedAccessKey) -> Bool {
        isEqualInConstantTime(code, key.signature(resource: resource, expiry: expiry))
    }

    /// Whether the life is over.
    ///
    /// - Parameter now: The present instant.
    /// - Returns: `true` from the second of `se` on.
    public func isExpired(at now: Timestamp) -> Bool {
        now.seconds >= expiry
    }

    /// Whether the token is for a path or for one above it.
    ///
    /// Scheme, port, query, case and a slash at the end do not count.
    ///
    /// - Parameters:
    ///   - host: As in the header `Host`.
    ///   - path: As sent, with its leading slash.
    /// - Returns: `false` for a path that merely begins with the same letters.
    public func covers(host: String, path: String) -> Bool {
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

    /// What is asked, as it is held against a token: host and path in lower case, without the port and a slash at the end.
    ///
    /// - Parameters:
    ///   - host: As in the header `Host`.
    ///   - path: As sent, with its leading slash.
    /// - Returns: Escapes are left as they are.
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
