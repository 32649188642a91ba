// The bytes of texts, without copies.

extension StaticString {
    /// Shows the text in UTF-8.
    @inline(__always)
    func withSpan<Result>(_ body: (Span<UInt8>) -> Result) -> Result {
        withUTF8Buffer { unsafe body($0.span) }
    }
}

extension String {
    /// Shows the text in UTF-8.
    @inline(__always)
    mutating func withSpan<Result>(_ body: (Span<UInt8>) -> Result) -> Result {
        withUTF8 { unsafe body($0.span) }
    }
}

extension [UInt8] {
    /// Shows the bytes. The `span` of an array needs iOS 26 and macOS 26.
    @inline(__always)
    func withSpan<Result>(_ body: (Span<UInt8>) -> Result) -> Result {
        unsafe withUnsafeBufferPointer { unsafe body($0.span) }
    }
}

extension OutputSpan<UInt8> {
    /// Appends bytes; there must be room.
    mutating func append(contentsOf other: Span<UInt8>) {
        unsafe withUnsafeMutableBufferPointer { bytes, count in
            precondition(other.count <= bytes.count - count, "the room of a line was counted wrongly")
            unsafe other.withUnsafeBufferPointer { other in
                _ = unsafe UnsafeMutableBufferPointer(rebasing: bytes[count...]).initialize(fromContentsOf: other)
            }
            count += other.count
        }
    }
}
