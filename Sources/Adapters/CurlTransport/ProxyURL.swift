import CCurl
import HTTPTransport

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// A proxy's address, parsed as libcurl will do it. It is parsed before, because libcurl's own errors contain the URL with the
/// password.
struct ProxyURL: Equatable, CustomStringConvertible {
    /// The user who authenticates at the proxy.
    enum User: Equatable {
        case none
        /// The holder of this machine's Kerberos ticket: the URL has an empty user name.
        case ticket
        /// A user with a password.
        case named
    }

    /// The host and port, without user and password.
    let description: String
    let user: User

    /// The schemes of proxies that libcurl supports.
    private static let schemes: Set = ["http", "https", "socks4", "socks4a", "socks5", "socks5h"]

    /// Parses a proxy's URL.
    ///
    /// - Parameter text: The URL, such as `http://user:password@proxy.example:3128`; the default scheme is `http`. The
    ///   initializer fails for one with a path, a query or a fragment: those are parts of a password that is not
    ///   percent-encoded.
    init?(_ text: String) {
        guard let url = curl_url() else { return nil }
        defer { curl_url_cleanup(url) }
        guard curl_url_set(url, CURLUPART_URL, text, UInt32(CURLU_NON_SUPPORT_SCHEME | CURLU_GUESS_SCHEME)) == CURLUE_OK
        else { return nil }
        func part(_ part: CURLUPart, _ flags: Int32 = 0) -> String? {
            var text: UnsafeMutablePointer<CChar>?
            guard curl_url_get(url, part, &text, UInt32(flags)) == CURLUE_OK, let text else { return nil }
            defer { curl_free(text) }
            return String(cString: text)
        }
        guard let scheme = part(CURLUPART_SCHEME), Self.schemes.contains(scheme.lowercased()),
            let host = part(CURLUPART_HOST), !host.isEmpty, ["/", nil].contains(part(CURLUPART_PATH)),
            part(CURLUPART_QUERY) == nil, part(CURLUPART_FRAGMENT) == nil
        else { return nil }
        // libcurl's default for proxies of both kinds.
        let port = part(CURLUPART_PORT) ?? (scheme.lowercased() == "https" ? "443" : "1080")
        description = "\(host):\(port)"
        let name = part(CURLUPART_USER)
        user = name.map { $0.isEmpty ? .ticket : .named } ?? .none
    }

    /// Checks all proxies that a policy may use.
    ///
    /// - Parameters:
    ///   - policy: A transport's policy.
    ///   - environment: Returns the value of a variable.
    /// - Throws: ``HTTPTransportError`` with the origin of an unusable proxy, but nothing of its text.
    static func check(
        _ policy: ProxyPolicy,
        environment: (String) -> String? = { getenv($0).map { String(cString: $0) } }
    ) throws(HTTPTransportError) {
        switch policy {
        case .none: return
        case .url(let url):
            // In libcurl an empty URL means no proxy.
            guard url.isEmpty || ProxyURL(url) != nil else { throw unusable("the configured proxy") }
        case .environment:
            for name in Set(ProxyRoute.variables(isSecure: true) + ProxyRoute.variables(isSecure: false)).sorted() {
                guard let url = environment(name), !url.isEmpty, ProxyURL(url) == nil else { continue }
                throw unusable("the proxy in the variable \(name)")
            }
        }
    }

    private static func unusable(_ which: String) -> HTTPTransportError {
        HTTPTransportError(
            .other,
            "\(which) is not the URL of a proxy: write it as in http://user:password@proxy.example.org:3128, and / ? # @ : % and "
                + "blanks of the password as %2F %3F %23 %40 %3A %25 %20",
            mayHaveBeenReceived: false
        )
    }
}
