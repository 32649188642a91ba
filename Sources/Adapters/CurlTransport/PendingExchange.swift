import NewsflashHTTP1
import NewsflashHTTPTransport
import NewsflashTimestamps

/// An exchange that has not ended; a class, because it is passed through many types.
///
/// Belongs to the loop's thread.
final class PendingExchange {
    let exchange: HTTPExchange
    let receiver: any HTTPResultReceiver
    let address: AddressCache.Entry
    let framing: RequestFraming
    let startedAt: Instant
    /// Whether it was written before, on a connection that ended without a byte of a response.
    var isRepeated = false

    init(
        _ exchange: HTTPExchange,
        for receiver: any HTTPResultReceiver,
        to address: AddressCache.Entry,
        framing: RequestFraming,
        startedAt: Instant
    ) {
        self.exchange = exchange
        self.receiver = receiver
        self.address = address
        self.framing = framing
        self.startedAt = startedAt
    }

    /// The server, for messages.
    var destination: HTTPDestination { HTTPDestination(address.address.origin) }
}

extension HTTPMethod {
    /// Whether responses have no body.
    var isHead: Bool { rawValue == "HEAD" }

    /// Whether a repeated request has the same effect as a single one (RFC 9110, section 9.2.2).
    var isIdempotent: Bool {
        ["GET", "HEAD", "OPTIONS", "TRACE", "PUT", "DELETE"].contains(rawValue)
    }
}

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
