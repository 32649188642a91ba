import NewsflashTestSupport
import NewsflashWorker
import Testing

/// The problems of a policy, with their remedies.
@Suite(.timeLimit(.minutes(1)))
struct PolicyProblemTests {
    private let folder: TimeZoneFolder

    init() throws {
        folder = try TimeZoneFolder()
    }

    private func problems(_ policy: String) -> [String] {
        SoundConfiguration.problems(adding: "policy: { \(policy) }", environment: folder.environment)
    }

    private static let faults = [
        ("approvals: { flash: two }", "approvals.flash: 'two' is not a whole number from 0 to 9"),
        ("approvals: { flash: 10 }", "approvals.flash: '10' is not a whole number from 0 to 9"),
        (
            "approvals: { kill: 2 }",
            "approvals.kill: unknown key; allowed: alert, correction, flash, update"
        ),
        ("approvalWait: 0s", "approvalWait: must be greater than zero, for example 7d"),
        (
            "quiet: { hours: \"22:00\", timeZone: Asia/Kolkata }",
            "quiet.hours: '22:00' is not a period of the day; write two different times, such as 22:00-07:00"
        ),
        (
            "quiet: { hours: \"07:00-07:00\", timeZone: Asia/Kolkata }",
            "quiet.hours: '07:00-07:00' is not a period of the day; write two different times, such as 22:00-07:00"
        ),
        (
            "quiet: { then: passive }",
            "quiet.hours: is missing; write the quiet hours, such as 22:00-07:00"
        ),
        (
            "quiet: { hours: \"22:00-07:00\" }",
            "quiet.timeZone: is missing; name the subscribers' time zone, such as Europe/Prague"
        ),
        (
            "quiet: { hours: \"22:00-07:00\", timeZone: Asia/Kolkata, then: later }",
            "quiet.then: 'later' is not one of: defer, passive"
        ),
        (
            "quiet: { hours: \"22:00-07:00\", timeZone: Asia/Kolkata, upTo: 4..9 }",
            "quiet.upTo: unknown key; allowed: hours, then, timeZone, timeZones, urgency"
        ),
        (
            "quiet: { hours: \"22:00-07:00\", timeZones: { world: Mars/Olympus } }",
            "quiet.timeZones.world: 'Mars/Olympus' is not a time zone in FOLDER; write an IANA name, such as Europe/Prague"
        ),
        (
            "volumeLimits: { all: 6 per 10m per story }",
            "volumeLimits.all: '6 per 10m per story' is not a rate; write a count and a period, such as 6 per 10m or 20 per hour"
        ),
        ("volumeLimits: { then: hold }", "volumeLimits.then: unknown key; allowed: all, perSource, sameText"),
    ]

    @Test(arguments: faults)
    func `a problem of the policy has its key, its line and a remedy`(policy: String, problem: String) {
        let told = problems(policy).map { $0.replacing(folder.path, with: "FOLDER") }
        #expect(told == ["line 5: policy.\(problem)"])
    }

    @Test(arguments: [
        "0..9", "4..10", "9..4", "4...9", "4-9", "4..", "..9", "", "..", "+4..9", "4.9", "4..9..9", "four",
    ])
    func `the error about an invalid range shows a valid one`(range: String) {
        let told = problems("quiet: { hours: \"22:00-07:00\", timeZone: Asia/Kolkata, urgency: \"\(range)\" }")
        #expect(
            told == [
                "line 5: policy.quiet.urgency: '\(range)' is not a range from 1 to 9; write two whole numbers, the lower "
                    + "first, such as 1..9"
            ]
        )
    }

    @Test(arguments: [
        "often", "0 per day", "1001 per day", "-1 per day", "+1 per day", "2 per 0m", "2 per 32d", "2 per week",
        "2 per 10 m", "2 per 10m per source", "2 per 10m per", "2  per 10m", "2 in 10m", "per day", "",
        "2 per 10m per story ",
    ])
    func `the error about an invalid rate shows a valid one`(rate: String) {
        let remedy =
            "is not a rate; write a count and a period, such as 12 per day, or 2 per 10m per story to count "
        for list in ["\"\(rate)\"", "[1 per day, \"\(rate)\"]"] {
            #expect(
                problems("caps: { World: \(list) }") == [
                    "line 5: policy.caps.World: '\(rate)' \(remedy)each story separately"
                ]
            )
        }
    }

    @Test(arguments: [
        ("Europe/Pragu", "'Europe/Pragu' is not a time zone in FOLDER; write an IANA name, such as Europe/Prague"),
        ("Europe", "'Europe' is not a time zone in FOLDER; write an IANA name, such as Europe/Prague"),
        ("tab/x", "'tab/x' is not a time zone in FOLDER; write an IANA name, such as Europe/Prague"),
        (
            "tab",
            "'tab' is not a time zone: FOLDER/tab is not a TZif file, does not begin with TZif (at byte 1); write an IANA name, "
                + "such as Europe/Prague"
        ),
        ("/etc/passwd", "'/etc/passwd' is not a time zone name; write an IANA name, such as Europe/Prague"),
        (
            "Asia/../Asia/Kolkata",
            "'Asia/../Asia/Kolkata' is not a time zone name; write an IANA name, such as Europe/Prague"
        ),
        ("", "'' is not a time zone name; write an IANA name, such as Europe/Prague"),
        ("Asia//Kolkata", "'Asia//Kolkata' is not a time zone name; write an IANA name, such as Europe/Prague"),
    ])
    func `an invalid time zone is reported`(name: String, problem: String) {
        let told = problems("quiet: { hours: \"22:00-07:00\", timeZone: \"\(name)\" }")
        #expect(
            told.map { $0.replacing(folder.path, with: "FOLDER") } == [
                "line 5: policy.quiet.timeZone: \(problem)"
            ]
        )
    }

    @Test
    func `the error on a machine without time zones names the package that has them`() {
        let told = SoundConfiguration.problems(
            adding: "policy: { quiet: { hours: \"22:00-07:00\", timeZone: Europe/Prague } }",
            environment: ["TZDIR": "/no/such/folder"]
        )
        #expect(
            told == [
                "line 5: policy.quiet.timeZone: 'Europe/Prague' cannot be looked up: the folder /no/such/folder does not exist; "
                    + "install Debian's package tzdata, or set the variable TZDIR to the folder of the time zones"
            ]
        )
    }

    @Test
    func `all problems of a policy are reported at once`() {
        let told = SoundConfiguration.problems(
            adding: """
                policy:
                  approvals: { flash: many }
                  approvalWait: soon
                  quiet:
                    hours: at night
                    urgency: low
                    timeZone: Nowhere
                  caps: { World: few }
                  volumeLimits: { all: few, perSource: few, sameText: few }
                """,
            environment: folder.environment
        )
        let keys = told.map { $0.split(separator: ": ").prefix(2).joined(separator: " ").dropFirst(5) }
        #expect(
            keys == [
                "6 policy.approvals.flash", "7 policy.approvalWait", "9 policy.quiet.hours", "10 policy.quiet.urgency",
                "11 policy.quiet.timeZone", "12 policy.caps.World", "13 policy.volumeLimits.all",
                "13 policy.volumeLimits.perSource", "13 policy.volumeLimits.sameText",
            ]
        )
    }
}
