import HTTPTransport

/// Whose requests the emulator answers below `/_emulator` and on its own page, where it asks for no token.
///
/// A browser lets a page read what comes from the page's own origin. A page of a stranger whose name is made to mean this
/// machine (DNS rebinding) is of the emulator's origin then, but cannot hide its name: the browser names it in `Host`. So
/// only hosts are answered that no stranger can have. The hub's own interface needs none of this: it has signatures.
struct PageHosts {
    /// Names and addresses without ports, in lower case.
    private let named: Set<String>
    /// Whether all addresses of the machine are listened on: then any address may be one of them.
    private let takesAddresses: Bool

    /// Makes the list.
    ///
    /// - Parameters:
    ///   - bound: Where the emulator listens: one address or two.
    ///   - allowed: What else it may be called, without a port.
    init(bound: [String], allowed: [String]) {
        self.named = Set((allowed + bound).map { Self.name($0) } + ["localhost", "::1"])
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
        // https://www.w3.org/TR/fetch-metadata: browsers say so of requests that pages of other sites make.
        guard request.headers["Sec-Fetch-Site"] == "cross-site" else { return nil }
        // But a link may lead to the page: it then stands in a tab of its own, where no other can look into it.
        let isLink = request.headers["Sec-Fetch-Mode"] == "navigate" && request.headers["Sec-Fetch-Dest"] == "document"
        return isPage && isLink ? nil : HubFailure(403, "pages of other sites are not answered here")
    }

    private func isOwn(_ host: String) -> Bool {
        let name = Self.name(host)
        // All below localhost means this machine (RFC 6761, section 6.3).
        if named.contains(name) || name.hasSuffix(".localhost") { return true }
        guard let bytes = Self.address(name) else { return takesAddresses && name.contains(":") }
        return takesAddresses || bytes[0] == 127
    }

    /// Without port, without the brackets of an IPv6 address and without a full stop at the end, in lower case.
    private static func name(_ host: String) -> String {
        let host = host.lowercased()
        if host.first == "[", let end = host.firstIndex(of: "]") {
            return String(host[host.index(after: host.startIndex)..<end])
        }
        // More than one colon: an IPv6 address as it is configured, without brackets.
        let name = host.count { $0 == ":" } == 1 ? host.prefix { $0 != ":" } : host[...]
        return String(name.last == "." ? name.dropLast() : name)
    }

    /// The four bytes of an IPv4 address as browsers write it.
    private static func address(_ name: String) -> [UInt8]? {
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        let bytes = parts.compactMap { part in part.allSatisfy { $0.isASCII && $0.isNumber } ? UInt8(part) : nil }
        return parts.count == 4 && bytes.count == 4 ? bytes : nil
    }
}
