import NewsflashTestSupport
import NewsflashTimestamps
import Testing

/// Offsets of real places, and of rare rules.
@Suite(.timeLimit(.minutes(1)))
struct OffsetTests {
    private static let facts = OffsetFacts.lines.split(separator: "\n").map {
        $0.split(separator: " ").map(String.init)
    }

    @Test(arguments: ["Europe/Prague", "America/Sao_Paulo", "Asia/Kolkata", "Australia/Sydney", "America/New_York"])
    func `the offsets of places are the same as Python's, around changes and far beyond the last`(name: String) throws {
        let zone = try TimeZoneRules(name: name, tzif: SampleZones.file(name).span)
        let facts = Self.facts.filter { $0[0] == name }
        #expect(facts.count > 3)
        for fact in facts {
            let instant = try #require(Timestamp(rfc3339: fact[1]))
            #expect(zone.offset(at: instant) == Int(fact[2]), "\(fact)")
        }
    }

    /// A rule, an instant at which it changes the offset, and the offsets before and after.
    static let changes: [(String, String, Int, Int)] = [
        ("EST5EDT,J60/2,J305/2", "2024-03-01T07:00:00Z", -18000, -14400),
        ("EST5EDT,J60/2,J305/2", "2025-11-01T06:00:00Z", -14400, -18000),
        // Days from zero, including February 29; the same as in the C library.
        ("EST5EDT,59/2,304/2", "2024-02-29T07:00:00Z", -18000, -14400),
        ("EST5EDT,59/2,304/2", "2025-03-01T07:00:00Z", -18000, -14400),
        ("EST5EDT,59/2,304/2", "2024-10-31T06:00:00Z", -14400, -18000),
        // Greenland: an hour before midnight is the day before.
        ("<-02>2<-01>,M3.5.0/-1,M10.5.0/0", "2025-03-30T01:00:00Z", -7200, -3600),
        // Israel: 02:00 on the day after the fourth Thursday.
        ("IST-2IDT,M3.4.4/26,M10.5.0", "2025-03-28T00:00:00Z", 7200, 10800),
        // Gaza: two days after it.
        ("EET-2EEST,M3.4.4/50,M10.4.4/50", "2024-10-25T23:00:00Z", 10800, 7200),
        // Ireland: winter is the exception.
        ("IST-1GMT0,M10.5.0,M3.5.0/1", "2024-10-27T01:00:00Z", 3600, 0),
        ("IST-1GMT0,M10.5.0,M3.5.0/1", "2025-03-30T01:00:00Z", 0, 3600),
        // Lord Howe: half an hour, and a summer over the new year.
        ("<+1030>-10:30<+11>-11,M10.1.0,M4.1.0", "2025-10-04T15:30:00Z", 37800, 39600),
        ("<+1030>-10:30<+11>-11,M10.1.0,M4.1.0", "2025-04-05T15:00:00Z", 39600, 37800),
        ("AAA-5BBB-6:30:15,0/0,J365/23", "2024-12-31T16:29:45Z", 23415, 18000),
        ("AAA-5BBB-6:30:15,0/0,J365/23", "2025-12-31T19:00:00Z", 18000, 23415),
    ]

    @Test(arguments: changes)
    func `a rule changes the offset to the second`(rule: String, at: String, before: Int, after: Int) throws {
        let zone = try TimeZoneRules(name: "x", tzif: ZoneFile.bytes(rule: rule).span)
        let instant = try #require(Timestamp(rfc3339: at))
        #expect(zone.offset(at: instant - .seconds(1)) == before)
        #expect(zone.offset(at: instant) == after)
    }

    @Test(arguments: [("ABC3:15:30", -11730), ("EST5EDT,0/0,J365/25", -14400), ("<+1245>-12:45", 45900), ("UTC0", 0)])
    func `a rule without changes, or with a summer without end, always applies`(rule: String, offset: Int) throws {
        let zone = try TimeZoneRules(name: "x", tzif: ZoneFile.bytes(rule: rule).span)
        for day in stride(from: -100_000, to: 100_000, by: 97) {
            #expect(zone.offset(at: Timestamp(seconds: Int64(day) * 86_400 + 68_399)) == offset)
        }
        // The turns of years, at which a summer without end might end for an instant.
        for text in ["2024-12-31T18:59:59Z", "2024-12-31T19:00:00Z", "2025-01-01T04:00:00Z", "2025-01-01T05:00:00Z"] {
            #expect(zone.offset(at: try #require(Timestamp(rfc3339: text))) == offset)
        }
    }

    @Test
    func `the last offset stays if no rule follows it`() throws {
        let file = ZoneFile.bytes(initial: -600, changes: [(0, 3600), (100, 7200)], rule: "")
        let zone = try TimeZoneRules(name: "x", tzif: file.span)
        let seconds: [Int64] = [.min, -1, 0, 99, 100, .max]
        let offsets = seconds.map { zone.offset(at: Timestamp(seconds: $0)) }
        #expect(offsets == [-600, -600, 3600, 3600, 7200, 7200])
    }

    @Test
    func `the rule applies from the last change on`() throws {
        let file = ZoneFile.bytes(changes: [(0, 3600), (100, 7200)], rule: "ABC-3")
        let zone = try TimeZoneRules(name: "x", tzif: file.span)
        let offsets = [0, 99, 100, 101].map { zone.offset(at: Timestamp(seconds: $0)) }
        #expect(offsets == [3600, 3600, 10_800, 10_800])
    }

    @Test
    func `a file of version 1 has instants of four bytes and no rule`() throws {
        var file = Array("TZif".utf8) + Array(repeating: 0, count: 16)
        for count: UInt8 in [0, 0, 0, 1, 2, 4] { file += [0, 0, 0, count] }
        file += [0xFF, 0xFF, 0xFF, 0xFF, 1]
        file += [0, 0, 0, 0, 0, 0] + [0, 0, 0x0E, 0x10, 1, 0] + Array("ABC".utf8) + [0]
        let zone = try TimeZoneRules(name: "x", tzif: file.span)
        let offsets = [-2, -1, 4_000_000_000].map { zone.offset(at: Timestamp(seconds: $0)) }
        #expect(offsets == [0, 3600, 3600])
    }

    @Test(.enabled(if: SystemZones.folder != nil, "needs the time zones of the system: install tzdata"))
    func `every zone of this machine can be parsed`() throws {
        let names = try SystemZones.names()
        #expect(names.count > 300)
        for name in names {
            let bytes = try #require(SystemZones.file(name))
            let zone = try TimeZoneRules(name: name, tzif: bytes.span)
            #expect(abs(zone.offset(at: Timestamp(seconds: 1_800_000_000))) <= 14 * 3600, "\(name)")
        }
    }
}
