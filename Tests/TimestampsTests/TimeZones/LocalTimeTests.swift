import NewsflashTestSupport
import NewsflashTimestamps
import Testing

/// The time that wall clocks show, and the instant at which they show it first.
@Suite(.timeLimit(.minutes(1)))
struct LocalTimeTests {
    private let prague: TimeZoneRules

    init() throws {
        prague = try TimeZoneRules(name: "Europe/Prague", tzif: SampleZones.file("Europe/Prague").span)
    }

    private func instant(_ text: String) throws -> Timestamp {
        try #require(Timestamp(rfc3339: text))
    }

    /// Days are counted from 2026-03-28 and 2026-10-24, the days before changes.
    @Test(arguments: [
        // A clock without a change.
        ("2026-03-28T00:00:00Z", 0, 7 * 60, "2026-03-28T06:00:00Z"),
        ("2026-03-28T00:00:00Z", 0, 0, "2026-03-27T23:00:00Z"),
        // 02:00 to 02:59 do not exist: the clock goes from 01:59 to 03:00.
        ("2026-03-28T00:00:00Z", 1, 119, "2026-03-29T00:59:00Z"),
        ("2026-03-28T00:00:00Z", 1, 120, "2026-03-29T01:00:00Z"),
        ("2026-03-28T00:00:00Z", 1, 150, "2026-03-29T01:00:00Z"),
        ("2026-03-28T00:00:00Z", 1, 180, "2026-03-29T01:00:00Z"),
        ("2026-03-28T00:00:00Z", 1, 181, "2026-03-29T01:01:00Z"),
        // 02:00 to 02:59 exist twice: the first counts.
        ("2026-10-24T00:00:00Z", 1, 120, "2026-10-25T00:00:00Z"),
        ("2026-10-24T00:00:00Z", 1, 150, "2026-10-25T00:30:00Z"),
        ("2026-10-24T00:00:00Z", 1, 180, "2026-10-25T02:00:00Z"),
    ])
    func `a local time has one first instant`(eve: String, day: Int64, minute: Int, first: String) throws {
        let eve = try instant(eve).seconds / 86_400
        let shown = prague.firstInstant(showing: LocalTime(day: eve + day, minute: minute))
        #expect(shown.rfc3339 == (try instant(first)).rfc3339)
    }

    @Test
    func `a day that a place has skipped begins with the day after it`() throws {
        // Samoa went from December 29, 2011 to December 31.
        let leap = try instant("2011-12-30T10:00:00Z")
        let file = ZoneFile.bytes(initial: -36_000, changes: [(leap.seconds, 50_400)], rule: "")
        let samoa = try TimeZoneRules(name: "Pacific/Apia", tzif: file.span)
        let thirtieth = leap.seconds / 86_400
        #expect(
            samoa.localTime(at: leap - .seconds(1)) == LocalTime(day: thirtieth - 1, minute: 1439).plus(seconds: 59)
        )
        #expect(samoa.localTime(at: leap) == LocalTime(day: thirtieth + 1, minute: 0))
        for minute in [0, 700, 1439] {
            #expect(samoa.firstInstant(showing: LocalTime(day: thirtieth, minute: minute)) == leap)
        }
    }

    @Test
    func `the first instant has the local time or a later one, and the second before it an earlier one`() throws {
        var generator = SeededGenerator(seed: 11)
        for name in ["Europe/Prague", "America/Sao_Paulo", "Australia/Sydney"] {
            let zone = try TimeZoneRules(name: name, tzif: SampleZones.file(name).span)
            for _ in 0..<2000 {
                let day = Int64.random(in: -20_000...60_000, using: &generator)
                let wanted = LocalTime(day: day, minute: Int.random(in: 0...1439, using: &generator))
                let first = zone.firstInstant(showing: wanted)
                let shown = zone.localTime(at: first)
                #expect((shown.day, shown.second) >= (wanted.day, wanted.second), "\(name) \(wanted)")
                for back in [1, 1800, 3600, 7200] {
                    let before = zone.localTime(at: first - .seconds(back))
                    #expect((before.day, before.second) < (wanted.day, wanted.second), "\(name) \(wanted)")
                }
            }
        }
    }

    @Test
    func `days before 1970 and the ends of the range have local times too`() throws {
        let kolkata = try TimeZoneRules(name: "Asia/Kolkata", tzif: SampleZones.file("Asia/Kolkata").span)
        let time = kolkata.localTime(at: try instant("1969-12-31T18:29:59Z"))
        #expect(time.day == -1)
        #expect(time.minute == 1439)
        #expect(time.second == 86_399)
        #expect(prague.localTime(at: Timestamp(nanoseconds: .max)).day == 106_752)
        #expect(prague.localTime(at: Timestamp(nanoseconds: .min)).day == -106_752)
        #expect(prague.firstInstant(showing: LocalTime(day: .max, minute: .max)) == Timestamp(nanoseconds: .max))
        #expect(prague.firstInstant(showing: LocalTime(day: .min, minute: .min)) == Timestamp(nanoseconds: .min))
    }
}

extension LocalTime {
    fileprivate func plus(seconds: Int) -> LocalTime {
        var time = self
        time.second += seconds
        return time
    }
}
