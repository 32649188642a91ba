/// The addresses that share a prefix (RFC 4632): `10.0.0.0/8`, `2001:db8::/32`, or one address alone.
package struct AddressRange: Sendable, Hashable {
    private let first: ClientAddress
    /// Bits of the 128 of IPv6 that count; an IPv4 address has 96 before its own.
    private let prefix: Int

    /// Reads a range.
    ///
    /// - Parameter text: An address, and perhaps a slash and the length of the prefix. Nothing is made of one with bits set
    ///   behind the prefix: it does not say what its writer meant.
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

    /// Whether an address is one of them. Ranges of IPv4 contain no address of IPv6, and the other way round.
    ///
    /// - Parameter address: Of a client or a proxy.
    /// - Returns: Whether it is.
    package func contains(_ address: ClientAddress) -> Bool {
        address.isIPv4 == first.isIPv4 && address.masked(to: prefix) == first
    }
}

extension ClientAddress {
    /// The address with all bits behind a prefix cleared.
    fileprivate func masked(to prefix: Int) -> ClientAddress {
        // Shifts by 64 or more give zero.
        ClientAddress(
            high: high & ~(UInt64.max >> UInt64(clamping: prefix)),
            low: low & ~(UInt64.max >> UInt64(clamping: prefix - 64))
        )
    }
}
