import NewsflashBasics
import NewsflashHTTPTransport

/// The parts of an absolute URL that a request needs. It is parsed once for all requests to the same URL.
package struct RequestAddress: Sendable, Equatable {
    /// The reason why a URL is rejected.
    package enum InvalidURLError: Error, Sendable, Equatable {
        /// A blank, a control character or a non-ASCII byte.
        case strayCharacter
        /// Neither `http://` nor `https://`.
        case noScheme
        case noHost
        /// A user name or password.
        case credentials
        /// The host is neither a name nor an address (RFC 3986, section 3.2.2).
        case brokenHost
        /// The port is not a number from 1 to 65535.
        case brokenPort
    }

    /// The origin of the URL.
    package let origin: Origin
    /// The rest of the request line after the method, and the line of `Host`, with their line ends.
    let lines: [UInt8]
    /// The start of the `Host` line in ``lines``.
    let hostStart: Int

    /// Parses a URL.
    ///
    /// Path and query are not changed; an empty path becomes `/`, and a fragment is removed (RFC 9112, section 3.2.1).
    ///
    /// - Parameter url: An absolute, percent-encoded URL.
    /// - Throws: ``InvalidURLError`` if the URL cannot or should not be sent.
    package init(_ url: String) throws(InvalidURLError) {
        let bytes = Array(url.utf8)
        guard bytes.allSatisfy({ $0 > 0x20 && $0 < 0x7f }) else { throw .strayCharacter }
        let isSecure: Bool
        var rest: ArraySlice<UInt8>
        if bytes.starts(withLowercase: "https://") {
            (isSecure, rest) = (true, bytes[8...])
        } else if bytes.starts(withLowercase: "http://") {
            (isSecure, rest) = (false, bytes[7...])
        } else {
            throw .noScheme
        }
        let authority = rest.prefix { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
        rest = rest[authority.endIndex...]
        self.origin = try Origin(isSecure: isSecure, authority: authority)
        var lines: [UInt8] = [UInt8(ascii: " ")]
        if rest.first != UInt8(ascii: "/") { lines.append(UInt8(ascii: "/")) }
        lines += rest.prefix { $0 != UInt8(ascii: "#") }
        lines += " HTTP/1.1\r\nHost: ".utf8
        self.hostStart = lines.count - "Host: ".utf8.count
        lines += origin.hostField.utf8
        lines += "\r\n".utf8
        self.lines = lines
    }
}

extension [UInt8] {
    fileprivate func starts(withLowercase prefix: String) -> Bool {
        self.prefix(prefix.utf8.count).elementsEqual(prefix.utf8) { $0.lowercasedASCII == $1 }
    }
}
