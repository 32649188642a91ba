import NewsflashEvents
import NewsflashPublishing
import NewsflashTestSupport
import NewsflashTimestamps
import Testing

/// Quiet hours by subscribers' clocks, and their effect on news.
@Suite(.timeLimit(.minutes(1)))
struct QuietHoursTests {
    static let night = HoursOfDay("22:00-07:00")

    /// A question about quiet hours. Most tests change only one property.
    struct Question {
        var urgency = 4
        var kind = EventKind.update
        var categories: [String] = ["world"]
        var locale: String?
        var now: String
        var life: Duration = .seconds(86_400)

        func asked(of quiet: QuietHours) throws -> QuietHoursDecision {
            let now = try #require(Timestamp(rfc3339: now))
            var event = NewsEvent.sample("e-1", kind: kind, urgency: urgency)
            event.categories = categories
            return quiet.rest(of: event, locale: locale, now: now, deadline: now + life)
        }
    }

    private func quiet(then: QuietHours.Handling = .defer, hours: HoursOfDay? = night) throws -> QuietHours {
        QuietHours(
            hours: try #require(hours),
            then: then,
            zone: try Zones.prague,
            zonesByLocale: ["pt-BR": try Zones.saoPaulo, "hi": try Zones.kolkata],
            zonesByCode: [
                "edition:cz": try Zones.prague, "Edition:AU": try Zones.sydney, "edition:us": try Zones.newYork,
            ]
        )
    }

    private func until(_ text: String) throws -> QuietHoursDecision {
        .until(try #require(Timestamp(rfc3339: text)))
    }

    @Test
    func `an update at half past three waits until seven o'clock`() throws {
        #expect(try Question(now: "2026-03-02T02:30:00.1Z").asked(of: quiet()) == until("2026-03-02T06:00:00Z"))
        #expect(try Question(now: "2026-03-01T21:30:00Z").asked(of: quiet()) == until("2026-03-02T06:00:00Z"))
    }

    @Test(arguments: [
        ("2026-03-01T20:59:59.999Z", false), ("2026-03-01T21:00:00Z", true), ("2026-03-02T05:59:59.999Z", true),
        ("2026-03-02T06:00:00Z", false),
    ])
    func `quiet hours begin and end exactly`(now: String, isAsleep: Bool) throws {
        #expect(try (Question(now: now).asked(of: quiet()) != .awake) == isAsleep)
    }

    static let siestas: [(String, String?)] = [
        ("2026-03-02T11:59:59Z", nil), ("2026-03-02T12:00:00Z", "2026-03-02T13:30:00Z"),
        ("2026-03-02T13:29:59Z", "2026-03-02T13:30:00Z"), ("2026-03-02T13:30:00Z", nil), ("2026-03-02T23:30:00Z", nil),
    ]

    @Test(arguments: siestas)
    func `quiet hours within a day are the hours between their times`(now: String, end: String?) throws {
        let siesta = try quiet(hours: HoursOfDay("13:00-14:30"))
        #expect(try Question(now: now).asked(of: siesta) == (try end.map { try until($0) } ?? .awake))
    }

    @Test(arguments: EventKind.allCases)
    func `a flash and a withdrawal are not deferred`(kind: EventKind) throws {
        let rest = try Question(kind: kind, now: "2026-03-02T02:30:00Z").asked(of: quiet())
        #expect(rest == ([.flash, .kill, .hold].contains(kind) ? .awake : try until("2026-03-02T06:00:00Z")))
    }

    @Test(arguments: 1...9)
    func `only news of the configured urgencies waits`(urgency: Int) throws {
        var quiet = try quiet()
        quiet.urgencies = 4...6
        let rest = try Question(urgency: urgency, now: "2026-03-02T02:30:00Z").asked(of: quiet)
        #expect((rest == .awake) == !(4...6).contains(urgency))
    }

    @Test
    func `news that would expire before the end of quiet hours is sent silently, as is passive news`() throws {
        let now = "2026-03-02T05:00:00Z"
        #expect(try Question(now: now, life: .seconds(3600)).asked(of: quiet()) == .silent)
        #expect(try Question(now: now, life: .seconds(3601)).asked(of: quiet()) == until("2026-03-02T06:00:00Z"))
        #expect(try Question(now: now).asked(of: quiet(then: .passive)) == .silent)
    }

    static let clocks: [([String], String?, String, String?)] = [
        // The edition precedes the language, whatever its case.
        (["world", "EDITION:au"], "pt-BR", "2026-03-02T14:00:00Z", "2026-03-02T20:00:00Z"),
        // An edition may be one of several codes of a subject.
        (["world", "http://cv.example/au|edition:au"], "pt-BR", "2026-03-02T14:00:00Z", "2026-03-02T20:00:00Z"),
        // Without an edition the language decides.
        (["world"], "pt-BR", "2026-03-02T02:30:00Z", "2026-03-02T10:00:00Z"),
        // A language without a zone has the default zone.
        (["world"], "fr", "2026-03-02T02:30:00Z", "2026-03-02T06:00:00Z"),
        (["world"], nil, "2026-03-02T02:30:00Z", "2026-03-02T06:00:00Z"),
        // Zones may differ by half hours.
        (["world"], "hi", "2026-03-02T01:29:59Z", "2026-03-02T01:30:00Z"),
        (["world"], "hi", "2026-03-02T01:30:00Z", nil),
    ]

    @Test(arguments: clocks)
    func `the clock comes from the edition, then the language, then the default`(
        categories: [String],
        locale: String?,
        now: String,
        end: String?
    ) throws {
        let rest = try Question(categories: categories, locale: locale, now: now).asked(of: quiet())
        #expect(rest == (try end.map { try until($0) } ?? .awake))
    }

    @Test
    func `subscribers without a clock have no quiet hours, and a request in all languages has all clocks`() throws {
        var quiet = try quiet()
        quiet.zone = nil
        #expect(try Question(locale: "fr", now: "2026-03-02T02:30:00Z").asked(of: quiet) == .awake)
        // In UTC, quiet hours end at 10:00 in São Paulo and begin at 16:30 in Kolkata.
        #expect(try Question(now: "2026-03-02T02:30:00Z").asked(of: quiet) == until("2026-03-02T10:00:00Z"))
        quiet.zonesByLocale = [:]
        #expect(try Question(now: "2026-03-02T02:30:00Z").asked(of: quiet) == .awake)
    }

    @Test
    func `several editions wait until none of them has quiet hours`() throws {
        // Quiet hours in UTC: Prague from 21:00 to 06:00, New York from 03:00 to 12:00, Sydney from 11:00 to 20:00.
        let two = ["edition:cz", "edition:us"]
        let atNight = Question(categories: two, now: "2026-03-02T22:00:00Z")
        #expect(try atNight.asked(of: quiet()) == until("2026-03-03T12:00:00Z"))
        let byDay = Question(categories: two, now: "2026-03-02T13:00:00Z")
        #expect(try byDay.asked(of: quiet()) == .awake)
        let late = Question(categories: two, now: "2026-03-02T22:00:00Z", life: .seconds(14 * 3600))
        #expect(try late.asked(of: quiet()) == .silent)
        let three = Question(categories: two + ["edition:au"], now: "2026-03-02T22:00:00Z")
        #expect(try three.asked(of: quiet()) == until("2026-03-03T20:00:00Z"))
    }

    @Test
    func `editions whose quiet hours never end together are notified silently, whatever the time to live`() throws {
        let quiet = try quiet(hours: HoursOfDay("08:00-07:00"))
        let forever = Question(
            categories: ["edition:cz", "edition:au"],
            now: "2026-03-02T06:30:00Z",
            life: .seconds(1e9)
        )
        #expect(try forever.asked(of: quiet) == .silent)
        let alone = Question(categories: ["edition:cz"], now: "2026-03-02T07:30:00Z", life: .seconds(1e9))
        #expect(try alone.asked(of: quiet) == until("2026-03-03T06:00:00Z"))
    }
}

/// Time zones by today's rules.
enum Zones {
    static var prague: TimeZoneRules { get throws { try zone("Europe/Prague", "CET-1CEST,M3.5.0,M10.5.0/3") } }
    static var sydney: TimeZoneRules { get throws { try zone("Australia/Sydney", "AEST-10AEDT,M10.1.0,M4.1.0/3") } }
    static var newYork: TimeZoneRules { get throws { try zone("America/New_York", "EST5EDT,M3.2.0,M11.1.0") } }
    static var saoPaulo: TimeZoneRules { get throws { try zone("America/Sao_Paulo", "<-03>3") } }
    static var kolkata: TimeZoneRules { get throws { try zone("Asia/Kolkata", "IST-5:30") } }

    private static func zone(_ name: String, _ rule: String) throws -> TimeZoneRules {
        try TimeZoneRules(name: name, tzif: ZoneFile.bytes(rule: rule).span)
    }
}
