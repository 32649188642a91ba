import NewsflashTestSupport
import NewsflashTimestamps
import Testing

/// Files that do not conform to RFC 9636.
@Suite(.timeLimit(.minutes(1)))
struct MalformedZoneTests {
    private func fault(_ bytes: [UInt8]) -> String? {
        do {
            _ = try TimeZoneRules(name: "x", tzif: bytes.span)
            return nil
        } catch {
            return error.message
        }
    }

    @Test(arguments: ["Europe/Prague", "Asia/Kolkata"])
    func `a truncated file is refused wherever it ends`(name: String) {
        let file = SampleZones.file(name)
        #expect(fault(file) == nil)
        for length in file.indices { #expect(fault(Array(file[..<length])) != nil, "\(length) bytes") }
        #expect(fault(file + [0]) == "has data after its end")
    }

    /// A file with one change and a rule; a byte of it, its new value, and the expected error.
    static let faults: [(Int, UInt8, String)] = [
        (0, 0x54 + 1, "does not begin with TZif"),
        (4, 0x35, "has an unknown version"),
        (4, 1, "has an unknown version"),
        (4, 0x33, "the second header has another version"),
        // The second header begins at byte 51.
        (51, 0, "does not begin with TZif"),
        (51 + 20 + 3, 2, "has flags for only some of its local times"),
        (51 + 24 + 3, 1, "has flags for only some of its local times"),
        (51 + 28 + 3, 1, "uses leap seconds, which are not supported"),
        (51 + 32, 1, "a count of 16777218 exceeds the file's size"),
        (51 + 32, 0xFF, "a count of 4278190082 exceeds the file's size"),
        (51 + 32 + 3, 60, "the file ends within its data"),
        (51 + 36 + 3, 0, "has no local time"),
        (51 + 40 + 3, 0, "has no local time"),
        // Two instants of eight bytes from 95, two indices of local times from 111, three local times from 113.
        (95 + 7, 200, "transitions are not in order"),
        (111, 3, "a transition refers to a missing local time"),
        (113, 0x80, "a local time is 26 hours or more from UTC"),
        (113 + 2, 0xFF, ""),
        (113 + 1, 2, "a local time is 26 hours or more from UTC"),
        (113 + 4, 2, "a flag is neither 0 nor 1"),
        (113 + 5, 1, "a local time refers to a missing abbreviation"),
        (131, 0x41, "the abbreviations have no end"),
        (132, 0x20, "a line feed around the rule for future years is missing"),
    ]

    @Test(arguments: faults)
    func `a file that contradicts itself is refused`(place: Int, byte: UInt8, message: String) {
        var file = ZoneFile.bytes(changes: [(10, 3600), (100, 0)], rule: "UTC0")
        #expect(file[132] == 0x0A)
        #expect(fault(file) == nil)
        file[place] = byte
        #expect(fault(file) == (message.isEmpty ? nil : message))
    }

    @Test(arguments: [
        "CE-1", "CET", "CET-25", "CET1:60", "CET-1CEST", "CET-1CEST,M3.5.0", "CET-1CEST,M3.5.0,", "<+03-3", "<+0>3",
        "CET-1CEST,M13.5.0,M10.5.0", "CET-1CEST,M3.6.0,M10.5.0", "CET-1CEST,M3.5.7,M10.5.0", "CET-1CEST,M3.0.0,M10.5.0",
        "CET-1CEST,J0,J300", "CET-1CEST,J366,J300", "CET-1CEST,366,300", "CET-1CEST,M3.5.0/168,M10.5.0",
        "CET-1CEST,M3.5.0,M10.5.0/3 ", "CET-1CEST,M3.5.0,M10.5.0/3,", "CET-1CEST,M3.5,M10.5.0", "CET--1", "CET-0001",
        "CET-1CEST,M3.5.0/,M10.5.0", ":Europe/Prague", " CET-1",
    ])
    func `a malformed rule is refused`(rule: String) {
        #expect(fault(ZoneFile.bytes(rule: rule)) != nil)
        #expect(fault(ZoneFile.bytes(rule: "CET-1CEST,M3.5.0,M10.5.0/3")) == nil)
    }

    @Test
    func `a file of an implausible size is refused before it is parsed`() {
        #expect(fault(Array(repeating: 0, count: 1 << 17)) == "is larger than 65536 bytes")
    }

    @Test
    func `an error is reported with its position`() {
        let error = #expect(throws: TZifError.self) { try TimeZoneRules(name: "x", tzif: Array("TZ".utf8).span) }
        #expect(error?.description == "ends too early (at byte 2)")
    }
}
