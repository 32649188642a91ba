/// Percent-encoding (RFC 3986, section 2).
package enum PercentEncoding {
    /// Encodes all characters except letters, digits and `- _ . ~`.
    ///
    /// - Parameters:
    ///   - text: The text; encoded as UTF-8.
    ///   - uppercase: Whether to use upper-case hexadecimal digits, as the RFC recommends; .NET uses lower case.
    /// - Returns: The encoded text in ASCII.
    package static func encode(_ text: some StringProtocol, uppercase: Bool = false) -> String {
        let digits = Array((uppercase ? "0123456789ABCDEF" : "0123456789abcdef").utf8)
        var encoded: [UInt8] = []
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."),
                UInt8(ascii: "~"):
                encoded.append(byte)
            default:
                encoded += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: encoded, as: UTF8.self)
    }

    /// Decodes `%` with two hexadecimal digits of either case. Other characters, including `+`, are kept.
    ///
    /// - Parameter text: The text; a `%` without two hexadecimal digits is kept.
    /// - Returns: The decoded text; `nil` if it is not valid UTF-8.
    package static func decode(_ text: some StringProtocol) -> String? {
        let bytes = Array(text.utf8)
        guard bytes.contains(UInt8(ascii: "%")) else { return String(text) }
        var decoded: [UInt8] = []
        decoded.reserveCapacity(bytes.count)
        var next = 0
        while next < bytes.count {
            if bytes[next] == UInt8(ascii: "%"), next + 2 < bytes.count, let high = bytes[next + 1].hexadecimalDigit,
                let low = bytes[next + 2].hexadecimalDigit
            {
                decoded.append(high << 4 | low)
                next += 3
            } else {
                decoded.append(bytes[next])
                next += 1
            }
        }
        // Detects invalid UTF-8 by comparison, because `String(validating:as:)` requires iOS 18 and macOS 15.
        let text = String(decoding: decoded, as: UTF8.self)
        return text.utf8.elementsEqual(decoded) ? text : nil
    }
}

extension UInt8 {
    fileprivate var hexadecimalDigit: UInt8? {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
