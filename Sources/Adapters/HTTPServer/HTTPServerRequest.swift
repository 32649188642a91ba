import ASCII
import HTTPTransport

/// A request: its head alone where a server decides by it, or whole.
package struct HTTPServerRequest: Sendable {
    /// As sent; methods are case-sensitive.
    package var method: String
    /// The request target as sent: visible ASCII, percent-encoding kept, query included, in origin form (`/a?b`) or, from
    /// clients of proxies, in absolute form (`http://host/a?b`); `*` with `OPTIONS`.
    package var target: String
    /// In the order of the wire, repeated fields included; names as sent, values without blanks around them. Bytes that are not
    /// UTF-8 are replaced by U+FFFD.
    package var headers: [(name: String, value: String)]
    /// At most as long as the decision by the head allows; transfer coding removed, content coding kept.
    package var body: [UInt8]
    /// Who is at the other end of the connection: the client, or the proxy nearest to here.
    package var client: ClientAddress?

    /// Makes a request, as tests of handlers need it.
    ///
    /// - Parameters:
    ///   - method: Such as `GET`.
    ///   - target: Such as `/newsroom/messages/?api-version=2015-01`.
    ///   - headers: In order.
    ///   - body: The content.
    ///   - client: Who is at the other end of the connection.
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

    /// The value of the first field of that name, compared without case.
    ///
    /// - Parameter name: Such as `Content-Type`.
    /// - Returns: The value as sent, or nothing where no such field came.
    package func first(named name: String) -> String? {
        headers.first { $0.name.isEqualIgnoringASCIICase(to: name) }?.value
    }

    /// The target's path without scheme, authority and query, percent-encoding kept; `/` where it is empty.
    package var rawPath: String {
        let rest = originForm
        let path = rest.prefix { $0 != UInt8(ascii: "?") }
        return path.isEmpty ? "/" : String(Substring(path))
    }

    /// What follows the first question mark, percent-encoding kept; nothing where there is none.
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
