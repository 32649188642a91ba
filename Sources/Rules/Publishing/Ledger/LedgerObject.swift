import Basics
import NewsEvents
import StrictJSON
import Timestamps

/// A value that a member of a ledger record can have.
protocol LedgerReadable {
    /// Reads the value that begins at a cursor.
    init(reading cursor: inout JSONCursor, _ bytes: Span<UInt8>) throws(JSONError)
}

/// One object of a ledger record, with the position of each member's value.
///
/// Unused members are skipped. Each lookup goes through all members, about twenty in a record.
struct LedgerObject {
    private let start: JSONCursor
    private var members: [(name: JSONText, value: JSONCursor)] = []
    /// The position of the sum. Members after it are rejected, because the sum would not cover them.
    var end = Int.max

    /// Skips the object that begins at a cursor, and checks all of its grammar.
    init(_ cursor: inout JSONCursor, _ bytes: Span<UInt8>) throws(JSONError) {
        start = cursor
        members.reserveCapacity(16)
        try cursor.beginObject(bytes)
        while let name = try cursor.nextMember(bytes) {
            members.append((name, cursor))
            try cursor.skip(bytes)
        }
    }

    /// Finds the value of a member; `nil` if it is absent. A duplicate member is a fault.
    func cursor(of name: StaticString, _ bytes: Span<UInt8>) throws(JSONError) -> JSONCursor? {
        var found: JSONCursor?
        for (other, cursor) in members where other.equals(name, bytes) {
            guard found == nil else {
                throw cursor.fault(.duplicateMember, at: cursor.position, "duplicate member")
            }
            guard cursor.position <= end else {
                throw cursor.fault(.ledgerSum, at: cursor.position, "is after the sum, which must be last")
            }
            found = cursor
        }
        return found
    }

    /// Reads a member; `nil` if it is absent.
    func value<Value: LedgerReadable>(_ name: StaticString, _ bytes: Span<UInt8>) throws(JSONError) -> Value? {
        guard var cursor = try cursor(of: name, bytes) else { return nil }
        return try Value(reading: &cursor, bytes)
    }

    /// Reads a required member.
    func required<Value: LedgerReadable>(_ name: StaticString, _ bytes: Span<UInt8>) throws(JSONError) -> Value {
        guard let value: Value = try value(name, bytes) else { throw missing(name) }
        return value
    }

    /// The fault of an object without a required member.
    func missing(_ name: StaticString) -> JSONError {
        var fault = start.fault(.ledgerMember, at: start.position, "is missing")
        fault.path = "/\(name)"
        return fault
    }
}

// MARK: - Single values

extension Array: LedgerReadable where Element: LedgerReadable {
    init(reading cursor: inout JSONCursor, _ bytes: Span<UInt8>) throws(JSONError) {
        self = []
        try cursor.beginArray(bytes)
        while try cursor.nextElement(bytes) { append(try Element(reading: &cursor, bytes)) }
    }
}

extension String: LedgerReadable {
    init(reading cursor: inout JSONCursor, _ bytes: Span<UInt8>) throws(JSONError) { self = try cursor.string(bytes) }
}

extension Bool: LedgerReadable {
    init(reading cursor: inout JSONCursor, _ bytes: Span<UInt8>) throws(JSONError) { self = try cursor.bool(bytes) }
}

extension Int64: LedgerReadable {
    /// Reads an integer that is not negative.
    init(reading cursor: inout JSONCursor, _ bytes: Span<UInt8>) throws(JSONError) {
        let start = cursor.position
        self = try cursor.int64(bytes)
        guard self >= 0 else { throw cursor.fault(.ledgerMember, at: start, "must not be negative") }
    }
}

extension UInt64: LedgerReadable {
    /// Reads sixteen hexadecimal digits in lower case.
    init(reading cursor: inout JSONCursor, _ bytes: Span<UInt8>) throws(JSONError) {
        let start = cursor.position
        let text = try cursor.text(bytes)
        var value: UInt64 = 0
        var isValid = !text.hasEscapes && text.range.count == 16
        for index in text.range where isValid {
            let digit = bytes[index].hexadecimalValue
            isValid = digit != nil && bytes[index] == bytes[index].lowercasedASCII
            value = value << 4 | UInt64(digit ?? 0)
        }
        guard isValid else {
            throw cursor.fault(.ledgerMember, at: start, "must be sixteen lower-case hexadecimal digits")
        }
        self = value
    }
}

extension Timestamp: LedgerReadable {
    init(reading cursor: inout JSONCursor, _ bytes: Span<UInt8>) throws(JSONError) {
        let start = cursor.position
        let text = try cursor.text(bytes)
        let value =
            text.hasEscapes
            ? Timestamp(rfc3339: text.string(bytes)) : Timestamp(rfc3339: bytes.extracting(text.range))
        guard let value else { throw cursor.fault(.ledgerMember, at: start, "must be a date-time of RFC 3339") }
        self = value
    }
}

/// A value that must be one of the words of an enumeration.
protocol LedgerWord: LedgerReadable, RawRepresentable<String> {
    /// The rest of the fault's message, after the unknown word.
    static var complaint: String { get }
}

extension LedgerWord {
    init(reading cursor: inout JSONCursor, _ bytes: Span<UInt8>) throws(JSONError) {
        let start = cursor.position
        let word = try cursor.string(bytes)
        guard let value = Self(rawValue: word) else {
            throw cursor.fault(.ledgerMember, at: start, "'\(word.prefixOfUTF8(40))' \(Self.complaint)")
        }
        self = value
    }
}

extension EventKind: LedgerWord { static let complaint = "is not a kind of event that this version knows" }
extension StoryFacts.Phase: LedgerWord { static let complaint = "is not a phase that this version knows" }
extension StoryFacts.WaitReason: LedgerWord { static let complaint = "is not a reason to wait that this version knows" }
extension AudienceFact.Certainty: LedgerWord { static let complaint = "is not a certainty that this version knows" }
extension OutcomeKind: LedgerWord { static let complaint = "is not an outcome that this version knows" }
extension DeadLetter.Stage: LedgerWord { static let complaint = "is not a stage that this version knows" }
