import NewsflashBasics
import NewsflashHTTPTransport

/// The length of a request's body (RFC 9112, section 6.3).
enum BodyFraming: Sendable, Equatable {
    /// In bytes; zero if the request has no body.
    case length(Int)
    case chunked
}

/// The rules for the head of a request, checked before the first byte of its body (RFC 9110, RFC 9112).
///
/// Stricter than a server must be: it refuses everything that two parsers could understand differently, because the other
/// parser may be a proxy that takes the rest of this request for the next one.
enum RequestHeadRules {
    /// Checks a head.
    ///
    /// - Parameters:
    ///   - head: The head, with values of fields without the blanks before them; those after them are ignored (RFC 9112,
    ///     section 5.1), except in `Content-Length` and `Transfer-Encoding`.
    ///   - version: The version, such as `HTTP/1.1`.
    /// - Returns: The length of the body.
    /// - Throws: The first broken rule.
    static func framing(of head: HTTPServerRequest, version: String) throws(MalformedHead) -> BodyFraming {
        guard head.method.utf8.isToken else { throw .method }
        guard version == "HTTP/1.1" || version == "HTTP/1.0" else { throw .version }
        guard isTarget(head.target, of: head.method) else { throw .target }
        var hosts: [String] = []
        var lengths: [String] = []
        var codings: [String] = []
        for (name, value) in head.headers {
            guard name.utf8.isToken else { throw .fieldName }
            guard !value.utf8.contains(where: \.isControlInValue) else { throw .fieldValue }
            switch name.utf8.count {
            case 4 where name.isEqualIgnoringASCIICase(to: "Host"): hosts.append(value)
            case 14 where name.isEqualIgnoringASCIICase(to: "Content-Length"): lengths.append(value)
            case 17 where name.isEqualIgnoringASCIICase(to: "Transfer-Encoding"): codings.append(value)
            default: break
            }
        }
        // RFC 9112, section 3.2.
        guard hosts.count == 1 || hosts.isEmpty && version == "HTTP/1.0" else { throw .host }
        guard hosts.allSatisfy({ isAuthority($0.withoutBlanksAtEnd.utf8, orEmpty: true) }) else { throw .host }
        return try framing(lengths: lengths, codings: codings, version: version)
    }

    private static func framing(
        lengths: [String],
        codings: [String],
        version: String
    ) throws(MalformedHead) -> BodyFraming {
        switch (lengths.count, codings.count) {
        case (0, 0): return .length(0)
        case (1, 0):
            // Only digits, because `Int` would accept a sign.
            guard lengths[0].utf8.allSatisfy(\.isDigit), let length = Int(lengths[0]) else { throw .framing }
            return .length(length)
        case (0, 1):
            guard version == "HTTP/1.1", codings[0].isEqualIgnoringASCIICase(to: "chunked") else { throw .framing }
            return .chunked
        default: throw .framing
        }
    }

    /// Whether a target has a supported form (RFC 9112, section 3.2), which excludes that of `CONNECT`.
    private static func isTarget(_ target: String, of method: String) -> Bool {
        let bytes = target.utf8
        guard method != "CONNECT", bytes.allSatisfy({ 0x21...0x7E ~= $0 && $0 != UInt8(ascii: "#") }) else {
            return false
        }
        if bytes.first == UInt8(ascii: "/") { return true }
        if target == "*" { return method == "OPTIONS" }
        for scheme in ["http://", "https://"] where target.prefix(scheme.count).isEqualIgnoringASCIICase(to: scheme) {
            let authority = bytes.dropFirst(scheme.utf8.count).prefix {
                $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?")
            }
            return isAuthority(authority, orEmpty: false)
        }
        return false
    }

    /// Whether bytes are a host with or without a port (RFC 3986, section 3.2), without a user.
    private static func isAuthority(_ bytes: some BidirectionalCollection<UInt8>, orEmpty: Bool) -> Bool {
        guard !bytes.isEmpty else { return orEmpty }
        let isAddress = bytes.first == UInt8(ascii: "[")
        let end = isAddress ? bytes.firstIndex(of: UInt8(ascii: "]")) : bytes.firstIndex(of: UInt8(ascii: ":"))
        let host =
            isAddress ? bytes.dropFirst().prefix { $0 != UInt8(ascii: "]") } : bytes.prefix { $0 != UInt8(ascii: ":") }
        guard !host.isEmpty, host.allSatisfy({ isAddress ? $0.isInAddress : $0.isInName }) else { return false }
        guard let end else { return !isAddress }
        let port = isAddress ? bytes[bytes.index(after: end)...] : bytes[end...]
        guard let colon = port.first else { return true }
        return colon == UInt8(ascii: ":") && port.dropFirst().allSatisfy(\.isDigit)
    }
}

extension UInt8 {
    /// Whether it may be in a registered name (RFC 3986, section 3.2.2).
    fileprivate var isInName: Bool { isLetterOrDigit || "-._~%!$&'()*+,;=".utf8.contains(self) }

    /// Whether it may be in an address in brackets.
    fileprivate var isInAddress: Bool { isHexadecimalDigit || self == UInt8(ascii: ":") || self == UInt8(ascii: ".") }
}

extension String {
    /// Returns the value of a field without the blanks after it.
    var withoutBlanksAtEnd: String {
        guard utf8.last?.isBlank == true else { return self }
        let end = utf8.lastIndex { !$0.isBlank }.map { utf8.index(after: $0) } ?? startIndex
        return String(self[..<end])
    }
}

/// The rule that the head of a request breaks.
package enum MalformedHead: String, Error, Sendable, CaseIterable {
    /// A line does not end in CR LF, is folded, or contains a NUL or a second blank.
    case line
    /// The method is not a token.
    case method
    /// The target is neither a path, nor an `http` URL, nor `*` with `OPTIONS`.
    case target
    /// The version is neither HTTP/1.1 nor HTTP/1.0.
    case version
    /// The name of a field is not a token.
    case fieldName = "field_name"
    /// The value of a field contains a control character.
    case fieldValue = "field_value"
    /// The host is missing, is repeated, or cannot be one.
    case host
    /// The length of the body is repeated, is not a number, or is given in two ways.
    case framing

    /// A sentence for the client.
    package var message: String {
        switch self {
        case .line: "A line of the request's head does not end in CR LF, is folded, or contains a NUL."
        case .method: "The method of the request is not a token."
        case .target: "The target of the request must be a path, an http URL, or * with OPTIONS."
        case .version: "The version of the request must be HTTP/1.1 or HTTP/1.0."
        case .fieldName: "The name of a header field is not a token."
        case .fieldValue: "The value of a header field contains a control character."
        case .host: "The request must have exactly one valid Host field."
        case .framing:
            "The length of the body must be given once: a whole number as Content-Length, or Transfer-Encoding: chunked."
        }
    }
}
