import HTTPServer
import HTTPTransport

/// The hosts for which the emulator answers requests below `/_emulator` and for its page, which need no token.
///
/// A browser lets a page read responses of the page's own origin. If an attacker's host name resolves to this machine (DNS
/// rebinding), the attacker's page has the emulator's origin, but the browser still sends the attacker's name in `Host`. So
/// only names are accepted that no attacker can use. The hub's REST API is protected by its signatures and needs no such
/// check.
struct PageHosts {
    private let named: Set<RequestHost>
    /// Whether the emulator listens on all addresses; then any IP address may be its own.
    private let takesAddresses: Bool

    /// Creates the list.
    ///
    /// - Parameters:
    ///   - bound: The one or two addresses that the emulator listens on.
    ///   - allowed: Further allowed names, without ports.
    init(bound: [String], allowed: [String]) {
        self.named = Set((allowed + bound + ["::1"]).map(RequestHost.init))
        self.takesAddresses = !bound.allSatisfy { !["", "0.0.0.0", "::"].contains($0) }
    }

    /// Returns the reason to refuse a request.
    ///
    /// - Parameters:
    ///   - request: A request below `/_emulator`, or for a file of the page.
    ///   - target: The target of the request; if it contains a host, that is checked too.
    ///   - isPage: Whether the request is for a file of the page.
    /// - Returns: 421 for a foreign host (RFC 9110, section 15.5.20), 403 for a request from another site's page, otherwise
    ///   `nil`.
    func refusal(of request: EmulatedRequest, target: RequestTarget, isPage: Bool) -> HubFailure? {
        // Programs may omit the host; browsers never do.
        let hosts = [target.host, request.headers["Host"]].compactMap(\.self)
        if let foreign = hosts.first(where: { !isOwn($0) }) {
            return HubFailure(
                421,
                "the host '\(foreign.prefix(100))' is not allowed: use localhost, or allow the name with "
                    + "--allow-host"
            )
        }
        // A link on another site may open the page in its own tab.
        let metadata = FetchMetadata { request.headers[$0] }
        guard metadata.isCrossSite, !(isPage && metadata.isLink) else { return nil }
        return HubFailure(403, "requests from other sites are not allowed")
    }

    private func isOwn(_ text: String) -> Bool {
        let host = RequestHost(text)
        if named.contains(host) || host.isLocalhost { return true }
        guard let bytes = host.ipv4 else { return takesAddresses && host.isIPv6 }
        return takesAddresses || bytes[0] == 127
    }
}
