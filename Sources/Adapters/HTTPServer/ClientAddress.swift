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
