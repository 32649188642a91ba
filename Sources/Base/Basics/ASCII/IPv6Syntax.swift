extension Collection<UInt8> {
    /// Whether the bytes are an IPv6 address without brackets and zone (RFC 3986, section 3.2.2), such as `fd00::1`.
    package var isIPv6Address: Bool {
        var groups = split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        guard groups.count >= 3 else { return false }
        // At the beginning or end, `::` produces two empty groups, and a single colon one.
        if groups[0].isEmpty {
            guard groups[1].isEmpty else { return false }
            groups.removeFirst()
        }
        if groups[groups.count - 1].isEmpty {
            guard groups[groups.count - 2].isEmpty else { return false }
            groups.removeLast()
        }
        let gaps = groups.count { $0.isEmpty }
        var length = 0
        for (position, group) in groups.enumerated() where !group.isEmpty {
            if position == groups.count - 1, group.isIPv4Address {
                length += 2
            } else {
                guard group.count <= 4, group.allSatisfy(\.isHexadecimalDigit) else { return false }
                length += 1
            }
        }
        return gaps == 0 ? length == 8 : gaps == 1 && length < 8
    }

    /// Whether the bytes are four numbers from 0 to 255, separated by dots.
    private var isIPv4Address: Bool {
        let parts = split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        return parts.count == 4
            && parts.allSatisfy { part in
                (1...3).contains(part.count) && part.allSatisfy(\.isDigit)
                    && part.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) } <= 255
            }
    }
}
