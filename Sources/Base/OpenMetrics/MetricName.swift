/// The syntax of names in OpenMetrics 1.0, section 4.1 and the grammar of section 5.
enum MetricName {
    /// Returns whether a name is valid for a family.
    static func isFamilyName(_ name: String) -> Bool {
        matches(name) { $0 == UInt8(ascii: "_") || $0 == UInt8(ascii: ":") }
    }

    /// Returns whether a name is valid for a dimension; two leading underscores are reserved for the format.
    static func isLabelName(_ name: String) -> Bool {
        !name.hasPrefix("__") && matches(name) { $0 == UInt8(ascii: "_") }
    }

    private static func matches(_ name: String, _ isAllowedSign: (UInt8) -> Bool) -> Bool {
        guard let first = name.utf8.first, !isDigit(first) else { return false }
        return name.utf8.allSatisfy { byte in
            isDigit(byte) || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) || isAllowedSign(byte)
        }
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }
}
