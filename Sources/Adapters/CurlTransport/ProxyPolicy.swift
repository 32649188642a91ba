/// Whether connections are opened through a proxy: always as a tunnel (`CONNECT`), for `http` too.
public enum ProxyPolicy: Sendable, Equatable {
    /// What `http_proxy` (lower case only), `https_proxy`, `HTTPS_PROXY`, `all_proxy` and `ALL_PROXY` say, by libcurl's
    /// rules, except for the hosts in `no_proxy` or `NO_PROXY`.
    case environment
    /// No proxy, whatever the environment says.
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

    /// The same as the description: the password must not show in a debugger's or a test's print either.
    public var debugDescription: String { description }

    /// A mirror without children, which `dump` would print.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
