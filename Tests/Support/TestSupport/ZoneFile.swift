/// TZif files of a few bytes, for tests that need a time zone.
package enum ZoneFile {
    /// A file of version 2 with only the changes of a rule.
    ///
    /// - Parameter rule: A POSIX `TZ` string, such as `CET-1CEST,M3.5.0,M10.5.0/3`.
    /// - Returns: The bytes.
    package static func bytes(rule: String) -> [UInt8] {
        bytes(changes: [], rule: rule)
    }

    /// A file of version 2.
    ///
    /// - Parameters:
    ///   - initial: The offset before the first change, in seconds.
    ///   - changes: Seconds since the epoch, ascending, and the offset from then on.
    ///   - rule: A POSIX `TZ` string, or an empty string.
    /// - Returns: The bytes.
    package static func bytes(initial: Int32 = 0, changes: [(Int64, Int32)], rule: String) -> [UInt8] {
        let offsets = [initial] + changes.map(\.1)
        var bytes = header(changes: 0, kinds: 1)
        bytes += kind(0) + [0]
        bytes += header(changes: changes.count, kinds: offsets.count)
        for change in changes { bytes += bigEndian(UInt64(bitPattern: change.0), count: 8) }
        bytes += changes.indices.map { UInt8(truncatingIfNeeded: $0 + 1) }
        for offset in offsets { bytes += kind(offset) }
        return bytes + [0] + Array("\n\(rule)\n".utf8)
    }

    private static func header(changes: Int, kinds: Int) -> [UInt8] {
        let counts = [0, 0, 0, changes, kinds, 1]
        return Array("TZif2".utf8) + Array(repeating: 0, count: 15)
            + counts.flatMap { bigEndian(UInt64($0), count: 4) }
    }

    private static func kind(_ offset: Int32) -> [UInt8] {
        bigEndian(UInt64(UInt32(bitPattern: offset)), count: 4) + [0, 0]
    }

    private static func bigEndian(_ value: UInt64, count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: value >> UInt64(8 * (count - 1 - $0))) }
    }
}
