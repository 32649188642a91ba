import TestSupport
import Testing
import Worker

/// What is wrong with a policy, and what to write instead.
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
            "approvals.kill: is no key of this section; known here: alert, correction, flash, update"
        ),
        ("approvalWait: 0s", "approvalWait: is no time at all; write a length of time, such as 7d"),
        (
            "quiet: { hours: \"22:00\", timeZone: Asia/Kolkata }",
            "quiet.hours: '22:00' are no hours of the day; write two different times, such as 22:00-07:00"
        ),
        (
            "quiet: { hours: \"07:00-07:00\", timeZone: Asia/Kolkata }",
            "quiet.hours: '07:00-07:00' are no hours of the day; write two different times, such as 22:00-07:00"
        ),
        (
            "quiet: { then: passive }",
            "quiet.hours: is missing; write when readers sleep, such as 22:00-07:00"
        ),
        (
            "quiet: { hours: \"22:00-07:00\" }",
            "quiet.timeZone: is missing; name the readers' time zone, such as Europe/Prague"
        ),
        (
            "quiet: { hours: \"22:00-07:00\", timeZone: Asia/Kolkata, then: later }",
            "quiet.then: 'later' is none of: defer, passive"
        ),
        (
            "quiet: { hours: \"22:00-07:00\", timeZone: Asia/Kolkata, upTo: 4..9 }",
            "quiet.upTo: is no key of this section; known here: hours, then, timeZone, timeZones, urgency"
        ),
        (
            "quiet: { hours: \"22:00-07:00\", timeZones: { world: Mars/Olympus } }",
            "quiet.timeZones.world: 'Mars/Olympus' is no time zone in FOLDER; write an IANA name, such as Europe/Prague"
        ),
        (
            "brake: { all: 6 per 10m per story }",
            "brake.all: '6 per 10m per story' is no rate; write how many per how long, such as 6 per 10m or 20 per hour"
        ),
        ("brake: { then: hold }", "brake.then: is no key of this section; known here: all, perSource, sameText"),
    ]

    @Test(arguments: faults)
    func `a fault of the policy is told with its key, its line and what to write`(policy: String, problem: String) {
        let told = problems(policy).map { $0.replacing(folder.folder.path, with: "FOLDER") }
        #expect(told == ["line 5: policy.\(problem)"])
    }

    @Test(arguments: [
        "0..9", "4..10", "9..4", "4...9", "4-9", "4..", "..9", "", "..", "+4..9", "4.9", "4..9..9", "four",
    ])
    func `a range that is none is told with what one looks like`(range: String) {
        let told = problems("quiet: { hours: \"22:00-07:00\", timeZone: Asia/Kolkata, urgency: \"\(range)\" }")
        #expect(
            told == [
                "line 5: policy.quiet.urgency: '\(range)' is no range from 1 to 9; write two whole numbers, the lower "
                    + "first, such as 1..9"
            ]
        )
    }

    @Test(arguments: [
        "often", "0 per day", "1001 per day", "-1 per day", "+1 per day", "2 per 0m", "2 per 32d", "2 per week",
        "2 per 10 m", "2 per 10m per source", "2 per 10m per", "2  per 10m", "2 in 10m", "per day", "",
        "2 per 10m per story ",
    ])
    func `a rate that is none is told with what one looks like`(rate: String) {
        let remedy =
            "is no rate; write how many per how long, such as 12 per day, or 2 per 10m per story for each story "
        for list in ["\"\(rate)\"", "[1 per day, \"\(rate)\"]"] {
            #expect(
                problems("caps: { World: \(list) }") == ["line 5: policy.caps.World: '\(rate)' \(remedy)by itself"]
            )
        }
    }

    @Test(arguments: [
        ("Europe/Pragu", "'Europe/Pragu' is no time zone in FOLDER; write an IANA name, such as Europe/Prague"),
        ("Europe", "'Europe' is no time zone in FOLDER; write an IANA name, such as Europe/Prague"),
        ("tab/x", "'tab/x' is no time zone in FOLDER; write an IANA name, such as Europe/Prague"),
        (
            "tab",
            "'tab' is no time zone: FOLDER/tab is no TZif file, TZif is missing in front (at byte 1); write an IANA name, "
                + "such as Europe/Prague"
        ),
        ("/etc/passwd", "'/etc/passwd' is no name of a time zone; write one of IANA's, such as Europe/Prague"),
        (
            "Asia/../Asia/Kolkata",
            "'Asia/../Asia/Kolkata' is no name of a time zone; write one of IANA's, such as Europe/Prague"
        ),
        ("", "'' is no name of a time zone; write one of IANA's, such as Europe/Prague"),
        ("Asia//Kolkata", "'Asia//Kolkata' is no name of a time zone; write one of IANA's, such as Europe/Prague"),
    ])
    func `a time zone that is none is told`(name: String, problem: String) {
        let told = problems("quiet: { hours: \"22:00-07:00\", timeZone: \"\(name)\" }")
        #expect(
            told.map { $0.replacing(folder.folder.path, with: "FOLDER") } == [
                "line 5: policy.quiet.timeZone: \(problem)"
            ]
        )
    }

    @Test
    func `a machine without time zones is told which package has them`() {
        let told = SoundConfiguration.problems(
            adding: "policy: { quiet: { hours: \"22:00-07:00\", timeZone: Europe/Prague } }",
            environment: ["TZDIR": "/no/such/folder"]
        )
        #expect(
            told == [
                "line 5: policy.quiet.timeZone: 'Europe/Prague' cannot be looked up: there is no folder /no/such/folder; "
                    + "install Debian's package tzdata, or name the folder of the time zones in the variable TZDIR"
            ]
        )
    }

    @Test
    func `all problems of a policy are told at once`() {
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
                  brake: { all: few, perSource: few, sameText: few }
                """,
            environment: folder.environment
        )
        let keys = told.map { $0.split(separator: ": ").prefix(2).joined(separator: " ").dropFirst(5) }
        #expect(
            keys == [
                "6 policy.approvals.flash", "7 policy.approvalWait", "9 policy.quiet.hours", "10 policy.quiet.urgency",
                "11 policy.quiet.timeZone", "12 policy.caps.World", "13 policy.brake.sameText",
                "13 policy.brake.perSource", "13 policy.brake.all",
            ]
        )
    }
}
