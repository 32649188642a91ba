// Headers as bytes, for code that encodes many requests and parses many responses.

import NewsflashBasics

extension HTTPHeaders {
    /// The positions of a line in ``wireForm``.
    package struct Line: Sendable {
        /// The position of the name.
        package let name: Range<Int>
        /// The position of the value without surrounding white space.
        package let value: Range<Int>
    }

    /// Creates headers from lines that were checked before.
    ///
    /// - Parameter lines: Lines that consist of a token, a colon, a value without control characters except tabs, and CR LF.
    package init(checkedLines lines: [UInt8]) {
        self.wireForm = lines
    }

    /// Creates a copy with reserved capacity, in one allocation.
    ///
    /// - Parameters:
    ///   - prefix: The initial fields.
    ///   - byteCount: The capacity in bytes for further fields: names, values and four bytes for each field.
    package init(copying prefix: HTTPHeaders, reserving byteCount: Int) {
        self.wireForm = []
        wireForm.reserveCapacity(prefix.wireForm.count + byteCount)
        append(prefix)
    }

    /// Appends a field from bytes.
    ///
    /// - Parameters:
    ///   - name: The field's name.
    ///   - value: The value, in UTF-8.
    package mutating func append(_ name: StaticString, _ value: Span<UInt8>) {
        name.withSpan { append($0, value) }
    }

    /// Appends a field from bytes.
    ///
    /// A field whose name is not a token is omitted. White space around the value is removed. Control characters that could end
    /// the line are replaced with blanks (RFC 9110, section 5.5).
    ///
    /// - Parameters:
    ///   - name: The field's name.
    ///   - value: The value, in UTF-8.
    package mutating func append(_ name: Span<UInt8>, _ value: Span<UInt8>) {
        guard !name.isEmpty, name.endOfToken(from: 0, below: name.count) == name.count else {
            return record(.invalidName)
        }
        var (start, end) = (0, value.count)
        while end > start, value[end - 1].isBlank { end -= 1 }
        while start < end, value[start].isBlank { start += 1 }
        let line = wireForm.count
        wireForm.append(addingCapacity: name.count + end - start + 4) { output in
            output.append(contentsOf: name)
            output.append(UInt8(ascii: ":"))
            // A field without a value ends with its colon, without a blank.
            if start < end { output.append(UInt8(ascii: " ")) }
            output.append(contentsOf: value.extracting(start..<end))
            output.append(UInt8(ascii: "\r"))
            output.append(UInt8(ascii: "\n"))
        }
        guard value.endOfValueText(from: start, below: end) < end else { return }
        record(.invalidValue(lineAt: line))
        blankLineEnds(in: (wireForm.count - 2 - (end - start))..<(wireForm.count - 2))
    }

    /// Appends all fields of other headers.
    ///
    /// - Parameter others: The other headers, valid or not.
    package mutating func append(_ others: HTTPHeaders) {
        switch others.validity {
        case .valid: break
        case .invalidName: record(.invalidName)
        case .invalidValue(lineAt: let start): record(.invalidValue(lineAt: wireForm.count + start))
        }
        wireForm.append(contentsOf: others.wireForm)
    }

    /// Returns the line that begins at a position.
    ///
    /// - Parameter position: Zero for the first line; moved to the next line.
    /// - Returns: The line, or `nil` after the last one.
    package func nextLine(at position: inout Int) -> Line? {
        wireForm.withSpan { Self.nextLine(in: $0, at: &position) }
    }

    private static func nextLine(in bytes: Span<UInt8>, at position: inout Int) -> Line? {
        let start = position
        guard start < bytes.count else { return nil }
        let colon = bytes.firstPlace(of: UInt8(ascii: ":"), from: start, below: bytes.count)
        var end = bytes.firstPlace(of: UInt8(ascii: "\r"), from: colon, below: bytes.count)
        position = end + 2
        var valueStart = colon < end ? colon + 1 : end
        while valueStart < end, bytes[valueStart].isBlank { valueStart += 1 }
        while end > valueStart, bytes[end - 1].isBlank { end -= 1 }
        return Line(name: start..<colon, value: valueStart..<end)
    }

    /// Whether a part of the lines equals a text, ignoring ASCII case.
    ///
    /// - Parameters:
    ///   - text: A name, or a word of a value.
    ///   - range: A name or a value of a ``Line``, or a part of it.
    /// - Returns: Whether both are equal.
    package func reads(_ text: StaticString, at range: Range<Int>) -> Bool {
        guard text.utf8CodeUnitCount == range.count else { return false }
        return text.withSpan { text in wireForm.withSpan { $0.extracting(range).isEqualIgnoringASCIICase(to: text) } }
    }

    /// The same for a text that is not a constant.
    func reads(_ text: String, at range: Range<Int>) -> Bool {
        var text = text
        return text.withSpan { text in wireForm.withSpan { $0.extracting(range).isEqualIgnoringASCIICase(to: text) } }
    }

    /// Returns a part of the lines as text.
    ///
    /// - Parameter range: A name or a value of a ``Line``.
    /// - Returns: The text; invalid UTF-8 is replaced.
    package func text(_ range: Range<Int>) -> String {
        String(decoding: wireForm[range], as: UTF8.self)
    }

    // MARK: - Faults

    /// Replaces control characters that could end a line with blanks.
    private mutating func blankLineEnds(in range: Range<Int>) {
        for position in range {
            switch wireForm[position] {
            case 0, UInt8(ascii: "\r"), UInt8(ascii: "\n"): wireForm[position] = UInt8(ascii: " ")
            default: break
            }
        }
    }

    /// Records the first fault.
    private mutating func record(_ fault: Validity) {
        if validity == .valid { validity = fault }
    }
}

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
