import NewsflashBasics
import NewsflashRendering
import NotificationHubs

/// A digest of a request's content: its body without time-dependent properties, and its interruption level.
///
/// Two plans of one event under one configuration have the same digest, whenever and in which process they are made, so that it
/// may be written into outcomes; see ``Checksum``. It does not cover the audience.
package struct RequestDigest: Hashable, Sendable {
    /// The number of hexadecimal digits in ``text``.
    package static let length = 12

    package let value: UInt64

    package init(of send: PlannedSend) {
        let bytes = send.message.body
        let body = bytes.span
        let clockPart = send.clockPart.clamped(to: 0..<body.count)
        let before = Checksum.of(body.extracting(0..<clockPart.lowerBound))
        let after = Checksum.of(body.extracting(clockPart.upperBound..<body.count))
        value = Checksum.step(Checksum.step(before, after), UInt64(send.interruption.place))
    }

    /// The upper 48 bits as ``length`` lower case hexadecimal digits.
    package var text: String {
        unsafe String(unsafeUninitializedCapacity: Self.length) { digits in
            for place in 0..<Self.length {
                unsafe digits[place] = UInt8(hexadecimalDigitOf: value >> UInt64(60 - 4 * place))
            }
            return Self.length
        }
    }
}
