import NewsflashBasics
import NewsflashTimestamps
import NotificationHubs

/// The ids of accepted notifications. They contain the send's number in obfuscated form, so it can be looked up without an
/// index.
enum NotificationID {
    private static let mask: UInt64 = 0x5DEE_CE66_D1CE_4E5B

    /// Creates an id in the form used since 2022: `NH-20221214202418813-ab928c8e2345432a8881dd2bbdc2661d-06`.
    static func make(sequence: Int64, now: Timestamp, using generator: inout SeededRandom) -> String {
        var name = Array("NH-".utf8)
        name += now.rfc3339.utf8.filter(\.isDigit)
        name.append(UInt8(ascii: "-"))
        name += digits(sequence: sequence, using: &generator)
        let shard = generator.next() % 32
        name += (shard < 10 ? "-0\(shard)" : "-\(shard)").utf8
        return String(decoding: name, as: UTF8.self)
    }

    /// Creates an id of a scheduled notification in its own form:
    /// `af14e491…_20181107001832_33331921_17_QNHQueue930a…-S68116944391983712`.
    static func makeScheduled(sequence: Int64, now: Timestamp, using generator: inout SeededRandom) -> String {
        let digits = String(decoding: digits(sequence: sequence, using: &generator), as: UTF8.self)
        let time = String(decoding: now.rfc3339.utf8.filter(\.isDigit).prefix(14), as: UTF8.self)
        let queue = TrackingID.random(using: &generator).filter { $0 != "-" }
        let number = generator.next() % 100_000_000_000_000_000
        return "\(digits)_\(time)_33331921_\(generator.next() % 32)_QNHQueue\(queue)-S\(number)"
    }

    /// Returns the send's number in an id of either form.
    ///
    /// - Returns: `nil` if the text is not such an id.
    static func sequence(of name: String) -> Int64? {
        guard let digits = name.utf8.split(whereSeparator: { !$0.isHexadecimalDigit }).first(where: { $0.count == 32 }),
            let random = UInt64(String(decoding: digits.prefix(16), as: UTF8.self), radix: 16),
            let hidden = UInt64(String(decoding: digits.dropFirst(16), as: UTF8.self), radix: 16)
        else { return nil }
        // An id of another hub may decode to any number; no send has the number zero.
        return Int64(exactly: hidden ^ hash(random)) ?? 0
    }

    private static func digits(sequence: Int64, using generator: inout SeededRandom) -> [UInt8] {
        let random = generator.next()
        return hexadecimal(random) + hexadecimal(UInt64(bitPattern: sequence) ^ hash(random))
    }

    private static func hash(_ random: UInt64) -> UInt64 {
        var generator = SeededRandom(seed: random ^ mask)
        return generator.next()
    }

    private static func hexadecimal(_ number: UInt64) -> [UInt8] {
        let digits = Array("0123456789abcdef".utf8)
        return (0..<16).map { digits[Int(number >> UInt64(60 - 4 * $0) & 15)] }
    }
}
