import ASCII

/// Strings that stand in many records, each kept once and named by a small number.
///
/// Bounded: a string that is too long or comes too late is not taken, and has to be written out where it stands.
struct StringPool: Sendable {
    private static let maximumCount = 4096
    private static let maximumLength = 1024

    private let byteLimit: Int
    /// So that nobody can choose strings that meet: the chance is that of Swift's own hashes, which a benchmark turns off.
    private let seed = UInt64(truncatingIfNeeded: Hasher().finalize())
    private var texts: [String] = []
    private var bytes: [UInt8] = []
    /// Where each string ends in ``bytes``.
    private var ends: [Int] = []
    /// Number plus one of the string whose hash led here, or to a slot before; 0 for none.
    private var slots: [UInt16] = [UInt16](repeating: 0, count: 16)

    init(byteLimit: Int) {
        self.byteLimit = byteLimit
    }

    /// What is allocated.
    var byteCount: Int {
        let numbers = (ends.capacity + texts.capacity * 2) * MemoryLayout<Int>.stride
        return bytes.capacity + numbers + slots.capacity * 2 + heapCount
    }

    /// The strings too long to lie in ``texts`` itself.
    private var heapCount = 0

    /// A string by its number.
    subscript(number: Int) -> String { texts[number] }

    /// The number of a string that was taken.
    func number(of text: Span<UInt8>) -> Int? {
        var slot = Int(truncatingIfNeeded: ByteSum.of(text, seed: seed)) & (slots.count - 1)
        while slots[slot] != 0 {
            let number = Int(slots[slot]) - 1
            if text.isEqual(to: bytes.span.extracting(range(of: number))) { return number }
            slot = (slot + 1) & (slots.count - 1)
        }
        return nil
    }

    /// The number of a string, which is taken where it is new and there is room.
    mutating func take(_ text: Span<UInt8>) -> Int? {
        if let number = number(of: text) { return number }
        guard text.count <= Self.maximumLength, texts.count < Self.maximumCount, byteCount + text.count * 2 <= byteLimit
        else { return nil }
        for index in text.indices { bytes.append(text[index]) }
        ends.append(bytes.count)
        texts.append(text.string)
        if text.count > 15 { heapCount += text.count + 32 }
        if texts.count * 4 > slots.count * 3 {
            slots = [UInt16](repeating: 0, count: slots.count * 2)
            for number in texts.indices { enter(number) }
        } else {
            enter(texts.count - 1)
        }
        return texts.count - 1
    }

    private mutating func enter(_ number: Int) {
        let hash = ByteSum.of(bytes.span.extracting(range(of: number)), seed: seed)
        var slot = Int(truncatingIfNeeded: hash) & (slots.count - 1)
        while slots[slot] != 0 { slot = (slot + 1) & (slots.count - 1) }
        slots[slot] = UInt16(number + 1)
    }

    private func range(of number: Int) -> Range<Int> {
        (number == 0 ? 0 : ends[number - 1])..<ends[number]
    }
}

/// The hash of bytes, with the seed of this process, so that nobody can choose stories that meet.
enum ByteHash {
    static func of(_ bytes: Span<UInt8>) -> UInt64 {
        var hasher = Hasher()
        unsafe bytes.withUnsafeBytes { unsafe hasher.combine(bytes: $0) }
        return UInt64(truncatingIfNeeded: hasher.finalize())
    }

    static func of(_ text: String) -> UInt64 {
        var text = text
        return text.withUTF8 { unsafe of(Span(_unsafeElements: $0)) }
    }
}

extension Span<UInt8> {
    /// The bytes as a string.
    var string: String {
        unsafe withUnsafeBufferPointer { unsafe String(decoding: $0, as: UTF8.self) }
    }
}
