/// The addresses with the same prefix (RFC 4632), such as `10.0.0.0/8` or `2001:db8::/32`, or a single address.
package struct AddressRange: Sendable, Hashable {
    private let first: ClientAddress
    /// The number of significant bits of the 128 of IPv6; an IPv4 address has 96 before its own.
    private let prefix: Int

    /// Parses a range.
    ///
    /// - Parameter text: An address, optionally with a slash and the length of the prefix. Fails if bits after the prefix are
    ///   set, because its meaning is then unclear.
    package init?(_ text: String) {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let address = parts.first.flatMap({ ClientAddress(String($0)) }) else { return nil }
        let most = address.isIPv4 ? 32 : 128
        var length = most
        if parts.count == 2 {
            guard (1...3).contains(parts[1].utf8.count), let given = Int(parts[1]), (0...most).contains(given),
                "\(given)" == parts[1]
            else { return nil }
            length = given
        }
        first = address
        prefix = length + 128 - most
        guard address.masked(to: prefix) == address else { return nil }
    }

    /// Whether the range contains an address. Ranges of IPv4 contain no IPv6 addresses, and vice versa.
    ///
    /// - Parameter address: The address of a client or a proxy.
    /// - Returns: True if the range contains it.
    package func contains(_ address: ClientAddress) -> Bool {
        address.isIPv4 == first.isIPv4 && address.masked(to: prefix) == first
    }
}

extension ClientAddress {
    /// Returns the address with all bits after a prefix cleared.
    fileprivate func masked(to prefix: Int) -> ClientAddress {
        // Shifts by 64 or more give zero.
        ClientAddress(
            high: high & ~(UInt64.max >> UInt64(clamping: prefix)),
            low: low & ~(UInt64.max >> UInt64(clamping: prefix - 64))
        )
    }
}
