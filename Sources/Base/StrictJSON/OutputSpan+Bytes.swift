/// What writers of texts append to room that was made before.
extension OutputSpan<UInt8> {
    /// Appends bytes; there must be room.
    package mutating func append(contentsOf other: UnsafeBufferPointer<UInt8>) {
        unsafe withUnsafeMutableBufferPointer { bytes, count in
            precondition(other.count <= bytes.count - count, "a writer's room was counted wrongly")
            _ = unsafe UnsafeMutableBufferPointer(rebasing: bytes[count...]).update(fromContentsOf: other)
            count += other.count
        }
    }

    /// Appends bytes that need no escapes, with quotes around them; there must be room.
    mutating func append(quoted other: UnsafeBufferPointer<UInt8>) {
        append(UInt8(ascii: "\""))
        unsafe append(contentsOf: other)
        append(UInt8(ascii: "\""))
    }

    /// Appends the digits of an integer, at most 20 bytes; there must be room.
    package mutating func append(digitsOf value: Int64) {
        if value < 0 { append(UInt8(ascii: "-")) }
        var length = 1
        var bound: UInt64 = 10
        while length < 19, value.magnitude >= bound {
            length += 1
            bound &*= 10
        }
        append(repeating: 0, count: length)
        var rest = value.magnitude
        for place in stride(from: count - 1, through: count - length, by: -1) {
            self[place] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
            rest /= 10
        }
    }
}
