import NewsflashPublishing
import NewsflashTestSupport
import NewsflashTimestamps
import Testing

/// Hours of the day when clocks are set forward and back.
@Suite(.timeLimit(.minutes(1)))
struct HoursOfDayTests {
    private func end(of hours: String, at now: String) throws -> String? {
        let hours = try #require(HoursOfDay(hours))
        return hours.end(at: try #require(Timestamp(rfc3339: now)), in: try Zones.prague)?.rfc3339
    }

    /// Prague goes from 02:00 to 03:00 on 29 March 2026 at 01:00Z, and from 03:00 back to 02:00 on 25 October at
    /// 01:00Z.
    static let nights: [(String, String, String?)] = [
        // A night of eight hours, and one of ten.
        ("22:00-07:00", "2026-03-28T21:00:00Z", "2026-03-29T05:00:00.000Z"),
        ("22:00-07:00", "2026-10-24T20:00:00Z", "2026-10-25T06:00:00.000Z"),
        // Hours that end in the skipped hour end when it is skipped.
        ("22:00-02:30", "2026-03-29T00:59:59Z", "2026-03-29T01:00:00.000Z"),
        ("22:00-02:30", "2026-03-29T01:00:00Z", nil),
        // Hours that begin in it begin when it is skipped.
        ("02:30-07:00", "2026-03-29T00:59:59Z", nil),
        ("02:30-07:00", "2026-03-29T01:00:00Z", "2026-03-29T05:00:00.000Z"),
        // Hours within it do not occur.
        ("02:10-02:50", "2026-03-29T00:59:59Z", nil),
        ("02:10-02:50", "2026-03-29T01:00:00Z", nil),
        // Hours that end in the repeated hour end the first time, and do not begin again.
        ("22:00-02:30", "2026-10-25T00:29:59Z", "2026-10-25T00:30:00.000Z"),
        ("22:00-02:30", "2026-10-25T00:30:00Z", nil),
        ("22:00-02:30", "2026-10-25T01:15:00Z", nil),
        // Hours that begin in it begin the first time, and continue while the clock is before them again.
        ("02:30-07:00", "2026-10-25T00:29:59Z", nil),
        ("02:30-07:00", "2026-10-25T00:30:00Z", "2026-10-25T06:00:00.000Z"),
        ("02:30-07:00", "2026-10-25T01:15:00Z", "2026-10-25T06:00:00.000Z"),
        // Hours may begin or end at midnight.
        ("00:00-07:00", "2026-06-01T22:00:00Z", "2026-06-02T05:00:00.000Z"),
        ("22:00-00:00", "2026-06-01T21:59:59Z", "2026-06-01T22:00:00.000Z"),
        ("22:00-00:00", "2026-06-01T22:00:00Z", nil),
    ]

    @Test(arguments: nights)
    func `hours end when the clock first shows their end`(hours: String, now: String, end: String?) throws {
        #expect(try self.end(of: hours, at: now) == end)
    }

    @Test
    func `a clock that is set back over midnight does not begin a second night`() throws {
        // Two hours back at midnight: 22:00 to 23:59 occur twice.
        let midnight = try #require(Timestamp(rfc3339: "2026-06-01T22:00:00Z"))
        let file = ZoneFile.bytes(initial: 7200, changes: [(midnight.seconds, 0)], rule: "")
        let zone = try TimeZoneRules(name: "x", tzif: file.span)
        let hours = try #require(HoursOfDay("22:30-23:30"))
        #expect(hours.end(at: midnight - .seconds(3600), in: zone) == midnight - .seconds(1800))
        #expect(hours.end(at: midnight - .seconds(1800), in: zone) == nil)
        #expect(hours.end(at: midnight + .seconds(3600), in: zone) == nil)
        #expect(hours.end(at: midnight + .seconds(86_400 + 3600), in: zone) == midnight + .seconds(86_400 + 5400))
    }

    @Test
    func `a night that began at midnight continues while the clock shows the previous day again`() throws {
        // One hour back at half an hour past midnight.
        let change = try #require(Timestamp(rfc3339: "2026-06-01T22:30:00Z"))
        let file = ZoneFile.bytes(initial: 7200, changes: [(change.seconds, 3600)], rule: "")
        let zone = try TimeZoneRules(name: "x", tzif: file.span)
        let hours = try #require(HoursOfDay("00:00-07:00"))
        let end = try #require(Timestamp(rfc3339: "2026-06-02T06:00:00Z"))
        #expect(hours.end(at: change - .seconds(1801), in: zone) == nil)
        #expect(hours.end(at: change - .seconds(1800), in: zone) == end)
        #expect(hours.end(at: change + .seconds(900), in: zone) == end)
    }

    @Test
    func `the end of hours follows by plain arithmetic if the clock does not change`() throws {
        var generator = SeededGenerator(seed: 3)
        let zone = try Zones.kolkata
        for _ in 0..<2000 {
            let begin = Int.random(in: 0...1439, using: &generator)
            let end = Int.random(in: 0...1439, using: &generator)
            guard let hours = HoursOfDay(begin: begin, end: end) else {
                #expect(begin == end)
                continue
            }
            let minute = Int64.random(in: 0...60_000_000, using: &generator)
            let local = Int((minute + 330) % 1440)
            let isWithin = begin < end ? (begin..<end).contains(local) : local >= begin || local < end
            let expected = Timestamp(seconds: (minute + Int64((end - local + 1440) % 1440)) * 60)
            #expect(hours.end(at: Timestamp(seconds: minute * 60), in: zone) == (isWithin ? expected : nil))
        }
    }

    @Test(arguments: [
        "22:00", "22:00-22:00", "22:00-24:00", "22:60-07:00", "22:00-7:00", "22.00-07.00", "22:00-07:00-08:00", "",
        "-", "22:00–07:00", " 22:00-07:00", "22:00 - 07:00", "+2:00-07:00", "２２:00-07:00",
    ])
    func `a text that is not a pair of times is refused`(text: String) throws {
        #expect(HoursOfDay(text) == nil)
        let hours = try #require(HoursOfDay("22:05-07:10"))
        #expect([hours.begin, hours.end] == [1325, 430])
        #expect(HoursOfDay(begin: -1, end: 5) == nil)
        #expect(HoursOfDay(begin: 5, end: 1440) == nil)
    }
}
