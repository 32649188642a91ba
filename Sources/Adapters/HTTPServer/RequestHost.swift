/// The host that a request names in `Host` or in its target, as browsers write it.
package struct RequestHost: Hashable, Sendable {
    /// Without port, without the brackets of an IPv6 address and without a full stop at the end, in lower case.
    package let name: String

    /// Reads `news.example:80`, `127.0.0.1`, `[::1]:9464` or `::1`.
    package init(_ text: String) {
        let host = text.lowercased()
        if host.first == "[", let end = host.firstIndex(of: "]") {
            name = String(host[host.index(after: host.startIndex)..<end])
            return
        }
        // More than one colon: an IPv6 address as it is configured, without brackets.
        let bare = host.count { $0 == ":" } == 1 ? host.prefix { $0 != ":" } : host[...]
        name = String(bare.last == "." ? bare.dropLast() : bare)
    }

    /// The four bytes of an IPv4 address as browsers write it; `nil` for anything else.
    package var ipv4: [UInt8]? {
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        let bytes = parts.compactMap { part in part.allSatisfy { $0.isASCII && $0.isNumber } ? UInt8(part) : nil }
        return parts.count == 4 && bytes.count == 4 ? bytes : nil
    }

    /// Whether it is an address of IPv6; no name has a colon.
    package var isIPv6: Bool { name.contains(":") }

    /// Whether it means this machine for every resolver (RFC 6761, section 6.3).
    package var isLocalhost: Bool { name == "localhost" || name.hasSuffix(".localhost") }
}

/// A browser's statement about the page that makes a request (https://www.w3.org/TR/fetch-metadata). Browsers leave it out of
/// requests in the clear to other names than those of this machine.
package struct FetchMetadata: Sendable {
    private let site: String?
    private let mode: String?
    private let destination: String?

    /// Reads it from the fields of a request.
    package init(_ field: (_ name: String) -> String?) {
        site = field("Sec-Fetch-Site")
        mode = field("Sec-Fetch-Mode")
        destination = field("Sec-Fetch-Dest")
    }

    /// Whether a page of another site makes the request.
    package var isCrossSite: Bool { site == "cross-site" }

    /// Whether the answer fills a tab of its own, where no other page can look into it.
    package var isLink: Bool { mode == "navigate" && destination == "document" }
}
