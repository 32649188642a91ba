/// A position in a TZif file.
struct TZifCursor {
    private(set) var position = 0

    func fault(_ message: String) -> TZifError { TZifError(message: message, offset: position) }

    /// Returns the next byte without consuming it.
    func peek(_ bytes: Span<UInt8>) -> UInt8? {
        position < bytes.count ? bytes[position] : nil
    }

    mutating func byte(_ bytes: Span<UInt8>) throws(TZifError) -> UInt8 {
        guard let byte = peek(bytes) else { throw fault("ends too early") }
        position += 1
        return byte
    }

    /// Parses a signed big-endian number.
    mutating func integer(bytes count: Int, _ bytes: Span<UInt8>) throws(TZifError) -> Int64 {
        var value: Int64 = (peek(bytes) ?? 0) >= 0x80 ? -1 : 0
        for _ in 0..<count { value = value << 8 | Int64(try byte(bytes)) }
        return value
    }

    /// Parses a count.
    mutating func count(_ bytes: Span<UInt8>) throws(TZifError) -> Int {
        let value = Int(truncatingIfNeeded: try integer(bytes: 4, bytes) & 0xFFFF_FFFF)
        guard value <= bytes.count else { throw fault("a count of \(value) exceeds the file's size") }
        return value
    }

    mutating func skip(_ count: Int, _ bytes: Span<UInt8>) throws(TZifError) {
        guard count <= bytes.count - position else { throw fault("ends too early") }
        position += count
    }

    /// Consumes a byte that ``peek(_:)`` returned.
    mutating func advance() { position += 1 }

    mutating func skip(newLine bytes: Span<UInt8>) throws(TZifError) {
        guard try byte(bytes) == 0x0A else { throw fault("a line feed around the rule for future years is missing") }
    }

    func expectEnd(_ bytes: Span<UInt8>) throws(TZifError) {
        guard position == bytes.count else { throw fault("has data after its end") }
    }
}
