import NewsflashBasics
import NewsflashHTTPTransport

/// A request: only its head when a server decides on it, or the complete request.
package struct HTTPServerRequest: Sendable {
    /// The method as sent; methods are case-sensitive.
    package var method: String
    /// The request target as sent: visible ASCII, percent-encoding kept, query included, in origin form (`/a?b`) or, from
    /// clients of proxies, in absolute form (`http://host/a?b`); `*` with `OPTIONS`.
    package var target: String
    /// The fields in the order in which they were sent, including repeated ones; names as sent, values without surrounding
    /// blanks. Bytes that are not UTF-8 are replaced by U+FFFD.
    package var headers: [(name: String, value: String)]
    /// The body, at most as long as the decision allows, without transfer coding, but with content coding.
    package var body: [UInt8]
    /// The address of the other side of the connection: the client, or the nearest proxy.
    package var client: ClientAddress?

    /// Creates a request, for tests of handlers.
    ///
    /// - Parameters:
    ///   - method: The method, such as `GET`.
    ///   - target: The target, such as `/newsroom/messages/?api-version=2015-01`.
    ///   - headers: The fields in order.
    ///   - body: The content.
    ///   - client: The address of the other side of the connection.
    package init(
        method: String,
        target: String,
        headers: [(name: String, value: String)] = [],
        body: [UInt8] = [],
        client: ClientAddress? = nil
    ) {
        self.method = method
        self.target = target
        self.headers = headers
        self.body = body
        self.client = client
    }

    /// Returns the value of the first field with a name, compared without case.
    ///
    /// - Parameter name: The name, such as `Content-Type`.
    /// - Returns: The value as sent; `nil` if the field is missing.
    package func first(named name: String) -> String? {
        headers.first { $0.name.isEqualIgnoringASCIICase(to: name) }?.value
    }

    /// The target's path without scheme, authority and query, still percent-encoded; `/` if it is empty.
    package var rawPath: String {
        let rest = originForm
        let path = rest.prefix { $0 != UInt8(ascii: "?") }
        return path.isEmpty ? "/" : String(Substring(path))
    }

    /// The part after the first question mark, still percent-encoded; `nil` if absent.
    package var rawQuery: String? {
        let rest = originForm
        guard let mark = rest.firstIndex(of: UInt8(ascii: "?")) else { return nil }
        return String(Substring(rest[rest.index(after: mark)...]))
    }

    /// The target from its path on (RFC 9112, section 3.2).
    private var originForm: Substring.UTF8View {
        let bytes = target[...].utf8
        guard bytes.first != UInt8(ascii: "/"), let colon = bytes.firstIndex(of: UInt8(ascii: ":")) else {
            return bytes
        }
        let afterScheme = bytes[bytes.index(after: colon)...]
        guard afterScheme.starts(with: "//".utf8) else { return bytes }
        let authority = afterScheme.dropFirst(2)
        let end = authority.firstIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") }
        return authority[(end ?? authority.endIndex)...]
    }
}

/// The host in a request's `Host` field or target, as browsers write it.
package struct RequestHost: Hashable, Sendable {
    /// The name without port, without the brackets of an IPv6 address, without a trailing full stop, in lower case.
    package let name: String

    /// Parses a host, such as `news.example:80`, `127.0.0.1`, `[::1]:9464` or `::1`.
    package init(_ text: String) {
        let host = text.lowercased()
        if host.first == "[", let end = host.firstIndex(of: "]") {
            name = String(host[host.index(after: host.startIndex)..<end])
            return
        }
        // More than one colon: an IPv6 address without brackets, as in configurations.
        let bare = host.count { $0 == ":" } == 1 ? host.prefix { $0 != ":" } : host[...]
        name = String(bare.last == "." ? bare.dropLast() : bare)
    }

    /// The four bytes of an IPv4 address as browsers write it; otherwise `nil`.
    package var ipv4: [UInt8]? {
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        let bytes = parts.compactMap { part in part.allSatisfy { $0.isASCII && $0.isNumber } ? UInt8(part) : nil }
        return parts.count == 4 && bytes.count == 4 ? bytes : nil
    }

    /// Whether it is an IPv6 address; names have no colon.
    package var isIPv6: Bool { name.contains(":") }

    /// Whether it means this machine for every resolver (RFC 6761, section 6.3).
    package var isLocalhost: Bool { name == "localhost" || name.hasSuffix(".localhost") }
}

/// A browser's information about the page that makes a request (https://www.w3.org/TR/fetch-metadata). Browsers omit it from
/// plain HTTP requests to other hosts than this machine.
package struct FetchMetadata: Sendable {
    private let site: String?
    private let mode: String?
    private let destination: String?

    /// Reads the information from the fields of a request.
    package init(_ field: (_ name: String) -> String?) {
        site = field("Sec-Fetch-Site")
        mode = field("Sec-Fetch-Mode")
        destination = field("Sec-Fetch-Dest")
    }

    /// Whether a page of another site makes the request.
    package var isCrossSite: Bool { site == "cross-site" }

    /// Whether the response fills a separate tab, where no other page can read it.
    package var isLink: Bool { mode == "navigate" && destination == "document" }
}
