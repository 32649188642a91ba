import ASCII
import Signing
public import Timestamps

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
    public static func verify(
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
    public func isSigned(by key: SharedAccessKey) -> Bool {
        isEqualInConstantTime(code, key.signature(resource: resource, expiry: expiry))
    }

    /// Whether the token has expired.
    ///
    /// - Parameter now: The current time.
    /// - Returns: `true` from the second in `se` on.
    public func isExpired(at now: Timestamp) -> Bool {
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
