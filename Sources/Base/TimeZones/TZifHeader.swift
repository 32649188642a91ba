/// What stands in front of each block of a TZif file (RFC 9636, section 3.1).
struct TZifHeader {
    /// From 1 to 4.
    let version: Int
    let universalFlags: Int
    let standardFlags: Int
    let transitions: Int
    /// Local times; at least one.
    let kinds: Int
    /// Bytes of abbreviations; at least one.
    let characters: Int

    init(_ cursor: inout TZifCursor, _ bytes: Span<UInt8>) throws(TZifError) {
        for expected in "TZif".utf8 {
            guard try cursor.byte(bytes) == expected else { throw cursor.fault("TZif is missing in front") }
        }
        switch try cursor.byte(bytes) {
        case 0: version = 1
        case let digit where (UInt8(ascii: "2")...UInt8(ascii: "4")).contains(digit):
            version = Int(digit - UInt8(ascii: "0"))
        default: throw cursor.fault("is of a version that is not known")
        }
        try cursor.skip(15, bytes)
        universalFlags = try cursor.count(bytes)
        standardFlags = try cursor.count(bytes)
        let leapSeconds = try cursor.count(bytes)
        transitions = try cursor.count(bytes)
        kinds = try cursor.count(bytes)
        characters = try cursor.count(bytes)
        guard leapSeconds == 0 else { throw cursor.fault("counts leap seconds, which our clock does not") }
        guard kinds > 0, characters > 0 else { throw cursor.fault("has no local time") }
        guard [0, kinds].contains(universalFlags), [0, kinds].contains(standardFlags) else {
            throw cursor.fault("has flags for some of its local times only")
        }
    }

    /// How many bytes follow the header, where an instant takes so many: 4 in the first block, 8 in the second.
    func length(bytesOfTime: Int) -> Int {
        transitions * (bytesOfTime + 1) + kinds * 6 + characters + standardFlags + universalFlags
    }
}
