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
