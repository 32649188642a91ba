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
