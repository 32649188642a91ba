import FoundationEssentials
import NewsflashEvents
import NewsflashPublishing
import NewsflashTestSupport
import NewsflashTimestamps
import NewsflashWorker
import Testing

/// The newsroom's approvals, quiet hours, caps and volume limits.
@Suite(.timeLimit(.minutes(1)))
struct PolicyConfigurationTests {
    private let folder: TimeZoneFolder

    init() throws {
        folder = try TimeZoneFolder()
    }

    private func policy(_ lines: String) throws -> AdmissionPolicy {
        try SoundConfiguration.read(adding: lines, environment: folder.environment).publishing.policy
    }

    private func warnings(_ lines: String) throws -> [String] {
        let text = SoundConfiguration.text + lines
        let read = try ConfigurationReader(environment: folder.environment).read(text: text, source: "test.yaml")
        return read.warnings.filter { !$0.path.hasPrefix("text") && $0.path != "hub" }.map(\.description)
    }

    @Test
    func `an empty policy has no approvals, quiet hours, caps or volume limits`() throws {
        #expect(try policy("policy: {}") == AdmissionPolicy())
        #expect(try policy("policy:\n  quiet:\n  caps:\n  volumeLimits:\n  approvals:") == AdmissionPolicy())
        #expect(AdmissionPolicy().approvals == [:])
        #expect(AdmissionPolicy().approvalWait == .seconds(180))
    }

    @Test
    func `approvals are read by kind, and zero means none`() throws {
        let policy = try policy("policy: { approvals: { flash: 2, alert: 1, update: 0 }, approvalWait: 90s }")
        #expect(policy.approvals == [.flash: 2, .alert: 1])
        #expect(policy.approvalWait == .seconds(90))
    }

    @Test
    func `one or several caps are read for a category, for all categories, and per story`() throws {
        let policy = try policy(
            """
            policy:
              caps:
                World: 2 per 10m per story
                "*": [12 per day, 3 per minute, 100 per 31d]
            """
        )
        #expect(
            policy.caps == [
                AudibleLimit(category: "World", rate: Rate(2, per: .seconds(600)), scope: .story),
                AudibleLimit(category: nil, rate: Rate(12, per: .seconds(86_400))),
                AudibleLimit(category: nil, rate: Rate(3, per: .seconds(60))),
                AudibleLimit(category: nil, rate: Rate(100, per: .seconds(31 * 86_400))),
            ]
        )
    }

    @Test
    func `each volume limit is read on its own`() throws {
        let rates = "{ sameText: 1 per 10m, perSource: 6 per 10m, all: 20 per hour }"
        let limits = try policy("policy: { volumeLimits: \(rates) }").volumeLimits
        #expect(limits.sameText == Rate(1, per: .seconds(600)))
        #expect(limits.perSource == Rate(6, per: .seconds(600)))
        #expect(limits.all == Rate(20, per: .seconds(3600)))
        #expect(
            try policy("policy: { volumeLimits: { all: 20 per 60m } }").volumeLimits
                == VolumeLimitPolicy(all: Rate(20, per: .seconds(3600)))
        )
    }

    @Test
    func `quiet hours have time zones for codes and for all other subscribers`() throws {
        let quiet = try policy(
            """
            policy:
              quiet:
                hours: 22:00-07:00
                urgency: 5..8
                then: passive
                timeZone: Europe/Prague
                timeZones: { World: Asia/Kolkata }
            """
        ).quiet
        #expect(quiet?.hours == HoursOfDay("22:00-07:00"))
        #expect(quiet?.urgencies == 5...8)
        #expect(quiet?.then == .passive)
        #expect(quiet?.zone?.name == "Europe/Prague")
        #expect(quiet?.zone?.offset(at: Timestamp(seconds: 1_783_000_000)) == 7200)
        #expect(quiet?.zonesByCode.mapValues(\.name) == ["world": "Asia/Kolkata"])
        #expect(quiet?.zonesByLocale.isEmpty == true)
    }

    @Test
    func `quiet hours defer urgencies 4 to 9 by default`() throws {
        let quiet = try policy("policy: { quiet: { hours: \"23:30-06:15\", timeZone: Asia/Kolkata } }").quiet
        #expect(quiet?.urgencies == 4...9)
        #expect(quiet?.then == .defer)
        let one = try policy("policy: { quiet: { hours: \"23:30-06:15\", urgency: 9, timeZone: Asia/Kolkata } }").quiet
        #expect(one?.urgencies == 9...9)
    }

    @Test
    func `the time zone of a language belongs to the offered spelling of its locale`() throws {
        let text = """
            version: 1
            hub: regional
            locales: { offered: [en, pt_BR, cs], default: en, timeZone: { pt-br: Asia/Kolkata, cs: Europe/Prague } }
            categories: { World: [world] }
            policy: { quiet: { hours: "22:00-07:00" } }
            """
        let read = try ConfigurationReader(environment: folder.environment).read(text: text, source: "test.yaml")
        let quiet = read.configuration.publishing.policy.quiet
        #expect(quiet?.zonesByLocale.mapValues(\.name) == ["pt_BR": "Asia/Kolkata", "cs": "Europe/Prague"])
    }

    @Test
    func `the commented rules of the deployed file apply when they are uncommented`() throws {
        let root = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(4).joined(separator: "/")
        let data = try Data(contentsOf: URL(filePath: root + "/deploy/newsflash.yaml"))
        let keys =
            "timeZone|approvals|approvalWait|quiet|  hours|  urgency|  then|  timeZone(?=: Europe/London)|  timeZones|caps|volumeLimits"
        let shown = try Regex("\n  # (\(keys)):")
        let text = String(decoding: data, as: UTF8.self).replacing(shown) { match in
            "\n  " + String(match.output[1].substring ?? "") + ":"
        }
        let read = try ConfigurationReader(environment: folder.environment).read(text: text, source: "newsflash.yaml")
        let policy = read.configuration.publishing.policy
        #expect(policy.approvals == [.flash: 2])
        #expect(policy.quiet?.zonesByLocale.keys.sorted() == ["cs", "fr"])
        #expect(policy.quiet?.zone?.name == "Europe/London")
        #expect(policy.caps.count == 2)
        #expect(policy.volumeLimits.all == Rate(20, per: .seconds(3600)))
        #expect(read.warnings == [])
    }

    @Test
    func `quiet hours can come from the environment alone`() throws {
        let environment = folder.environment.merging([
            "NEWSFLASH_POLICY_QUIET_HOURS": "21:00-08:00", "NEWSFLASH_POLICY_QUIET_TIME_ZONE": "Asia/Kolkata",
        ]) { $1 }
        let policy = try SoundConfiguration.read(environment: environment).publishing.policy
        #expect(policy.quiet?.hours == HoursOfDay("21:00-08:00"))
        #expect(policy.quiet?.zone?.name == "Asia/Kolkata")
    }

    @Test(arguments: [
        (
            "policy: { caps: { Sport: 1 per day } }",
            "line 5: policy.caps.Sport: is not a category, so nothing is counted; write one of categories: or *"
        ),
        (
            "policy: { quiet: { hours: \"22:00-07:00\", timeZones: { \"edition:cz\": Europe/Prague } } }",
            "line 5: policy.quiet.timeZones.edition:cz: is not a code of any category; write a code that "
                + "categories: contains"
        ),
    ])
    func `a name or code of no category causes a warning`(lines: String, warning: String) throws {
        #expect(try warnings(lines) == [warning])
    }

    @Test
    func `a time zone for a language that is not offered causes a warning`() throws {
        let text = """
            version: 1
            hub: regional
            locales: { offered: [en], default: en, timeZone: { fr: Europe/Prague } }
            categories: { World: [world] }
            """
        let read = try ConfigurationReader(environment: folder.environment).read(text: text, source: "test.yaml")
        let warnings = read.warnings.filter { !$0.path.hasPrefix("text") && $0.path != "hub" }.map(\.description)
        #expect(
            warnings == ["line 3: locales.timeZone.fr: is not one of locales.offered and has no effect"]
        )
    }

    @Test
    func `a family's categories may have caps, and codes below a topic may have time zones`() throws {
        let text = """
            version: 1
            hub: regional
            locales: { offered: [en], default: en }
            categories: { World: ["medtop:16000000"], region: { each: "geo:*", tag: "geo.{code}" } }
            policy:
              caps: { geo.CZ: 1 per day, World: 2 per day, "*": 3 per day }
              quiet: { hours: "22:00-07:00", timeZones: { "GEO:in": Asia/Kolkata, "medtop:20000056": Europe/Prague } }
            """
        let read = try ConfigurationReader(environment: folder.environment).read(text: text, source: "test.yaml")
        #expect(read.warnings.filter { $0.path.hasPrefix("policy") } == [])
        let spoiled = text.replacing("geo.CZ:", with: "geo.:").replacing("World: 2", with: "region: 2")
        let again = try ConfigurationReader(environment: folder.environment).read(text: spoiled, source: "test.yaml")
        let paths = again.warnings.map(\.path).filter { $0.hasPrefix("policy") }
        #expect(paths == ["policy.caps.geo.", "policy.caps.region"])
    }
}
