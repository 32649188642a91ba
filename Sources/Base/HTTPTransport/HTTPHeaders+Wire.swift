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
    /// - Parameters:
    ///   - lines: Each with a token, a colon, a value without controls but tabs, and CR LF at its end.
    ///   - framingNames: Which names that matter to a request's head are among them, where that is known.
    package init(checkedLines lines: [UInt8], framingNames: FramingNames = .unknown) {
        self.wireForm = lines
        self.framingNames = framingNames
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
        name.withSpan { append($0, value) }
    }

    /// Adds a field behind the others without making text of it.
    ///
    /// A name that is no token leaves the field out. A value stands without the white space around it; where it holds
    /// controls, those that could end a line read as blanks (RFC 9110, section 5.5).
    ///
    /// - Parameters:
    ///   - name: The field's name.
    ///   - value: Its value in UTF-8.
    package mutating func append(_ name: Span<UInt8>, _ value: Span<UInt8>) {
        guard !name.isEmpty, name.endOfToken(from: 0, below: name.count) == name.count else { return note(.brokenName) }
        framingNames.formUnion(FramingNames(name))
        var (start, end) = (0, value.count)
        while end > start, value[end - 1].isBlank { end -= 1 }
        while start < end, value[start].isBlank { start += 1 }
        let line = wireForm.count
        wireForm.append(addingCapacity: name.count + end - start + 4) { output in
            output.append(contentsOf: name)
            output.append(UInt8(ascii: ":"))
            // A field without a value ends with its colon.
            if start < end { output.append(UInt8(ascii: " ")) }
            output.append(contentsOf: value.extracting(start..<end))
            output.append(UInt8(ascii: "\r"))
            output.append(UInt8(ascii: "\n"))
        }
        guard value.endOfValueText(from: start, below: end) < end else { return }
        note(.brokenValue(lineAt: line))
        blankLineEnds(in: (wireForm.count - 2 - (end - start))..<(wireForm.count - 2))
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
        framingNames.formUnion(others.framingNames)
        wireForm.append(contentsOf: others.wireForm)
    }

    /// Finds the line that begins at a position.
    ///
    /// - Parameter position: Zero for the first; moves to the one behind.
    /// - Returns: The line, or `nil` behind the last.
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

    /// Whether a part of the lines reads so, but for the case of ASCII letters.
    ///
    /// - Parameters:
    ///   - text: A name, or a word of a value.
    ///   - range: A name or a value of a ``Line``, or a part of it.
    /// - Returns: Whether both are the same.
    package func reads(_ text: StaticString, at range: Range<Int>) -> Bool {
        guard text.utf8CodeUnitCount == range.count else { return false }
        return text.withSpan { text in wireForm.withSpan { $0.extracting(range).isEqualIgnoringASCIICase(to: text) } }
    }

    /// The same for a text that is known only now.
    func reads(_ text: String, at range: Range<Int>) -> Bool {
        var text = text
        return text.withSpan { text in wireForm.withSpan { $0.extracting(range).isEqualIgnoringASCIICase(to: text) } }
    }

    /// A part of the lines as text.
    ///
    /// - Parameter range: A name or a value of a ``Line``.
    /// - Returns: The text; bytes that are no UTF-8 are replaced.
    package func text(_ range: Range<Int>) -> String {
        String(decoding: wireForm[range], as: UTF8.self)
    }

    // MARK: - Faults

    /// Takes those controls away that could end a line.
    private mutating func blankLineEnds(in range: Range<Int>) {
        for position in range {
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
