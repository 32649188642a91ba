/// A place in a TZif file.
struct TZifCursor {
    private(set) var position = 0

    func fault(_ message: String) -> TZifError { TZifError(message: message, offset: position) }

    /// The byte to come, which stays.
    func peek(_ bytes: Span<UInt8>) -> UInt8? {
        position < bytes.count ? bytes[position] : nil
    }

    mutating func byte(_ bytes: Span<UInt8>) throws(TZifError) -> UInt8 {
        guard let byte = peek(bytes) else { throw fault("ends too early") }
        position += 1
        return byte
    }

    /// A signed number, its highest byte first.
    mutating func integer(bytes count: Int, _ bytes: Span<UInt8>) throws(TZifError) -> Int64 {
        var value: Int64 = (peek(bytes) ?? 0) >= 0x80 ? -1 : 0
        for _ in 0..<count { value = value << 8 | Int64(try byte(bytes)) }
        return value
    }

    /// How many there are of something.
    mutating func count(_ bytes: Span<UInt8>) throws(TZifError) -> Int {
        let value = Int(truncatingIfNeeded: try integer(bytes: 4, bytes) & 0xFFFF_FFFF)
        guard value <= bytes.count else { throw fault("has room for fewer than \(value)") }
        return value
    }

    mutating func skip(_ count: Int, _ bytes: Span<UInt8>) throws(TZifError) {
        guard count <= bytes.count - position else { throw fault("ends too early") }
        position += count
    }

    /// Goes past a byte that ``peek(_:)`` has seen.
    mutating func advance() { position += 1 }

    mutating func skip(newLine bytes: Span<UInt8>) throws(TZifError) {
        guard try byte(bytes) == 0x0A else { throw fault("a line's end is missing around the rule of years to come") }
    }

    func expectEnd(_ bytes: Span<UInt8>) throws(TZifError) {
        guard position == bytes.count else { throw fault("goes on after its end") }
    }
}
