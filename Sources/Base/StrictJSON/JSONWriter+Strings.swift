extension JSONWriter {
    /// Appends a JSON string, for callers that lay out the rest of the text themselves.
    ///
    /// - Parameters:
    ///   - text: The text without escapes.
    ///   - bytes: The buffer to which the quoted string is appended.
    public static func appendString(_ text: String, to bytes: inout [UInt8]) {
        unsafe text.withBytes { text in
            var length = 0
            bytes.append(addingCapacity: text.count + 2) { length = unsafe $0.append(quoting: text) }
            if length < text.count { unsafe bytes.finishString(text, from: length) }
        }
    }

    /// Returns the number of bytes that a string needs between its quotes.
    ///
    /// - Parameter text: Valid UTF-8.
    /// - Returns: The number of bytes including escapes.
    package static func escapedCount(of text: Span<UInt8>) -> Int { text.escapedCount(from: 0) }
}

extension OutputSpan<UInt8> {
    /// Appends the opening quote, the text up to the first byte that needs an escape, and the closing quote if that is the
    /// whole text. The capacity must suffice for the whole text.
    ///
    /// - Parameter text: UTF-8.
    /// - Returns: The number of bytes of the text that were appended; ``Swift/Array/finishString(_:from:)`` appends the
    ///   others.
    @inline(__always)
    mutating func append(quoting text: UnsafeBufferPointer<UInt8>) -> Int {
        unsafe withUnsafeMutableBufferPointer { bytes, count in
            precondition(text.count <= bytes.count - count - 2, "insufficient capacity")
            guard let start = bytes.baseAddress else { return 0 }
            let quote = unsafe start + count
            unsafe quote.pointee = UInt8(ascii: "\"")
            let length = unsafe ScanningCopier.beginning(of: text, to: quote + 1, marking: \.unescapedMarks)
            if length == text.count { unsafe quote[length &+ 1] = UInt8(ascii: "\"") }
            count += length + (length == text.count ? 2 : 1)
            return length
        }
    }
}

extension [UInt8] {
    /// Appends the rest of a string that needs escapes, and its closing quote.
    ///
    /// - Parameters:
    ///   - text: The whole string.
    ///   - start: The number of bytes that were already appended.
    @inline(never)
    mutating func finishString(_ text: UnsafeBufferPointer<UInt8>, from start: Int) {
        let text = unsafe Span(_unsafeElements: text)
        append(addingCapacity: text.escapedCount(from: start) + 1) { output in
            output.append(escaping: text, from: start)
            output.append(UInt8(ascii: "\""))
        }
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// Whether the text needs no escapes.
    var isPlain: Bool { unsafe Span(_unsafeElements: self).endOfUnescapedText(from: 0) == count }
}
