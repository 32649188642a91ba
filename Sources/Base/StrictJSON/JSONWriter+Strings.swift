extension JSONWriter {
    /// Writes a string alone, for a text whose rest is laid out elsewhere.
    ///
    /// - Parameters:
    ///   - text: Without escapes.
    ///   - bytes: Where it goes, with quotes around it.
    public static func appendString(_ text: String, to bytes: inout [UInt8]) {
        unsafe text.withBytes { text in
            var length = 0
            bytes.append(addingCapacity: text.count + 2) { length = unsafe $0.append(quoting: text) }
            if length < text.count { unsafe bytes.finishString(text, from: length) }
        }
    }

    /// How many bytes a string takes between its quotes.
    ///
    /// - Parameter text: In UTF-8, whole characters.
    /// - Returns: Its bytes with their escapes.
    package static func escapedCount(of text: Span<UInt8>) -> Int { text.escapedCount(from: 0) }
}

extension OutputSpan<UInt8> {
    /// Appends a string's first quote, its text as far as it needs no escapes, and its last quote where that is all of it;
    /// there must be room for all of it.
    ///
    /// - Parameter text: In UTF-8.
    /// - Returns: How many bytes of it were appended; for the others there is ``Swift/Array/finishString(_:from:)``.
    @inline(__always)
    mutating func append(quoting text: UnsafeBufferPointer<UInt8>) -> Int {
        unsafe withUnsafeMutableBufferPointer { bytes, count in
            precondition(text.count <= bytes.count - count - 2, "a writer's room was counted wrongly")
            guard let start = bytes.baseAddress else { return 0 }
            let quote = unsafe start + count
            unsafe quote.pointee = UInt8(ascii: "\"")
            let length = unsafe MarkedCopy.beginning(of: text, to: quote + 1, marking: \.unescapedMarks)
            if length == text.count { unsafe quote[length &+ 1] = UInt8(ascii: "\"") }
            count += length + (length == text.count ? 2 : 1)
            return length
        }
    }
}

extension [UInt8] {
    /// Appends the rest of a string that needs escapes, and its last quote.
    ///
    /// - Parameters:
    ///   - text: The whole string.
    ///   - start: What of it was not appended yet.
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
    /// Whether nothing of the text has to be escaped.
    var isPlain: Bool { unsafe Span(_unsafeElements: self).endOfUnescapedText(from: 0) == count }
}
