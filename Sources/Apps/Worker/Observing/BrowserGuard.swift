package import HTTPServer

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Keeps pages of strangers from reading the port of health and metrics through the browser of somebody who can reach it.
///
/// A page may have its own name resolve to this machine (DNS rebinding). Then the browser takes what is served here for that
/// page's, but it still names the page's host in `Host`. A list of allowed names alone would refuse too much: Prometheus asks by
/// whatever name it is configured with, the kubelet by the address of the pod, colleagues in Compose by the name of a service.
/// All of these are programs, and a page cannot make them ask. So only requests from browsers are examined, which are known by
/// fields that a page cannot leave out, and of these only the names are refused that a stranger can own: domains on the internet
/// that are neither this machine's nor configured. Addresses, names without a dot and names below the domains of private networks
/// pass.
///
/// The rule does not rest on `Sec-Fetch-Site` alone, because browsers leave it out in the clear, which is how this port is asked.
/// If they send it, as to localhost, requests of pages of other sites are refused, except for a link that opens a tab.
package struct BrowserGuard: Sendable {
    private let hosts: Set<RequestHost>
    private let key: String?

    /// Domains that are not on the internet (RFC 6761, RFC 6762, RFC 8375, ICANN for `internal`; Kubernetes for `svc`).
    private static let privateDomains = [".localhost", ".local", ".internal", ".home.arpa", ".svc"]
    /// Fields that browsers add to every request of a page, in one form or another, and that programs do not send.
    private static let fields = [
        "Accept-Language", "Origin", "Referer", "Sec-Fetch-Site", "Sec-Fetch-Mode", "Sec-CH-UA",
    ]

    /// Takes names of this machine.
    ///
    /// - Parameters:
    ///   - hosts: Names beside that of the machine; ports are ignored.
    ///   - key: The key of the configuration that takes more names, which a refusal names; `nil` without such a key.
    package init(hosts: [String], key: String? = nil) {
        self.key = key
        self.hosts = Set((hosts + [Self.machine].compactMap(\.self)).map(RequestHost.init))
    }

    /// Decides on a request by its head.
    ///
    /// - Returns: 421 if a browser names a stranger's host (RFC 9110, section 15.5.20), 403 for the request of another site's
    ///   page; otherwise `nil`.
    package func refusal(of request: HTTPServerRequest) -> HTTPServerResponse? {
        guard Self.isFromBrowser(request) else { return nil }
        let named = request.headers.filter { $0.name.lowercased() == "host" }.map(\.value)
        if let foreign = named.first(where: { !isOwn(RequestHost($0)) }) {
            let host = foreign.prefix(100).filter { $0.isASCII && !$0.isWhitespace }
            return .text(
                "browsers are not answered as '\(host)': ask for an address, localhost or the name of the machine"
                    + (key.map { ", or add the name to \($0)" } ?? "") + "\n",
                status: 421
            )
        }
        let metadata = FetchMetadata { request.first(named: $0) }
        guard metadata.isCrossSite, !metadata.isLink else { return nil }
        return .text("pages of other sites are not answered here\n", status: 403)
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
