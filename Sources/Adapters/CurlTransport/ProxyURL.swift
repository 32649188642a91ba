import CCurl
import HTTPTransport

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// A proxy's address as libcurl will read it, taken apart before libcurl does: its own complaints quote the URL, with the
/// password.
struct ProxyURL: Equatable, CustomStringConvertible {
    /// The user that authenticates at the proxy.
    enum User: Equatable {
        case none
        /// The holder of this machine's Kerberos ticket: the URL has a user without a name.
        case ticket
        /// With a password.
        case named
    }

    /// Host and port, without user and password.
    let description: String
    let user: User

    /// The schemes of proxies that libcurl knows.
    private static let schemes: Set = ["http", "https", "socks4", "socks4a", "socks5", "socks5h"]

    /// Reads a proxy's URL.
    ///
    /// - Parameter text: `http://user:password@proxy.example:3128`; without a scheme it is `http`. Nothing is made of one with a
    ///   path, a query or a fragment: those are the rest of a password that is not percent-encoded.
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
        // libcurl's own default for proxies of both kinds.
        let port = part(CURLUPART_PORT) ?? (scheme.lowercased() == "https" ? "443" : "1080")
        description = "\(host):\(port)"
        let name = part(CURLUPART_USER)
        user = name.map { $0.isEmpty ? .ticket : .named } ?? .none
    }

    /// Looks at all proxies that a policy may lead to.
    ///
    /// - Parameters:
    ///   - policy: That of a transport.
    ///   - environment: Gives the value of a variable.
    /// - Throws: ``HTTPTransportError`` that names where an unusable proxy was written, and nothing of it.
    static func check(
        _ policy: ProxyPolicy,
        environment: (String) -> String? = { getenv($0).map { String(cString: $0) } }
    ) throws(HTTPTransportError) {
        switch policy {
        case .none: return
        case .url(let url):
            // libcurl's sign for no proxy.
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
            "\(which) is not the URL of a proxy: write such as http://user:password@proxy.example.org:3128, and / ? # @ : % and "
                + "blanks of the password as %2F %3F %23 %40 %3A %25 %20",
            mayHaveBeenReceived: false
        )
    }
}
