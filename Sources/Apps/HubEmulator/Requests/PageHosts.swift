import HTTPServer
import HTTPTransport

/// Whose requests the emulator answers below `/_emulator` and on its own page, where it asks for no token.
///
/// A browser lets a page read what comes from the page's own origin. A page of a stranger whose name is made to mean this
/// machine (DNS rebinding) is of the emulator's origin then, but cannot hide its name: the browser names it in `Host`. So
/// only hosts are answered that no stranger can have. The hub's own interface needs none of this: it has signatures.
struct PageHosts {
    private let named: Set<RequestHost>
    /// Whether all addresses of the machine are listened on: then any address may be one of them.
    private let takesAddresses: Bool

    /// Makes the list.
    ///
    /// - Parameters:
    ///   - bound: Where the emulator listens: one address or two.
    ///   - allowed: What else it may be called, without a port.
    init(bound: [String], allowed: [String]) {
        self.named = Set((allowed + bound + ["::1"]).map(RequestHost.init))
        self.takesAddresses = !bound.allSatisfy { !["", "0.0.0.0", "::"].contains($0) }
    }

    /// Why a request is not answered.
    ///
    /// - Parameters:
    ///   - request: Below `/_emulator`, or for a part of the page.
    ///   - target: The request's; one with a host of its own has that looked at too.
    ///   - isPage: Whether it is for a part of the page.
    /// - Returns: 421 for a foreign host (RFC 9110, section 15.5.20), 403 for what another site's page asks for, else nothing.
    func refusal(of request: EmulatedRequest, target: RequestTarget, isPage: Bool) -> HubFailure? {
        // Programs may name no host; browsers always do.
        let hosts = [target.host, request.headers["Host"]].compactMap(\.self)
        if let foreign = hosts.first(where: { !isOwn($0) }) {
            return HubFailure(
                421,
                "the host '\(foreign.prefix(100))' is none of this hub's: ask for localhost, or allow the name with "
                    + "--allow-host"
            )
        }
        // But a link may open the page in a tab of its own.
        let metadata = FetchMetadata { request.headers[$0] }
        guard metadata.isCrossSite, !(isPage && metadata.isLink) else { return nil }
        return HubFailure(403, "pages of other sites are not answered here")
    }

    private func isOwn(_ text: String) -> Bool {
        let host = RequestHost(text)
        if named.contains(host) || host.isLocalhost { return true }
        guard let bytes = host.ipv4 else { return takesAddresses && host.isIPv6 }
        return takesAddresses || bytes[0] == 127
    }
}
