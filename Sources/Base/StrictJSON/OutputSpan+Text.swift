/// Copies text and examines eight bytes at a time while copying.
extension OutputSpan<UInt8> {
    /// Appends the beginning of a text, up to the first marked byte; the capacity must suffice for the whole text.
    ///
    /// - Parameters:
    ///   - text: The bytes to copy.
    ///   - marks: Sets the highest bit of each byte of a word at which copying must stop; only the lowest set bit counts.
    /// - Returns: The number of bytes appended.
    @inlinable @inline(__always)
    package mutating func append(beginningOf text: UnsafeBufferPointer<UInt8>, marking marks: (UInt64) -> UInt64) -> Int
    {
        unsafe withUnsafeMutableBufferPointer { bytes, count in
            precondition(text.count <= bytes.count - count, "insufficient capacity")
            guard let start = bytes.baseAddress else { return 0 }
            let length = unsafe ScanningCopier.beginning(of: text, to: start + count, marking: marks)
            count += length
            return length
        }
    }
}

/// Copies words between two buffers until one of their bytes is marked.
@unsafe @usableFromInline
struct ScanningCopier {
    @usableFromInline let from: UnsafeRawPointer
    @usableFromInline let to: UnsafeMutableRawPointer

    /// The relevant bits of a word's marks.
    @inlinable static var highest: UInt64 { 0x8080_8080_8080_8080 }

    @inlinable
    init(from: UnsafeRawPointer, to: UnsafeMutableRawPointer) {
        unsafe self.from = from
        unsafe self.to = to
    }

    /// Copies the beginning of a text, up to the first marked byte; the buffer must have room for the whole text.
    ///
    /// - Returns: The number of bytes copied.
    @inlinable @inline(__always)
    static func beginning(
        of text: UnsafeBufferPointer<UInt8>,
        to place: UnsafeMutablePointer<UInt8>,
        marking marks: (UInt64) -> UInt64
    ) -> Int {
        guard let source = text.baseAddress else { return 0 }
        let copy = unsafe ScanningCopier(from: UnsafeRawPointer(source), to: UnsafeMutableRawPointer(place))
        return unsafe text.count < 8
            ? copy.short(text.count, marking: marks) : copy.long(text.count, marking: marks)
    }

    @inlinable @inline(__always)
    func long(_ length: Int, marking marks: (UInt64) -> UInt64) -> Int {
        var index = unsafe blocks(of: length, marking: marks)
        if index == length { return length }
        while true {
            // The last word overlaps the one before it.
            let place = min(index, length &- 8)
            let hits = unsafe marks(word(at: place)) & Self.highest
            guard hits == 0 else { return place &+ hits.trailingZeroBitCount / 8 }
            index = place &+ 8
            if index == length { return length }
        }
    }

    /// Copies the word at an index.
    @inlinable @inline(__always)
    func word(at place: Int) -> UInt64 {
        let word = unsafe from.loadUnaligned(fromByteOffset: place, as: UInt64.self)
        unsafe to.storeBytes(of: word, toByteOffset: place, as: UInt64.self)
        return UInt64(littleEndian: word)
    }

    /// Copies four words at a time until one of their bytes is marked.
    ///
    /// - Returns: The number of bytes in whole blocks without a mark.
    @inlinable @inline(__always)
    func blocks(of length: Int, marking marks: (UInt64) -> UInt64) -> Int {
        var index = 0
        while index &+ 32 <= length {
            let low = unsafe marks(word(at: index)) | marks(word(at: index &+ 8))
            let high = unsafe marks(word(at: index &+ 16)) | marks(word(at: index &+ 24))
            guard unsafe (low | high) & Self.highest == 0 else { break }
            index &+= 32
        }
        return index
    }

    @inlinable @inline(__always)
    func short(_ length: Int, marking marks: (UInt64) -> UInt64) -> Int {
        if length >= 4 {
            let first = unsafe UInt32(littleEndian: from.loadUnaligned(as: UInt32.self))
            let last = unsafe UInt32(littleEndian: from.loadUnaligned(fromByteOffset: length &- 4, as: UInt32.self))
            if unsafe marks(UInt64(first) | UInt64(last) << 32) & Self.highest == 0 {
                unsafe to.storeBytes(of: first.littleEndian, as: UInt32.self)
                unsafe to.storeBytes(of: last.littleEndian, toByteOffset: length &- 4, as: UInt32.self)
                return length
            }
        } else if length >= 2 {
            let first = unsafe UInt16(littleEndian: from.loadUnaligned(as: UInt16.self))
            let last = unsafe UInt16(littleEndian: from.loadUnaligned(fromByteOffset: length &- 2, as: UInt16.self))
            // Each is used twice, because a byte that is not of the text might be marked.
            let word = UInt64(UInt32(first) | UInt32(last) << 16) &* 0x1_0000_0001
            if unsafe marks(word) & Self.highest == 0 {
                unsafe to.storeBytes(of: first.littleEndian, as: UInt16.self)
                unsafe to.storeBytes(of: last.littleEndian, toByteOffset: length &- 2, as: UInt16.self)
                return length
            }
        }
        var index = 0
        while index < length {
            let byte = unsafe from.load(fromByteOffset: index, as: UInt8.self)
            guard marks(UInt64(byte)) & 0x80 == 0 else { break }
            unsafe to.storeBytes(of: byte, toByteOffset: index, as: UInt8.self)
            index &+= 1
        }
        return index
    }
}

extension String {
    /// Calls `body` with the bytes of the string.
    ///
    /// - Parameter body: Called once.
    /// - Returns: The result of `body`.
    @inlinable @inline(__always)
    package func withBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        // Avoids a copy of the string, which would be retained and released.
        if let result = unsafe utf8.withContiguousStorageIfAvailable(body) { return result }
        return unsafe withCopiedBytes(body)
    }

    /// Calls `body` with a copy of the bytes, which bridged strings need. Not inlined, because other strings do not need
    /// it.
    @usableFromInline @inline(never)
    func withCopiedBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        unsafe Array(utf8).withUnsafeBufferPointer(body)
    }
}
