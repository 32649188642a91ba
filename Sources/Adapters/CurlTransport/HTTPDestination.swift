import HTTP1

/// Host and port of a URL, for messages: the only parts of a URL that are certainly not secret.
struct HTTPDestination: Equatable, CustomStringConvertible {
    /// The host without user, password, path and query; IPv6 addresses in brackets.
    let host: String
    let port: Int

    var description: String { "\(host):\(port)" }

    /// Returns the destination of a parsed URL.
    init(_ origin: Origin) {
        self.host = origin.host
        self.port = origin.port
    }

    /// Finds host and port in an absolute URL.
    ///
    /// - Parameter url: The URL, which may be invalid: a missing host becomes `?`, a missing port that of the scheme.
    init(url: String) {
        let isSecure = url.utf8.prefix(6).elementsEqual("https:".utf8) { $0 | 0x20 == $1 | 0x20 }
        var rest = url[...]
        if let schemeEnd = rest.firstRange(of: "://") { rest = rest[schemeEnd.upperBound...] }
        var authority = rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" && $0 != "\\" }
        if let userEnd = authority.lastIndex(of: "@") { authority = authority[authority.index(after: userEnd)...] }
        var portText: Substring?
        if let colon = authority.lastIndex(of: ":"), authority[colon...].allSatisfy({ $0 != "]" }) {
            portText = authority[authority.index(after: colon)...]
            authority = authority[..<colon]
        }
        self.host = authority.isEmpty ? "?" : String(authority)
        self.port = portText.flatMap { Int($0) } ?? (isSecure ? 443 : 80)
    }
}
