import NewsflashTimestamps
import Testing

@Suite(.timeLimit(.minutes(1)))
struct RFC3339Tests {
    @Test(
        arguments: [
            ("1970-01-01T00:00:00Z", 0),
            ("1970-01-01t00:00:00z", 0),
            ("1970-01-01T01:00:00+01:00", 0),
            ("1969-12-31T18:30:00-05:30", 0),
            ("1970-01-01T00:00:00-00:00", 0),
            ("1969-12-31T23:59:59Z", -1_000_000_000),
            ("1969-12-31T23:59:59.5Z", -500_000_000),
            ("2026-03-02T09:40:00+01:00", 1_772_440_800_000_000_000),
            ("2024-02-29T12:00:00Z", 1_709_208_000_000_000_000),
            ("2000-02-29T00:00:00Z", 951_782_400_000_000_000),
            ("2026-01-01T00:00:00.1Z", 1_767_225_600_100_000_000),
            ("2026-01-01T00:00:00.123456789Z", 1_767_225_600_123_456_789),
            ("2026-01-01T00:00:00.000000001Z", 1_767_225_600_000_000_001),
            // Leap seconds become the second after them.
            ("2016-12-31T23:59:60Z", 1_483_228_800_000_000_000),
            ("2017-01-01T00:59:60+01:00", 1_483_228_800_000_000_000),
            ("2016-12-31T23:59:60.25Z", 1_483_228_800_250_000_000),
            ("2026-01-01T23:59:59+23:59", 1_767_225_599_000_000_000 + 60_000_000_000),
            // The ends of the range.
            ("2262-04-11T23:47:16.854775807Z", Int64.max),
            ("1677-09-21T00:12:43.145224192Z", Int64.min),
            ("1677-09-21T00:12:44Z", -9_223_372_036_000_000_000),
        ] as [(String, Int64)]
    )
    func `a date-time is parsed`(text: String, nanoseconds: Int64) {
        #expect(Timestamp(rfc3339: text)?.nanoseconds == nanoseconds)
    }

    @Test(arguments: [
        "", "2026", "2026-01-01", "2026-01-01T00:00:00", "2026-01-01T00:00Z", "2026-01-01 00:00:00Z",
        "2026-02-30T00:00:00Z", "2025-02-29T00:00:00Z", "1900-02-29T00:00:00Z", "2026-04-31T00:00:00Z",
        "2026-13-01T00:00:00Z", "2026-00-01T00:00:00Z", "2026-01-00T00:00:00Z", "2026-01-32T00:00:00Z",
        "2026-01-01T24:00:00Z", "2026-01-01T00:60:00Z", "2026-01-01T00:00:61Z",
        // A leap second in the middle of a day.
        "2016-12-31T22:59:60Z", "2016-12-31T23:59:60+01:00", "2026-01-01T12:00:60Z",
        "2026-01-01T00:00:00.Z", "2026-01-01T00:00:00,5Z", "2026-01-01T00:00:00.0123456789Z",
        "2026-01-01T00:00:00+0100", "2026-01-01T00:00:00+01", "2026-01-01T00:00:00+24:00", "2026-01-01T00:00:00+01:60",
        "2026-01-01T00:00:00 01:00", "2026-01-01T00:00:00\u{2212}01:00", "2026-01-01T00:00:00ZZ",
        "2026-01-01T00:00:00Z ", " 2026-01-01T00:00:00Z", "+026-01-01T00:00:00Z", "12026-01-01T00:00:00Z",
        "2026-1-1T0:0:0Z", "2026-01-01T00:00:00+1:00", "２026-01-01T00:00:00Z",
        // Beyond the range of 64 bits of nanoseconds.
        "2262-04-11T23:47:16.854775808Z", "1677-09-21T00:12:43.145224191Z", "9999-12-31T23:59:59Z",
        "0000-01-01T00:00:00Z",
    ])
    func `another form is refused`(text: String) {
        #expect(Timestamp(rfc3339: text) == nil)
    }

    @Test(
        arguments: [
            (Int64(0), "1970-01-01T00:00:00.000Z"), (-1, "1969-12-31T23:59:59.999Z"),
            (1_772_440_800_050_999_999, "2026-03-02T08:40:00.050Z"),
            (951_782_399_999_000_000, "2000-02-28T23:59:59.999Z"),
            (Int64.max, "2262-04-11T23:47:16.854Z"), (Int64.min, "1677-09-21T00:12:43.145Z"),
        ] as [(Int64, String)]
    )
    func `milliseconds are written in UTC, rounded down`(nanoseconds: Int64, text: String) {
        #expect(Timestamp(nanoseconds: nanoseconds).rfc3339 == text)
    }

    @Test func `a written time is parsed back`() {
        // Every 11th day and odd parts of it, over the whole range.
        var milliseconds: Int64 = -9_223_372_036_000
        var count = 0
        while milliseconds < 9_223_372_036_000 {
            let timestamp = Timestamp(milliseconds: milliseconds)
            guard Timestamp(rfc3339: timestamp.rfc3339) == timestamp else {
                Issue.record("\(timestamp.rfc3339) is not \(timestamp)")
                return
            }
            milliseconds += 950_400_123
            count += 1
        }
        #expect(count > 19_000)
    }

    @Test func `each part of an instant is written`() {
        func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
        var instants: [Int64] = [.min, .max, 0, -1, 1_709_164_799_999_999_999, 1_709_164_800_000_000_000]
        for _ in 0..<3000 { instants.append(.random(in: .min ... .max)) }
        for instant in instants.map(Timestamp.init(nanoseconds:)) {
            let days = (instant.milliseconds - (instant.milliseconds < 0 ? 86_399_999 : 0)) / 86_400_000
            let ofDay = instant.milliseconds - days * 86_400_000
            let date = CivilDate(daysSinceEpoch: days)
            let fraction = String(1000 + ofDay % 1000).dropFirst()
            let clock = "\(two(ofDay / 3_600_000)):\(two(ofDay / 60_000 % 60)):\(two(ofDay / 1000 % 60)).\(fraction)Z"
            #expect(instant.rfc3339 == "\(date.year)-\(two(Int64(date.month)))-\(two(Int64(date.day)))T\(clock)")
        }
    }
}
