/// The host in a request's `Host` field or target, as browsers write it.
package struct RequestHost: Hashable, Sendable {
    /// The name without port, without the brackets of an IPv6 address, without a trailing full stop, in lower case.
    package let name: String

    /// Parses a host, such as `news.example:80`, `127.0.0.1`, `[::1]:9464` or `::1`.
    package init(_ text: String) {
        let host = text.lowercased()
        if host.first == "[", let end = host.firstIndex(of: "]") {
            name = String(host[host.index(after: host.startIndex)..<end])
            return
        }
        // More than one colon: an IPv6 address without brackets, as in configurations.
        let bare = host.count { $0 == ":" } == 1 ? host.prefix { $0 != ":" } : host[...]
        name = String(bare.last == "." ? bare.dropLast() : bare)
    }

    /// The four bytes of an IPv4 address as browsers write it; otherwise `nil`.
    package var ipv4: [UInt8]? {
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        let bytes = parts.compactMap { part in part.allSatisfy { $0.isASCII && $0.isNumber } ? UInt8(part) : nil }
        return parts.count == 4 && bytes.count == 4 ? bytes : nil
    }

    /// Whether it is an IPv6 address; names have no colon.
    package var isIPv6: Bool { name.contains(":") }

    /// Whether it means this machine for every resolver (RFC 6761, section 6.3).
    package var isLocalhost: Bool { name == "localhost" || name.hasSuffix(".localhost") }
}

/// A browser's information about the page that makes a request (https://www.w3.org/TR/fetch-metadata). Browsers omit it from
/// plain HTTP requests to other hosts than this machine.
package struct FetchMetadata: Sendable {
    private let site: String?
    private let mode: String?
    private let destination: String?

    /// Reads the information from the fields of a request.
    package init(_ field: (_ name: String) -> String?) {
        site = field("Sec-Fetch-Site")
        mode = field("Sec-Fetch-Mode")
        destination = field("Sec-Fetch-Dest")
    }

    /// Whether a page of another site makes the request.
    package var isCrossSite: Bool { site == "cross-site" }

    /// Whether the response fills a separate tab, where no other page can read it.
    package var isLink: Bool { mode == "navigate" && destination == "document" }
}
