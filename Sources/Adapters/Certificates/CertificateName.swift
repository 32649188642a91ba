#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// A name of a server: a host name, also with `*` as its first label, or an IP address.
package struct CertificateName: Sendable, Hashable, CustomStringConvertible {
    /// The entry for a certificate's `subjectAltName`, in the syntax of OpenSSL's configuration.
    let entry: String
    /// The same as a subtree of `nameConstraints` (RFC 5280, section 4.2.1.10): a host with all its subdomains, or one address.
    let subtree: String
    /// The name as written, in lower case.
    package let description: String

    /// Parses a name; fails for other text.
    ///
    /// - Parameter text: The name without a port; an IPv6 address with or without its brackets.
    package init?(_ text: String) {
        var name = text.lowercased()
        if name.hasPrefix("["), name.hasSuffix("]") { name = String(name.dropFirst().dropLast()) }
        description = name
        if Self.isAddress(name) {
            entry = "IP:\(name)"
            let isLong = name.contains(":")
            subtree = "IP:\(name)/" + (isLong ? "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff" : "255.255.255.255")
        } else if Self.isHostName(name) {
            entry = "DNS:\(name)"
            subtree = "DNS:\(name.hasPrefix("*.") ? String(name.dropFirst(2)) : name)"
        } else {
            return nil
        }
    }

    private static func isAddress(_ name: String) -> Bool {
        var address = in6_addr()
        return inet_pton(AF_INET, name, &address) == 1 || inet_pton(AF_INET6, name, &address) == 1
    }

    /// Labels of letters, digits, `-` and `_` (RFC 1123, section 2.1, and names of containers).
    private static func isHostName(_ name: String) -> Bool {
        let labels = (name.hasPrefix("*.") ? name.dropFirst(2) : name[...])
            .split(separator: ".", omittingEmptySubsequences: false)
        return name.utf8.count <= 253
            && labels.allSatisfy { label in
                (1...63).contains(label.utf8.count) && label.first != "-" && label.last != "-"
                    && label.utf8.allSatisfy { byte in
                        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
                            || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || byte == UInt8(ascii: "-")
                            || byte == UInt8(ascii: "_")
                    }
            }
            // Only digits would be a mistyped address.
            && labels.last?.contains { !$0.isNumber } == true
    }
}
