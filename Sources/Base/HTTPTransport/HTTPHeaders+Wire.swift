// Headers as bytes: for those who write many requests and read many answers.

import ASCII

extension HTTPHeaders {
    /// A line of ``wireForm``, by positions in it.
    package struct Line: Sendable {
        /// Where the name stands.
        package let name: Range<Int>
        /// Where the value stands, without the white space around it.
        package let value: Range<Int>
    }

    /// Makes headers from lines that were checked already.
    ///
    /// - Parameter lines: Each with a token, a colon, a value without controls but tabs, and CR LF at its end.
    package init(checkedLines lines: [UInt8]) {
        self.wireForm = lines
    }

    /// Makes a copy to append to, with one allocation.
    ///
    /// - Parameters:
    ///   - prefix: The fields to begin with.
    ///   - byteCount: How many bytes of lines will be appended: names, values, and four for each field.
    package init(copying prefix: HTTPHeaders, reserving byteCount: Int) {
        self.wireForm = []
        wireForm.reserveCapacity(prefix.wireForm.count + byteCount)
        append(prefix)
    }

    /// Adds a field behind the others without making text of it.
    ///
    /// - Parameters:
    ///   - name: The field's name.
    ///   - value: Its value in UTF-8.
    package mutating func append(_ name: StaticString, _ value: Span<UInt8>) {
        let name = unsafe UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount)
        unsafe value.withUnsafeBufferPointer { unsafe appendLine(name, $0) }
    }

    /// Adds a field behind the others without making text of it.
    ///
    /// - Parameters:
    ///   - name: The field's name.
    ///   - value: Its value in UTF-8.
    package mutating func append(_ name: Span<UInt8>, _ value: Span<UInt8>) {
        unsafe name.withUnsafeBufferPointer { name in
            unsafe value.withUnsafeBufferPointer { unsafe appendLine(name, $0) }
        }
    }

    /// Adds all fields of others behind the own.
    ///
    /// - Parameter others: Fields, sound or not.
    package mutating func append(_ others: HTTPHeaders) {
        switch others.soundness {
        case .sound: break
        case .brokenName: note(.brokenName)
        case .brokenValue(lineAt: let start): note(.brokenValue(lineAt: wireForm.count + start))
        }
        wireForm.append(contentsOf: others.wireForm)
    }

    /// Finds the line that begins at a position.
    ///
    /// - Parameter position: Zero for the first; moves to the one behind.
    /// - Returns: The line, or `nil` behind the last.
    package func nextLine(at position: inout Int) -> Line? {
        let bytes = wireForm.span
        let start = position
        guard start < bytes.count else { return nil }
        var colon = start
        while colon < bytes.count, bytes[colon] != UInt8(ascii: ":") { colon += 1 }
        var end = Self.endOfLine(in: bytes, from: colon)
        position = end + 2
        var valueStart = colon < end ? colon + 1 : end
        while valueStart < end, bytes[valueStart].isBlank { valueStart += 1 }
        while end > valueStart, bytes[end - 1].isBlank { end -= 1 }
        return Line(name: start..<colon, value: valueStart..<end)
    }

    /// The first carriage return at or after a position, or the end; looks at eight bytes at once.
    private static func endOfLine(in bytes: Span<UInt8>, from start: Int) -> Int {
        var index = start
        return unsafe bytes.withUnsafeBytes { bytes in
            while index + 8 <= bytes.count {
                let word = unsafe UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self))
                let difference = word ^ 0x0D0D_0D0D_0D0D_0D0D
                // The lowest bit that is set is that of a return; a borrow reaches only bytes behind it.
                let hits = (difference &- 0x0101_0101_0101_0101) & ~difference & 0x8080_8080_8080_8080
                if hits != 0 { return index + hits.trailingZeroBitCount / 8 }
                index += 8
            }
            while index < bytes.count, unsafe bytes[index] != UInt8(ascii: "\r") { index += 1 }
            return index
        }
    }

    /// Whether a part of the lines reads so, but for the case of ASCII letters.
    ///
    /// - Parameters:
    ///   - text: A name, or a word of a value.
    ///   - range: A name or a value of a ``Line``, or a part of it.
    /// - Returns: Whether both are the same.
    package func reads(_ text: String, at range: Range<Int>) -> Bool {
        guard text.utf8.count == range.count else { return false }
        let bytes = wireForm.span
        var position = range.lowerBound
        for byte in text.utf8 {
            guard byte.lowercasedASCII == bytes[position].lowercasedASCII else { return false }
            position += 1
        }
        return true
    }

    /// A part of the lines as text.
    ///
    /// - Parameter range: A name or a value of a ``Line``.
    /// - Returns: The text; bytes that are no UTF-8 are replaced.
    package func text(_ range: Range<Int>) -> String {
        String(decoding: wireForm[range], as: UTF8.self)
    }

    // MARK: - Lines

    /// Writes a line and checks it where it stands.
    mutating func appendLine(_ name: some Sequence<UInt8>, _ value: some Sequence<UInt8>) {
        let start = wireForm.count
        wireForm.append(contentsOf: name)
        guard wireForm[start...].isToken else {
            wireForm.removeSubrange(start...)
            return note(.brokenName)
        }
        wireForm.append(UInt8(ascii: ":"))
        wireForm.append(UInt8(ascii: " "))
        let valueStart = wireForm.count
        wireForm.append(contentsOf: value)
        trimValue(from: valueStart)
        checkValue(from: valueStart, lineAt: start)
        // A field without a value ends with its colon.
        if wireForm.count == valueStart { wireForm.removeLast() }
        wireForm.append(UInt8(ascii: "\r"))
        wireForm.append(UInt8(ascii: "\n"))
    }

    private mutating func trimValue(from start: Int) {
        while wireForm.count > start, wireForm[wireForm.count - 1].isBlank { wireForm.removeLast() }
        guard wireForm.count > start, wireForm[start].isBlank else { return }
        let text = wireForm[start...].firstIndex { !$0.isBlank } ?? wireForm.count
        wireForm.removeSubrange(start..<text)
    }

    /// Finds controls, and takes those away that could end a line (RFC 9110, section 5.5).
    private mutating func checkValue(from start: Int, lineAt line: Int) {
        for position in start..<wireForm.count where wireForm[position].isControlInValue {
            note(.brokenValue(lineAt: line))
            switch wireForm[position] {
            case 0, UInt8(ascii: "\r"), UInt8(ascii: "\n"): wireForm[position] = UInt8(ascii: " ")
            default: break
            }
        }
    }

    /// Keeps the first fault.
    private mutating func note(_ fault: Soundness) {
        if soundness == .sound { soundness = fault }
    }
}
