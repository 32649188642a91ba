#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

/// The network address of the client's side of a connection, without the port.
package struct ClientAddress: Sendable, Hashable {
    /// The 16 bytes of IPv6; an IPv4 address is mapped into them (RFC 4291, section 2.5.5.2).
    let high: UInt64
    let low: UInt64

    init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// Converts a socket address.
    ///
    /// - Parameter address: An address of IPv4 or IPv6; the initializer fails for others.
    init?(_ address: UnsafePointer<sockaddr>?) {
        guard let address else { return nil }
        switch Int32(address.pointee.sa_family) {
        case AF_INET:
            let bytes = UnsafeRawPointer(address).loadUnaligned(as: sockaddr_in.self).sin_addr.s_addr
            self.init(ipv4: UInt32(bigEndian: bytes))
        case AF_INET6:
            var bytes = UnsafeRawPointer(address).loadUnaligned(as: sockaddr_in6.self).sin6_addr
            let (high, low) = withUnsafeBytes(of: &bytes) { bytes in
                (bytes.loadUnaligned(as: UInt64.self), bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
            }
            self.init(high: UInt64(bigEndian: high), low: UInt64(bigEndian: low))
        default: return nil
        }
    }

    /// Parses an address, such as `192.0.2.7` or `2001:db8::7`.
    ///
    /// - Parameter text: The address. The initializer fails for a name, or an address with a port, a zone or brackets.
    package init?(_ text: String) {
        var ipv4 = in_addr()
        if inet_pton(AF_INET, text, &ipv4) == 1 {
            self.init(ipv4: UInt32(bigEndian: ipv4.s_addr))
            return
        }
        var ipv6 = sockaddr_in6()
        ipv6.sin6_family = sa_family_t(AF_INET6)
        guard inet_pton(AF_INET6, text, &ipv6.sin6_addr) == 1 else { return nil }
        let made = withUnsafeBytes(of: &ipv6) { bytes in
            ClientAddress(bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self))
        }
        guard let made else { return nil }
        self = made
    }

    private init(ipv4: UInt32) {
        self.init(high: 0, low: 0xFFFF << 32 | UInt64(ipv4))
    }

    var isIPv4: Bool { high == 0 && low >> 32 == 0xFFFF }

    /// The address block that one customer of a network usually has: an IPv4 address, or 2^64 addresses of IPv6.
    package var network: ClientAddress { isIPv4 ? self : ClientAddress(high: high, low: 0) }
}

extension ClientAddress: CustomStringConvertible {
    /// The address in text form.
    package var description: String {
        guard !isIPv4 else { return (0..<4).map { "\(low >> (24 - 8 * $0) & 0xFF)" }.joined(separator: ".") }
        var bytes = (high.bigEndian, low.bigEndian)
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        guard inet_ntop(AF_INET6, &bytes, &text, socklen_t(text.count)) != nil else { return "" }
        return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}

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
