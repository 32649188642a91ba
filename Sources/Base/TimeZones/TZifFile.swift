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
