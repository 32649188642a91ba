/// The UTC offsets in a TZif file (RFC 9636, section 3).
struct TZifFile {
    /// The maximum size in bytes: more than ten times the largest known file.
    private static let largest = 1 << 16

    let table: TransitionTable
    let rule: DaylightRule?

    init(_ bytes: Span<UInt8>) throws(TZifError) {
        guard bytes.count <= Self.largest else {
            throw TZifError(message: "is larger than \(Self.largest) bytes", offset: Self.largest)
        }
        var cursor = TZifCursor()
        let header = try TZifHeader(&cursor, bytes)
        guard header.version >= 2 else {
            table = try Self.table(header, bytesOfTime: 4, &cursor, bytes)
            rule = nil
            try cursor.expectEnd(bytes)
            return
        }
        // The first block is a reduced version of the second, for old readers.
        try cursor.skip(header.length(bytesOfTime: 4), bytes)
        let second = try TZifHeader(&cursor, bytes)
        guard second.version == header.version else { throw cursor.fault("the second header has another version") }
        table = try Self.table(second, bytesOfTime: 8, &cursor, bytes)
        try cursor.skip(newLine: bytes)
        rule = try DaylightRuleReader.rule(&cursor, bytes)
        try cursor.skip(newLine: bytes)
        try cursor.expectEnd(bytes)
    }

    private static func table(
        _ header: TZifHeader,
        bytesOfTime: Int,
        _ cursor: inout TZifCursor,
        _ bytes: Span<UInt8>
    ) throws(TZifError) -> TransitionTable {
        guard header.length(bytesOfTime: bytesOfTime) <= bytes.count - cursor.position else {
            throw cursor.fault("the file ends within its data")
        }
        var instants: [Int64] = []
        instants.reserveCapacity(header.transitions)
        for _ in 0..<header.transitions {
            let instant = try cursor.integer(bytes: bytesOfTime, bytes)
            if let last = instants.last, last >= instant { throw cursor.fault("transitions are not in order") }
            instants.append(instant)
        }
        var kinds: [Int] = []
        kinds.reserveCapacity(header.transitions)
        for _ in 0..<header.transitions {
            let kind = Int(try cursor.byte(bytes))
            guard kind < header.kinds else { throw cursor.fault("a transition refers to a missing local time") }
            kinds.append(kind)
        }
        var offsets: [Int32] = []
        offsets.reserveCapacity(header.kinds)
        for _ in 0..<header.kinds { offsets.append(try offset(header, &cursor, bytes)) }
        try cursor.skip(header.characters - 1, bytes)
        guard try cursor.byte(bytes) == 0 else { throw cursor.fault("the abbreviations have no end") }
        for _ in 0..<(header.standardFlags + header.universalFlags) {
            guard try cursor.byte(bytes) <= 1 else { throw cursor.fault("a flag is neither 0 nor 1") }
        }
        return TransitionTable(initialOffset: offsets[0], instants: instants, offsets: kinds.map { offsets[$0] })
    }

    /// Parses a local time: its offset, whether it is daylight saving time, and its abbreviation.
    private static func offset(
        _ header: TZifHeader,
        _ cursor: inout TZifCursor,
        _ bytes: Span<UInt8>
    ) throws(TZifError) -> Int32 {
        let offset = Int32(truncatingIfNeeded: try cursor.integer(bytes: 4, bytes))
        guard abs(Int64(offset)) < Int64(TimeZoneRules.largestOffset) else {
            throw cursor.fault("a local time is 26 hours or more from UTC")
        }
        guard try cursor.byte(bytes) <= 1 else { throw cursor.fault("a flag is neither 0 nor 1") }
        guard Int(try cursor.byte(bytes)) < header.characters else {
            throw cursor.fault("a local time refers to a missing abbreviation")
        }
        return offset
    }
}

/// The header of each block of a TZif file (RFC 9636, section 3.1).
struct TZifHeader {
    /// The version, from 1 to 4.
    let version: Int
    let universalFlags: Int
    let standardFlags: Int
    let transitions: Int
    /// The number of local times; at least one.
    let kinds: Int
    /// The number of bytes of abbreviations; at least one.
    let characters: Int

    init(_ cursor: inout TZifCursor, _ bytes: Span<UInt8>) throws(TZifError) {
        for expected in "TZif".utf8 {
            guard try cursor.byte(bytes) == expected else { throw cursor.fault("does not begin with TZif") }
        }
        switch try cursor.byte(bytes) {
        case 0: version = 1
        case let digit where (UInt8(ascii: "2")...UInt8(ascii: "4")).contains(digit):
            version = Int(digit - UInt8(ascii: "0"))
        default: throw cursor.fault("has an unknown version")
        }
        try cursor.skip(15, bytes)
        universalFlags = try cursor.count(bytes)
        standardFlags = try cursor.count(bytes)
        let leapSeconds = try cursor.count(bytes)
        transitions = try cursor.count(bytes)
        kinds = try cursor.count(bytes)
        characters = try cursor.count(bytes)
        guard leapSeconds == 0 else { throw cursor.fault("uses leap seconds, which are not supported") }
        guard kinds > 0, characters > 0 else { throw cursor.fault("has no local time") }
        guard [0, kinds].contains(universalFlags), [0, kinds].contains(standardFlags) else {
            throw cursor.fault("has flags for only some of its local times")
        }
    }

    /// Returns the number of bytes after the header; an instant has 4 bytes in the first block, 8 in the second.
    func length(bytesOfTime: Int) -> Int {
        transitions * (bytesOfTime + 1) + kinds * 6 + characters + standardFlags + universalFlags
    }
}

/// The reason why bytes are not a TZif file.
package struct TZifError: Error, Sendable, Equatable, CustomStringConvertible {
    /// A description of the error.
    package let message: String
    /// Bytes from the beginning of the file.
    package let offset: Int

    /// The description with the position.
    package var description: String { "\(message) (at byte \(offset))" }
}

/// The past and scheduled changes of a place's offset.
struct TransitionTable: Sendable, Equatable {
    /// The offset before the first change.
    let initialOffset: Int32
    /// The instants of the changes, in seconds since the epoch, ascending.
    let instants: [Int64]
    /// The offset after each of the instants.
    let offsets: [Int32]

    /// The last change; `Int64.min` if there is none.
    var last: Int64 { instants.last ?? .min }

    func period(at seconds: Int64) -> OffsetPeriod {
        var low = 0
        var high = instants.count
        // Finds the number of changes up to the instant.
        while low < high {
            let middle = (low + high) / 2
            if instants[middle] <= seconds { low = middle + 1 } else { high = middle }
        }
        return OffsetPeriod(
            offset: low == 0 ? initialOffset : offsets[low - 1],
            end: low == instants.count ? .max : instants[low]
        )
    }
}

/// A position in a TZif file.
struct TZifCursor {
    private(set) var position = 0

    func fault(_ message: String) -> TZifError { TZifError(message: message, offset: position) }

    /// Returns the next byte without consuming it.
    func peek(_ bytes: Span<UInt8>) -> UInt8? {
        position < bytes.count ? bytes[position] : nil
    }

    mutating func byte(_ bytes: Span<UInt8>) throws(TZifError) -> UInt8 {
        guard let byte = peek(bytes) else { throw fault("ends too early") }
        position += 1
        return byte
    }

    /// Parses a signed big-endian number.
    mutating func integer(bytes count: Int, _ bytes: Span<UInt8>) throws(TZifError) -> Int64 {
        var value: Int64 = (peek(bytes) ?? 0) >= 0x80 ? -1 : 0
        for _ in 0..<count { value = value << 8 | Int64(try byte(bytes)) }
        return value
    }

    /// Parses a count.
    mutating func count(_ bytes: Span<UInt8>) throws(TZifError) -> Int {
        let value = Int(truncatingIfNeeded: try integer(bytes: 4, bytes) & 0xFFFF_FFFF)
        guard value <= bytes.count else { throw fault("a count of \(value) exceeds the file's size") }
        return value
    }

    mutating func skip(_ count: Int, _ bytes: Span<UInt8>) throws(TZifError) {
        guard count <= bytes.count - position else { throw fault("ends too early") }
        position += count
    }

    /// Consumes a byte that ``peek(_:)`` returned.
    mutating func advance() { position += 1 }

    mutating func skip(newLine bytes: Span<UInt8>) throws(TZifError) {
        guard try byte(bytes) == 0x0A else { throw fault("a line feed around the rule for future years is missing") }
    }

    func expectEnd(_ bytes: Span<UInt8>) throws(TZifError) {
        guard position == bytes.count else { throw fault("has data after its end") }
    }
}
