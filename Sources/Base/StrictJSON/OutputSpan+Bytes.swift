/// Bytes appended to reserved capacity.
extension OutputSpan<UInt8> {
    /// Appends bytes; the capacity must suffice.
    @inlinable @inline(__always)
    package mutating func append(contentsOf other: UnsafeBufferPointer<UInt8>) {
        unsafe withUnsafeMutableBufferPointer { bytes, count in
            precondition(other.count <= bytes.count - count, "insufficient capacity")
            guard let start = bytes.baseAddress, let source = other.baseAddress else { return }
            unsafe (start + count).update(from: source, count: other.count)
            count += other.count
        }
    }

    /// Appends up to eight bytes in one operation; the capacity must suffice.
    ///
    /// - Parameters:
    ///   - length: The number of bytes, at most eight.
    ///   - word: The bytes, the first one lowest.
    @inlinable @inline(__always)
    package mutating func append(_ length: Int, bytesOf word: UInt64) {
        unsafe withUnsafeMutableBufferPointer { bytes, count in
            let room = bytes.count - count
            precondition(length <= 8 && length <= room, "insufficient capacity")
            guard let start = bytes.baseAddress else { return }
            if room >= 8 {
                unsafe UnsafeMutableRawPointer(start + count).storeBytes(of: word.littleEndian, as: UInt64.self)
            } else {
                for place in 0..<length {
                    unsafe bytes[count + place] = UInt8(truncatingIfNeeded: word >> UInt64(place * 8))
                }
            }
            count += length
        }
    }
}
