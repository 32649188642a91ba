extension Span<UInt8> {
    /// Returns a range of bytes as a string, without checking again what ``UTF8Check`` has checked.
    ///
    /// - Parameters:
    ///   - range: A range between character boundaries. The bytes must be UTF-8.
    ///   - isASCII: Whether the bytes are known to be ASCII, which makes the string faster.
    /// - Returns: A copy.
    func text(_ range: Range<Int>, isASCII: Bool) -> String {
        let bytes = extracting(range)
        if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
            return unsafe String(copying: UTF8Span(unchecked: bytes, isKnownASCII: isASCII))
        }
        return unsafe bytes.withUnsafeBufferPointer { unsafe String(decoding: $0, as: UTF8.self) }
    }
}
