extension Span<UInt8> {
    /// A stretch of bytes as a string, without a second look at them: ``UTF8Check`` has been there.
    ///
    /// - Parameters:
    ///   - range: Begins and ends between characters. The bytes must be UTF-8.
    ///   - isASCII: Whether they are known to be ASCII, which makes the string quicker to work with.
    /// - Returns: A string of its own.
    func text(_ range: Range<Int>, isASCII: Bool) -> String {
        let bytes = extracting(range)
        if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
            return unsafe String(copying: UTF8Span(unchecked: bytes, isKnownASCII: isASCII))
        }
        return unsafe bytes.withUnsafeBufferPointer { unsafe String(decoding: $0, as: UTF8.self) }
    }
}
