package import NewsflashHTTPServer

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Prevents foreign web pages from reading the port for health and metrics through the browser of someone who can reach it.
///
/// A page can make its own host name resolve to this machine (DNS rebinding). The browser then treats our responses as the
/// page's, but still sends the page's host in `Host`. A list of allowed names for all clients would reject too much: Prometheus
/// uses any configured name, the kubelet the pod's address, and colleagues in Compose a service name. All of these are
/// programs, which a page cannot control. So only requests from browsers are checked. They are recognized by header fields that
/// a page cannot remove. Of these, only names that a stranger can own are rejected: domains on the internet that are neither
/// this machine's nor configured. Addresses, names without a dot and names in domains of private networks are accepted.
///
/// The rule does not rely on `Sec-Fetch-Site` alone, because browsers omit it for plain HTTP, which this port uses. If it is
/// present, as for localhost, requests of pages from other sites are rejected, except for links that open a tab.
package struct BrowserGuard: Sendable {
    private let hosts: Set<RequestHost>
    private let key: String?

    /// Domains that are not on the internet (RFC 6761, RFC 6762, RFC 8375, ICANN for `internal`; Kubernetes for `svc`).
    private static let privateDomains = [".localhost", ".local", ".internal", ".home.arpa", ".svc"]
    /// Header fields, of which browsers add at least one to every request of a page, and which programs do not send.
    private static let fields = [
        "Accept-Language", "Origin", "Referer", "Sec-Fetch-Site", "Sec-Fetch-Mode", "Sec-CH-UA",
    ]

    /// Sets the names of this machine.
    ///
    /// - Parameters:
    ///   - hosts: Names in addition to the machine's; ports are ignored.
    ///   - key: The configuration key for more names, which the rejection mentions; `nil` if there is no such key.
    package init(hosts: [String], key: String? = nil) {
        self.key = key
        self.hosts = Set((hosts + [Self.machine].compactMap(\.self)).map(RequestHost.init))
    }

    /// Checks the head of a request.
    ///
    /// - Returns: 421 if a browser sends a foreign host (RFC 9110, section 15.5.20), 403 for a request of another site's page,
    ///   otherwise `nil`.
    package func refusal(of request: HTTPServerRequest) -> HTTPServerResponse? {
        guard Self.isFromBrowser(request) else { return nil }
        let named = request.headers.filter { $0.name.lowercased() == "host" }.map(\.value)
        if let foreign = named.first(where: { !isOwn(RequestHost($0)) }) {
            let host = foreign.prefix(100).filter { $0.isASCII && !$0.isWhitespace }
            return .text(
                "browsers are rejected under the name '\(host)': use an address, localhost or the name of the machine"
                    + (key.map { ", or add the name to \($0)" } ?? "") + "\n",
                status: 421
            )
        }
        let metadata = FetchMetadata { request.first(named: $0) }
        guard metadata.isCrossSite, !metadata.isLink else { return nil }
        return .text("requests of pages from other sites are rejected\n", status: 403)
    }

    private static func isFromBrowser(_ request: HTTPServerRequest) -> Bool {
        fields.contains { request.first(named: $0) != nil }
            || request.first(named: "User-Agent")?.contains("Mozilla/") == true
    }

    private func isOwn(_ host: RequestHost) -> Bool {
        hosts.contains(host) || host.ipv4 != nil || host.isIPv6 || !host.name.contains(".")
            || Self.privateDomains.contains { host.name.hasSuffix($0) }
    }

    /// The name of this machine, if it has one.
    private static var machine: String? {
        var name = [CChar](repeating: 0, count: 256)
        guard gethostname(&name, name.count - 1) == 0 else { return nil }
        let bytes = name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:))
        return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self)
    }
}
