// Access to the bytes of texts without copying.

extension StaticString {
    /// Calls `body` with the text in UTF-8.
    @inline(__always)
    func withSpan<Result>(_ body: (Span<UInt8>) -> Result) -> Result {
        withUTF8Buffer { unsafe body($0.span) }
    }
}

extension String {
    /// Calls `body` with the text in UTF-8.
    @inline(__always)
    mutating func withSpan<Result>(_ body: (Span<UInt8>) -> Result) -> Result {
        withUTF8 { unsafe body($0.span) }
    }
}

extension [UInt8] {
    /// Calls `body` with the bytes. The `span` of an array requires iOS 26 and macOS 26.
    @inline(__always)
    func withSpan<Result>(_ body: (Span<UInt8>) -> Result) -> Result {
        unsafe withUnsafeBufferPointer { unsafe body($0.span) }
    }
}

extension OutputSpan<UInt8> {
    /// Appends bytes; the capacity must suffice.
    mutating func append(contentsOf other: Span<UInt8>) {
        unsafe withUnsafeMutableBufferPointer { bytes, count in
            precondition(other.count <= bytes.count - count, "the capacity of a line is too small")
            unsafe other.withUnsafeBufferPointer { other in
                _ = unsafe UnsafeMutableBufferPointer(rebasing: bytes[count...]).initialize(fromContentsOf: other)
            }
            count += other.count
        }
    }
}
