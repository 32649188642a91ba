import NotificationHubs
import Rendering

/// A digest of a request's content: its body without time-dependent properties, and its interruption level.
///
/// Two plans of one event under one configuration have the same digest, whenever and in which process they are made, so that it
/// may be written into outcomes. It does not cover the audience.
package struct RequestDigest: Hashable, Sendable {
    /// The number of hexadecimal digits in ``text``.
    package static let length = 12

    package let value: UInt64

    package init(of send: PlannedSend) {
        let bytes = send.message.body
        let body = bytes.span
        let start: UInt64 = 0x9E37_79B9_7F4A_7C15 &+ UInt64(send.interruption.place)
        let clockPart = send.clockPart.clamped(to: 0..<body.count)
        if clockPart.isEmpty {
            value = Self.stir(start, body)
        } else {
            let before = Self.stir(start, body.extracting(0..<clockPart.lowerBound))
            value = Self.stir(before, body.extracting(clockPart.upperBound..<body.count))
        }
    }

    /// The upper 48 bits as ``length`` lower case hexadecimal digits.
    package var text: String {
        unsafe String(unsafeUninitializedCapacity: Self.length) { digits in
            for place in 0..<Self.length { unsafe digits[place] = digit(place) }
            return Self.length
        }
    }

    private func digit(_ place: Int) -> UInt8 {
        let digit = UInt8(truncatingIfNeeded: value >> UInt64(60 - 4 * place) & 15)
        return digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10
    }

    // MARK: - Sixteen bytes at a time

    // It is computed for every request, so it must cost next to nothing.

    private static let first: UInt64 = 0xA076_1D64_78BD_642F
    private static let second: UInt64 = 0xE703_7ED1_A0B4_28DB

    private static func stir(_ seed: UInt64, _ bytes: Span<UInt8>) -> UInt64 {
        unsafe bytes.withUnsafeBytes { bytes in
            var sum = seed ^ UInt64(bytes.count)
            var index = 0
            while index + 16 <= bytes.count {
                let left = unsafe bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self).littleEndian
                let right = unsafe bytes.loadUnaligned(fromByteOffset: index + 8, as: UInt64.self).littleEndian
                sum = fold(sum ^ left ^ first, right ^ second)
                index += 16
            }
            var last: (UInt64, UInt64) = (0, 0)
            for place in (index..<bytes.count).reversed() {
                last.1 = last.1 << 8 | last.0 >> 56
                last.0 = unsafe last.0 << 8 | UInt64(bytes[place])
            }
            return fold(sum ^ last.0 ^ first, last.1 ^ second)
        }
    }

    /// Combines both halves of the product into one word.
    private static func fold(_ left: UInt64, _ right: UInt64) -> UInt64 {
        let product = left.multipliedFullWidth(by: right)
        return product.high ^ product.low
    }
}
