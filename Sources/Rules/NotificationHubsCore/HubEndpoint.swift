import NewsflashBasics

/// The address of a namespace: scheme, host and port.
package struct HubEndpoint: Sendable, Hashable, CustomStringConvertible {
    /// The protocol of an endpoint.
    package enum Scheme: String, Sendable {
        /// TLS, as required by the service.
        case https
        /// Plain HTTP, for an emulator.
        case http
    }

    /// The protocol.
    package let scheme: Scheme
    /// The host in lower case; an IPv6 address is in brackets.
    package let host: String
    /// The port, if given.
    package let port: Int?

    /// The base URL without a trailing slash, for example `https://newsdesk.servicebus.windows.net`.
    package var url: String { scheme.rawValue + "://" + authority }

    /// Host and port, as in the header `Host`.
    package var authority: String { port.map { "\(host):\($0)" } ?? host }

    /// The base URL.
    package var description: String { url }

    /// Parses the value of `Endpoint=`.
    ///
    /// - Parameters:
    ///   - text: `sb://`, `https://` or `http://`, then a host and an optional port; a path is ignored, as in the SDKs.
    ///   - isEmulator: Whether `sb://` means plain HTTP, because an emulator has no certificate.
    /// - Throws: ``HubValueError`` with a problem that continues "Endpoint of the connection string".
    init(_ text: String, isEmulator: Bool) throws(HubValueError) {
        guard let separator = text.utf8Range(of: "://") else {
            throw .invalid("Endpoint", "has no scheme: begin it with sb://")
        }
        switch text[..<separator.lowerBound].lowercased() {
        case "sb": self.scheme = isEmulator ? .http : .https
        case "https": self.scheme = .https
        case "http": self.scheme = .http
        default: throw .invalid("Endpoint", "has a scheme that is neither sb, https nor http")
        }
        let rest = text[separator.upperBound...]
        guard !rest.contains(where: { "@?#\\".contains($0) }) else {
            throw .invalid("Endpoint", "has more than scheme, host and port")
        }
        let authority = rest.prefix { $0 != "/" }
        (self.host, self.port) = try Self.hostAndPort(authority)
    }

    private static func hostAndPort(_ authority: Substring) throws(HubValueError) -> (String, Int?) {
        let hostEnd =
            authority.hasPrefix("[")
            ? authority.firstIndex(of: "]").map { authority.index(after: $0) } ?? authority.endIndex
            : authority.firstIndex(of: ":") ?? authority.endIndex
        let host = authority[..<hostEnd].lowercased()
        let isAddress = host.hasPrefix("[") && host.hasSuffix("]")
        let isHost =
            isAddress
            ? host.utf8.dropFirst().dropLast().isIPv6Address
            : !host.isEmpty && host.utf8.allSatisfy(\.isHostCharacter)
        guard isHost else {
            throw .invalid("Endpoint", "has no host, or one that is neither a name nor an address")
        }
        let portText = authority[hostEnd...]
        guard !portText.isEmpty else { return (host, nil) }
        guard portText.hasPrefix(":"), portText.dropFirst().utf8.allSatisfy({ $0.isDigit }),
            let port = Int(portText.dropFirst()), (1...65_535).contains(port)
        else { throw .invalid("Endpoint", "has a port that is not a number from 1 to 65535") }
        return (host, port)
    }
}

extension UInt8 {
    fileprivate var isHostCharacter: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"): true
        default: isDigit
        }
    }
}

extension StringProtocol {
    /// Returns the first position of an ASCII text; the standard library has no such search without Foundation.
    func utf8Range(of text: String) -> Range<Index>? {
        let wanted = text.utf8
        var start = utf8.startIndex
        while start < utf8.endIndex {
            if utf8[start...].starts(with: wanted) {
                return start..<utf8.index(start, offsetBy: wanted.count)
            }
            utf8.formIndex(after: &start)
        }
        return nil
    }
}

/// The rule for a hub's name (`Constants.cs` of the .NET SDK).
package enum HubName {
    /// Whether a name is valid for a hub.
    ///
    /// - Returns: Whether it has 1 to 260 letters, digits, `.`, `-` and `_`.
    package static func isValid(_ name: String) -> Bool {
        (1...260).contains(name.utf8.count) && name.utf8.allSatisfy { $0.isHubNameCharacter }
    }
}

extension UInt8 {
    fileprivate var isHubNameCharacter: Bool {
        isTagCharacter && self != UInt8(ascii: "@") && self != UInt8(ascii: "#") && self != UInt8(ascii: ":")
    }
}
