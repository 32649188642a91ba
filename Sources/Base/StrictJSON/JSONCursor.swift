import NewsflashBasics

/// A pull parser for JSON, for callers that know the structure and need no tree.
///
/// Accepts the same grammar as ``JSONReader``, except for duplicate names in an object, which the caller must detect. It reads
/// no fractions, truth values and nulls, because events contain none. The bytes are passed to each call, because a span must
/// not be stored; they must be the same in each.
package struct JSONCursor: JSONScanner {
    /// The index of the next byte.
    package internal(set) var position = 0
    /// Whether an array or object was begun and nothing of it was parsed yet.
    private var isAtFirst = false

    /// Creates a cursor at the beginning of a text.
    ///
    /// - Throws: ``JSONError`` if the bytes are not UTF-8.
    package init(_ bytes: Span<UInt8>) throws(JSONError) {
        if let offset = UTF8Check.firstFault(in: bytes) {
            throw JSONError(.invalidUTF8, at: offset, "the bytes are not UTF-8")
        }
        skipWhiteSpace(bytes)
    }

    /// Checks that only white space follows.
    package mutating func end(_ bytes: Span<UInt8>) throws(JSONError) {
        skipWhiteSpace(bytes)
        guard position == bytes.count else {
            throw JSONError(.trailingData, at: position, "something follows the JSON value")
        }
    }

    /// Returns the first byte of the next value; 0 at the end of the text.
    package func peek(_ bytes: Span<UInt8>) -> UInt8 {
        position < bytes.count ? bytes[position] : 0
    }

    /// Enters an object; call ``nextMember(_:)`` until it returns `nil`.
    package mutating func beginObject(_ bytes: Span<UInt8>) throws(JSONError) {
        try begin(UInt8(ascii: "{"), "expected an object", bytes)
    }

    /// Enters an array; call ``nextElement(_:)`` until it returns `false`.
    package mutating func beginArray(_ bytes: Span<UInt8>) throws(JSONError) {
        try begin(UInt8(ascii: "["), "expected an array", bytes)
    }

    /// Goes to the value of the object's next member, which must then be parsed.
    ///
    /// - Returns: The member's name; `nil` after the last member, when the cursor has left the object.
    package mutating func nextMember(_ bytes: Span<UInt8>) throws(JSONError) -> JSONText? {
        guard try next(before: UInt8(ascii: "}"), "a comma or } after a member is missing", bytes) else { return nil }
        guard peek(bytes) == UInt8(ascii: "\"") else {
            throw syntaxFault("a member name in quotes is missing", bytes)
        }
        let name = try quotedText(bytes)
        skipWhiteSpace(bytes)
        guard peek(bytes) == UInt8(ascii: ":") else {
            throw syntaxFault("a colon after the member name is missing", bytes)
        }
        position += 1
        skipWhiteSpace(bytes)
        return name
    }

    /// Goes to the array's next element, which must then be parsed.
    ///
    /// - Returns: `false` after the last element, when the cursor has left the array.
    package mutating func nextElement(_ bytes: Span<UInt8>) throws(JSONError) -> Bool {
        try next(before: UInt8(ascii: "]"), "a comma or ] after an element is missing", bytes)
    }

    /// Parses a string without copying it.
    package mutating func text(_ bytes: Span<UInt8>) throws(JSONError) -> JSONText {
        guard peek(bytes) == UInt8(ascii: "\"") else { throw wrongType("expected a string", bytes) }
        return try quotedText(bytes)
    }

    /// Parses a string; the cursor is at its opening quote.
    @inline(__always)
    private mutating func quotedText(_ bytes: Span<UInt8>) throws(JSONError) -> JSONText {
        let start = position + 1
        let (end, isASCII) = bytes.endOfPlainText(from: start)
        guard end < bytes.count, bytes[end] == UInt8(ascii: "\"") else { return try textWithEscapes(bytes) }
        position = end + 1
        return JSONText(range: start..<end, hasEscapes: false, isASCII: isASCII)
    }

    /// Parses a string with escapes, which may also be incomplete or invalid.
    @inline(never)
    private mutating func textWithEscapes(_ bytes: Span<UInt8>) throws(JSONError) -> JSONText {
        let start = position + 1
        var parser = JSONParser(maximumDepth: 0)
        parser.position = position
        _ = try parser.string(bytes)
        position = parser.position
        return JSONText(range: start..<position - 1, hasEscapes: true, isASCII: false)
    }

    /// Parses a string.
    package mutating func string(_ bytes: Span<UInt8>) throws(JSONError) -> String {
        try text(bytes).string(bytes)
    }

    /// Parses an exact integer within 64 bits.
    package mutating func int64(_ bytes: Span<UInt8>) throws(JSONError) -> Int64 {
        let first = peek(bytes)
        guard first == UInt8(ascii: "-") || first.isDigit else {
            throw wrongType("expected an integer", bytes)
        }
        if let value = plainInteger(bytes) { return value }
        let start = position
        var parser = JSONParser(maximumDepth: 0)
        parser.position = start
        let number = try parser.number(bytes)
        guard let value = number.int64 else {
            throw JSONError(.wrongType, at: start, "expected an integer within 64 bits")
        }
        position = parser.position
        return value
    }

    private mutating func begin(_ bracket: UInt8, _ message: String, _ bytes: Span<UInt8>) throws(JSONError) {
        guard peek(bytes) == bracket else { throw wrongType(message, bytes) }
        position += 1
        isAtFirst = true
    }

    /// Skips the comma before the next member or element.
    @inline(__always)
    private mutating func next(
        before bracket: UInt8,
        _ message: String,
        _ bytes: Span<UInt8>
    ) throws(JSONError) -> Bool {
        skipWhiteSpace(bytes)
        let wasAtFirst = isAtFirst
        isAtFirst = false
        let byte = peek(bytes)
        if byte == bracket {
            position += 1
            return false
        }
        guard !wasAtFirst else { return true }
        guard byte == UInt8(ascii: ",") else {
            throw syntaxFault(message, bytes)
        }
        position += 1
        skipWhiteSpace(bytes)
        return true
    }

    /// Parses an integer of at most 18 digits without fraction and exponent; otherwise `nil`.
    private mutating func plainInteger(_ bytes: Span<UInt8>) -> Int64? {
        let isNegative = bytes[position] == UInt8(ascii: "-")
        let start = isNegative ? position + 1 : position
        var index = start
        var value: Int64 = 0
        while index < bytes.count, bytes[index].isDigit {
            guard index - start < 18 else { return nil }
            value = value * 10 + Int64(bytes[index] - UInt8(ascii: "0"))
            index += 1
        }
        guard index > start, index == start + 1 || bytes[start] != UInt8(ascii: "0") else { return nil }
        if index < bytes.count, bytes[index] == UInt8(ascii: ".") || bytes[index] | 0x20 == UInt8(ascii: "e") {
            return nil
        }
        position = index
        return isNegative ? -value : value
    }

    // Errors are created out of line, to keep the path of valid texts short.

    @inline(never)
    private func syntaxFault(_ message: String, _ bytes: Span<UInt8>) -> JSONError {
        position < bytes.count ? JSONError(.syntax, at: position, message) : endOfText()
    }

    @inline(never)
    private func wrongType(_ message: String, _ bytes: Span<UInt8>) -> JSONError {
        position < bytes.count ? JSONError(.wrongType, at: position, message) : endOfText()
    }
}

extension JSONError.Code {
    /// A value has another type than expected.
    static let wrongType = JSONError.Code(rawValue: "wrong_type")
}
