import NewsflashBasics
import NewsflashHTTPTransport

/// Scheme, host and port. Requests to the same origin may share a connection (RFC 9110, section 4.3.1).
package struct Origin: Hashable, Sendable, CustomStringConvertible {
    /// Whether the scheme is `https`.
    package let isSecure: Bool
    /// The host in lower case; an IPv6 address is in brackets.
    package let host: String
    /// The port of the URL, or the default port of the scheme.
    package let port: Int

    /// Host and port.
    package var description: String { "\(host):\(port)" }

    /// The URL of the origin, with the path `/`; used to open a connection.
    package var url: String { "\(isSecure ? "https" : "http")://\(host):\(port)/" }

    /// The value of `Host`: without the port if it is the scheme's default (RFC 9110, section 7.2).
    var hostField: String { port == (isSecure ? 443 : 80) ? host : description }

    init(isSecure: Bool, authority: ArraySlice<UInt8>) throws(RequestAddress.InvalidURLError) {
        guard !authority.contains(UInt8(ascii: "@")) else { throw .credentials }
        var host = authority
        var port = isSecure ? 443 : 80
        if let colon = authority.lastIndex(of: UInt8(ascii: ":")), !authority[colon...].contains(UInt8(ascii: "]")) {
            host = authority[..<colon]
            let digits = authority[(colon + 1)...]
            if !digits.isEmpty { port = try Self.port(digits) }
        }
        guard !host.isEmpty else { throw .noHost }
        guard Self.isHost(host) else { throw .brokenHost }
        self.isSecure = isSecure
        self.host = String(decoding: host.map(\.lowercasedASCII), as: UTF8.self)
        self.port = port
    }

    private static func port(_ digits: ArraySlice<UInt8>) throws(RequestAddress.InvalidURLError) -> Int {
        guard digits.count <= 5, digits.allSatisfy(\.isDigit) else { throw .brokenPort }
        let port = digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
        guard port > 0, port <= 65_535 else { throw .brokenPort }
        return port
    }

    /// Whether the host is a name, an IPv4 address, or an IPv6 address in brackets.
    private static func isHost(_ host: ArraySlice<UInt8>) -> Bool {
        if host.first == UInt8(ascii: "[") {
            guard host.last == UInt8(ascii: "]"), host.count > 2 else { return false }
            return host.dropFirst().dropLast().isIPv6Address
        }
        return host.allSatisfy { byte in
            byte.isDigit || byte.isLetter || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".")
                || byte == UInt8(ascii: "_")
        }
    }
}
