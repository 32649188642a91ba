import CNewsflashCurl
import NewsflashHTTPTransport

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

/// The proxy that connections to an origin are opened through.
struct ProxyRoute: Equatable, CustomStringConvertible {
    let proxy: ProxyURL
    /// The environment variable that contains it; `nil` for the configuration's.
    let variable: String?
    /// Whether the environment excludes hosts; libcurl decides which ones.
    let hasExceptions: Bool

    /// Finds the proxy as libcurl does.
    ///
    /// - Parameters:
    ///   - policy: A transport's policy.
    ///   - isSecure: Whether the origin's scheme is `https`.
    ///   - environment: Returns the value of a variable.
    init?(
        _ policy: ProxyPolicy,
        isSecure: Bool,
        environment: (String) -> String? = { getenv($0).map { String(cString: $0) } }
    ) {
        func value(_ name: String) -> String? { environment(name).flatMap { $0.isEmpty ? nil : $0 } }
        let url: String
        switch policy {
        case .none: return nil
        case .url(let configured): (url, variable) = (configured, nil)
        case .environment:
            guard let name = Self.variables(isSecure: isSecure).first(where: { value($0) != nil }) else { return nil }
            (url, variable) = (value(name) ?? "", name)
        }
        guard let proxy = ProxyURL(url) else { return nil }
        self.proxy = proxy
        hasExceptions = value("no_proxy") != nil || value("NO_PROXY") != nil
    }

    /// Returns the variables that may contain a proxy; the first with a value counts. `HTTP_PROXY` is excluded: in a CGI
    /// program it is a header of the client.
    static func variables(isSecure: Bool) -> [String] {
        (isSecure ? ["https_proxy", "HTTPS_PROXY"] : ["http_proxy"]) + ["all_proxy", "ALL_PROXY"]
    }

    /// The proxy's host and port with the variable that contains them, for messages.
    var description: String {
        let place = variable.map { " (\($0)\(hasExceptions ? ", unless NO_PROXY names the host" : ""))" } ?? ""
        return "the proxy \(proxy)\(place)"
    }
}

/// The proxy for new connections: always as a tunnel (`CONNECT`), for `http` too.
public enum ProxyPolicy: Sendable, Equatable {
    /// The proxy in `http_proxy` (lower case only), `https_proxy`, `HTTPS_PROXY`, `all_proxy` or `ALL_PROXY`, by libcurl's
    /// rules, except for the hosts in `no_proxy` or `NO_PROXY`.
    case environment
    /// No proxy, even if the environment contains one.
    case none
    /// This proxy, such as `http://user:password@proxy.example:3128`, except for the hosts in `no_proxy`.
    case url(String)
}

extension ProxyPolicy: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The policy, without the proxy's user and password.
    public var description: String {
        switch self {
        case .environment: "environment"
        case .none: "none"
        case .url(let url): ProxyURL(url)?.description ?? "unreadable"
        }
    }

    /// The same as the description, because the password must not be printed by a debugger or a test either.
    public var debugDescription: String { description }

    /// A mirror without children, which `dump` would print.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
