import NewsEvents
import Publishing
import TestSupport
import Testing
import TimeZones
import Timestamps

/// Who sleeps when, and what becomes of news then.
@Suite(.timeLimit(.minutes(1)))
struct QuietHoursTests {
    static let night = HoursOfDay("22:00-07:00")

    /// What is asked of quiet hours; most questions differ in one thing only.
    struct Question {
        var urgency = 4
        var kind = EventKind.update
        var categories: [String] = ["world"]
        var locale: String?
        var now: String
        var life: Duration = .seconds(86_400)

        func asked(of quiet: QuietHours) throws -> Rest {
            let now = try #require(Timestamp(rfc3339: now))
            var event = NewsEvent.sample("e-1", kind: kind, urgency: urgency)
            event.categories = categories
            return quiet.rest(of: event, locale: locale, now: now, deadline: now + life)
        }
    }

    private func quiet(then: QuietHours.Remedy = .defer, hours: HoursOfDay? = night) throws -> QuietHours {
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

    private func until(_ text: String) throws -> Rest {
        .until(try #require(Timestamp(rfc3339: text)))
    }

    @Test
    func `at half past three an update waits for seven o'clock`() throws {
        #expect(try Question(now: "2026-03-02T02:30:00.1Z").asked(of: quiet()) == until("2026-03-02T06:00:00Z"))
        #expect(try Question(now: "2026-03-01T21:30:00Z").asked(of: quiet()) == until("2026-03-02T06:00:00Z"))
    }

    @Test(arguments: [
        ("2026-03-01T20:59:59.999Z", false), ("2026-03-01T21:00:00Z", true), ("2026-03-02T05:59:59.999Z", true),
        ("2026-03-02T06:00:00Z", false),
    ])
    func `hours begin and end to the instant`(now: String, isAsleep: Bool) throws {
        #expect(try (Question(now: now).asked(of: quiet()) != .awake) == isAsleep)
    }

    static let siestas: [(String, String?)] = [
        ("2026-03-02T11:59:59Z", nil), ("2026-03-02T12:00:00Z", "2026-03-02T13:30:00Z"),
        ("2026-03-02T13:29:59Z", "2026-03-02T13:30:00Z"), ("2026-03-02T13:30:00Z", nil), ("2026-03-02T23:30:00Z", nil),
    ]

    @Test(arguments: siestas)
    func `hours within a day are those between`(now: String, end: String?) throws {
        let siesta = try quiet(hours: HoursOfDay("13:00-14:30"))
        #expect(try Question(now: now).asked(of: siesta) == (try end.map { try until($0) } ?? .awake))
    }

    @Test(arguments: EventKind.allCases)
    func `a flash and a kill wake everybody`(kind: EventKind) throws {
        let rest = try Question(kind: kind, now: "2026-03-02T02:30:00Z").asked(of: quiet())
        #expect(rest == ([.flash, .kill, .hold].contains(kind) ? .awake : try until("2026-03-02T06:00:00Z")))
    }

    @Test(arguments: 1...9)
    func `only news of the named urgencies waits`(urgency: Int) throws {
        var quiet = try quiet()
        quiet.urgencies = 4...6
        let rest = try Question(urgency: urgency, now: "2026-03-02T02:30:00Z").asked(of: quiet)
        #expect((rest == .awake) == !(4...6).contains(urgency))
    }

    @Test
    func `what would be over by then goes out silently, and so does what need not wait`() throws {
        let now = "2026-03-02T05:00:00Z"
        #expect(try Question(now: now, life: .seconds(3600)).asked(of: quiet()) == .silent)
        #expect(try Question(now: now, life: .seconds(3601)).asked(of: quiet()) == until("2026-03-02T06:00:00Z"))
        #expect(try Question(now: now).asked(of: quiet(then: .passive)) == .silent)
    }

    static let clocks: [([String], String?, String, String?)] = [
        // The edition goes before the language, whatever its case.
        (["world", "EDITION:au"], "pt-BR", "2026-03-02T14:00:00Z", "2026-03-02T20:00:00Z"),
        // An edition may be one of several codes of a subject.
        (["world", "http://cv.example/au|edition:au"], "pt-BR", "2026-03-02T14:00:00Z", "2026-03-02T20:00:00Z"),
        // Then the language.
        (["world"], "pt-BR", "2026-03-02T02:30:00Z", "2026-03-02T10:00:00Z"),
        // A language without a zone has that of all others.
        (["world"], "fr", "2026-03-02T02:30:00Z", "2026-03-02T06:00:00Z"),
        (["world"], nil, "2026-03-02T02:30:00Z", "2026-03-02T06:00:00Z"),
        // Half hours count.
        (["world"], "hi", "2026-03-02T01:29:59Z", "2026-03-02T01:30:00Z"),
        (["world"], "hi", "2026-03-02T01:30:00Z", nil),
    ]

    @Test(arguments: clocks)
    func `an edition's readers, then a language's, then all others have a clock`(
        categories: [String],
        locale: String?,
        now: String,
        end: String?
    ) throws {
        let rest = try Question(categories: categories, locale: locale, now: now).asked(of: quiet())
        #expect(rest == (try end.map { try until($0) } ?? .awake))
    }

    @Test
    func `readers without a clock never sleep, and a request in all languages reaches readers by all clocks`() throws {
        var quiet = try quiet()
        quiet.zone = nil
        #expect(try Question(locale: "fr", now: "2026-03-02T02:30:00Z").asked(of: quiet) == .awake)
        // São Paulo wakes at ten, Kolkata went to sleep at half past four in the afternoon; both by UTC.
        #expect(try Question(now: "2026-03-02T02:30:00Z").asked(of: quiet) == until("2026-03-02T10:00:00Z"))
        quiet.zonesByLocale = [:]
        #expect(try Question(now: "2026-03-02T02:30:00Z").asked(of: quiet) == .awake)
    }

    @Test
    func `several editions wait for the first instant at which all of them are awake`() throws {
        // Prague sleeps from 21:00 to 06:00 UTC, New York from 03:00 to 12:00, Sydney from 11:00 to 20:00.
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
    func `editions of which one always sleeps are told silently, however long the news lives`() throws {
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

/// Clocks by the rules that hold today.
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
