import NewsEvents
import StrictJSON
import Timestamps

extension JSONCursor {
    /// Reads an integer that is not negative.
    mutating func count(_ bytes: Span<UInt8>) throws(JSONError) -> Int64 {
        let start = position
        let value = try int64(bytes)
        guard value >= 0 else { throw fault(.ledgerMember, at: start, "must not be negative") }
        return value
    }

    /// Reads a list of offsets.
    mutating func offsets(_ bytes: Span<UInt8>) throws(JSONError) -> [Int64] {
        var offsets: [Int64] = []
        try beginArray(bytes)
        while try nextElement(bytes) { offsets.append(try count(bytes)) }
        return offsets
    }

    /// Reads one of the words of an enumeration.
    ///
    /// - Parameters:
    ///   - bytes: The whole text.
    ///   - complaint: What to say of another word, which is named in front.
    /// - Returns: The word's value.
    /// - Throws: A fault that names a word which is none of them.
    mutating func value<Value: RawRepresentable<String>>(
        _ bytes: Span<UInt8>,
        _ complaint: String
    ) throws(JSONError) -> Value {
        let start = position
        let word = try string(bytes)
        guard let value = Value(rawValue: word) else { throw unknown(word, at: start, complaint) }
        return value
    }

    /// Reads the kind of an event.
    mutating func kind(_ bytes: Span<UInt8>) throws(JSONError) -> EventKind {
        let start = position
        let word = try text(bytes)
        guard let kind = EventKind(word, bytes) else {
            throw unknown(word.string(bytes), at: start, "is no kind of event that this version knows")
        }
        return kind
    }

    private func unknown(_ word: String, at start: Int, _ complaint: String) -> JSONError {
        fault(.ledgerMember, at: start, "'\(word.prefixOfUTF8(40))' \(complaint)")
    }

    /// Reads sixteen hexadecimal digits.
    mutating func hexadecimal(_ bytes: Span<UInt8>) throws(JSONError) -> UInt64 {
        let start = position
        let text = try text(bytes)
        guard !text.hasEscapes, let value = Hexadecimal.value(bytes.extracting(text.range)) else {
            throw fault(.ledgerMember, at: start, "sixteen hexadecimal digits in lower case belong here")
        }
        return value
    }

    /// Reads a date-time.
    mutating func timestamp(_ bytes: Span<UInt8>) throws(JSONError) -> Timestamp {
        let start = position
        let text = try text(bytes)
        let value =
            text.hasEscapes
            ? Timestamp(rfc3339: text.string(bytes)) : Timestamp(rfc3339: bytes.extracting(text.range))
        guard let value else { throw fault(.ledgerMember, at: start, "is no date-time of RFC 3339") }
        return value
    }

    /// Passes over an array.
    ///
    /// - Returns: What is needed to read it; nothing where it has no element.
    mutating func list(_ bytes: Span<UInt8>) throws(JSONError) -> LedgerList? {
        let beginning = self
        var count = 0
        try beginArray(bytes)
        while try nextElement(bytes) {
            try skip(bytes)
            count += 1
        }
        return count == 0 ? nil : LedgerList(beginning: beginning, count: count)
    }
}

/// An array of a record that was left where it lies.
struct LedgerList {
    let beginning: JSONCursor
    let count: Int
}
