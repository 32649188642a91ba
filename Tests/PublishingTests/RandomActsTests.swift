import NewsflashEvents
import NewsflashPublishing
import NewsflashRendering
import NewsflashTestSupport
import NewsflashTimestamps
import NotificationHubs
import Testing

/// Random sequences of acts on a few stories, with crashes, faults of the hub and commands of people. The invariants of
/// outcomes must always hold.
@Suite(.timeLimit(.minutes(2)))
struct RandomActsTests {
    @Test(arguments: 1...30)
    func `every event has one outcome, revisions only grow, and a kill goes to all notified subscribers`(seed: Int)
        throws
    {
        var acts = try RandomActs(seed: UInt64(seed))
        for _ in 0..<300 { acts.step() }
        acts.finish()
        #expect(acts.violations == [], "seed \(seed)")
        #expect(acts.eventCount > 80, "seed \(seed)")
    }
}

/// A newsroom, a hub and a worker that act at random.
private struct RandomActs {
    private var harness: CoreHarness
    private var generator: SeededGenerator
    private var revisions: [String: Int64] = [:]
    private var published: [Int64: NewsEvent] = [:]
    private(set) var violations: [String] = []
    /// The highest accepted revision, by story and tag.
    private var accepted: [String: [String: Int64]] = [:]
    /// The part of `accepted` that is certainly in the ledger.
    private var remembered: [String: [String: Int64]] = [:]
    private var killed: [String: Set<String>] = [:]
    private var number = 0

    private static let stories = ["quake", "vote", "match"]
    private static let categories = ["world", "politics", "sports", "science"]
    private static let sources = ["desk", "wire"]

    var eventCount: Int { published.count }

    init(seed: UInt64) throws {
        generator = SeededGenerator(seed: seed)
        var configuration = PublishingConfiguration(commitInterval: .zero)
        configuration.hubs = [HubRole("main"), HubRole("test", mode: .test)]
        configuration.policy.approvals = [.flash: 2]
        let zone = try TimeZoneRules(name: "UTC", tzif: ZoneFile.bytes(rule: "UTC0").span)
        configuration.policy.quiet = QuietHours(hours: try #require(HoursOfDay("22:00-07:00")), zone: zone)
        configuration.policy.caps = [AudibleLimit(category: nil, rate: Rate(2, per: .seconds(600)), scope: .story)]
        configuration.policy.brake = VolumeLimitPolicy(
            sameText: Rate(2, per: .seconds(600)),
            perSource: Rate(8, per: .seconds(600))
        )
        harness = CoreHarness(configuration, planner: TwoHubPlanner())
    }

    private mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &generator) < percent }

    mutating func step() {
        switch Int.random(in: 0..<100, using: &generator) {
        case 0..<40: publish()
        case 40..<65: answer()
        case 65..<80: if !harness.writes.isEmpty { confirm() }
        case 80..<90: harness.pass(.milliseconds(Int.random(in: 1...600_000, using: &generator)))
        case 90..<93: harness.pass(.seconds(Int.random(in: 1...20_000, using: &generator)))
        case 93..<96: order()
        default: crash()
        }
        harness.answerRecalls()
    }

    /// Lets all parties work until nothing is left to do.
    mutating func finish() {
        for scope in [PauseScope.all] + Self.sources.map(PauseScope.source) { order(.resume, scope) }
        for _ in 0..<400 {
            for _ in 0..<50 where !harness.sends.isEmpty { reply(.accepted) }
            let areConfirmed = ends {
                guard !harness.writes.isEmpty else { return false }
                confirm()
                return true
            }
            guard areConfirmed else { return }
            harness.answerRecalls()
            harness.pass(.seconds(1800))
            // The resumed news may have exceeded a volume limit.
            if harness.orders.last?.author == .brake { order(.resume, .all) }
            for source in Self.sources { order(.resume, .source(source)) }
        }
        check()
    }

    // MARK: - Acts

    private mutating func publish() {
        number += 1
        let story = Self.stories.randomElement(using: &generator) ?? ""
        let highest = revisions[story] ?? 0
        let revision = chance(75) ? highest + 1 : max(1, highest + Int64.random(in: -2...2, using: &generator))
        revisions[story] = max(highest, revision)
        let kinds: [EventKind] = [.flash, .alert, .alert, .update, .update, .correction, .hold, .kill]
        let kind = kinds.randomElement(using: &generator) ?? .alert
        // A kill ends a story, so later events belong to another one.
        var event = NewsEvent.sample("e\(number)", story: story + "-\(number / 40)", revision: revision, kind: kind)
        event.published = harness.now.wall
        event.source = Self.sources.randomElement(using: &generator) ?? ""
        event.urgency = Int.random(in: 1...7, using: &generator)
        event.categories = Self.categories.filter { _ in chance(40) }
        if event.categories.isEmpty, kind != .kill, kind != .hold { event.categories = ["world"] }
        event.text = [EventText(language: "en", headline: chance(10) ? "The same" : "Words \(number)")]
        if kind == .hold || (kind == .kill && chance(50)) { event.text = [] }
        event.approvedBy = ["novak", "adeyemi", "brown"].filter { _ in chance(60) }
        if chance(15) { event.embargo = harness.now.wall + .seconds(Int.random(in: 1...7200, using: &generator)) }
        if chance(15) { event.expires = harness.now.wall + .seconds(Int.random(in: 1...9000, using: &generator)) }
        if chance(8) { event.mode = .test }
        if chance(4) { event.mode = .backfill }
        if chance(10), let again = published[Int64.random(in: 0...Int64(published.count), using: &generator)] {
            event = again
        }
        let offset = harness.receive([event])[0]
        published[offset] = event
    }

    private mutating func answer() {
        guard !harness.sends.isEmpty else { return }
        let replies: [HubReply] = [.accepted, .accepted, .accepted, .accepted, .unavailable, .refused]
        reply(replies.randomElement(using: &generator) ?? .accepted)
    }

    private mutating func reply(_ reply: HubReply) {
        guard let order = harness.sends.first else { return }
        let id = String(decoding: order.message.body, as: UTF8.self)
        harness.answer(reply)
        guard reply.verdict == .accepted, let event = published.values.first(where: { $0.id == id }) else { return }
        let mode = harness.core.configuration.hubs[order.hub].mode
        if mode != event.mode { violations.append("\(id): a \(event.mode) event went to a \(mode) hub") }
        guard event.mode == .live else { return }
        for tag in order.expression.tags.map(\.description) {
            if event.kind != .kill, let known = accepted[event.story]?[tag], known > event.revision {
                violations.append("\(id): revision \(event.revision) after \(known) to \(tag)")
            }
            accepted[event.story, default: [:]][tag] = event.revision
            if event.kind == .kill { killed[event.story, default: []].insert(tag) }
        }
    }

    private mutating func confirm() {
        let facts = harness.writes.first?.facts ?? []
        harness.confirm()
        for (story, facts) in facts {
            for entry in facts.audiences where entry.certainty == .accepted {
                for tag in entry.expression.tags.map(\.description) {
                    remembered[story, default: [:]][tag] = entry.act.revision
                }
            }
        }
    }

    private mutating func crash() {
        // Accepted requests that are missing in the ledger may be repeated, as documented.
        accepted = remembered
        harness.crash(after: .seconds(Int.random(in: 0...300, using: &generator)))
    }

    private mutating func order() {
        let scopes: [PauseScope] = [.all, .source("desk"), .source("wire")]
        order(chance(40) ? .pause : .resume, scopes.randomElement(using: &generator) ?? .all)
    }

    private mutating func order(_ act: ControlRecord.Act, _ scope: PauseScope) {
        // All clocks are wrong.
        let at = harness.now.wall + .seconds(Int.random(in: -3600...3600, using: &generator))
        let order = ControlRecord(act, scope, by: .person("novak"), reason: "", at: at)
        harness.order(order)
    }

    // MARK: - Invariants

    private mutating func check() {
        let final = harness.outcomes.filter(\.isFinal)
        var ends: [Int64: Set<String>] = [:]
        // Withdrawals that went on after their end, because an owner that crashed may have notified others.
        var continued: Set<Int64> = []
        for outcome in final {
            if outcome.warnings.contains("ledger.merged") {
                continued.insert(outcome.origin.offset)
            } else {
                ends[outcome.origin.offset, default: []]
                    .insert(outcome.verdict.reason ?? outcome.verdict.outcome.rawValue)
            }
            if outcome.verdict.isNotified, !outcome.targets.contains(where: { $0.report.status == .accepted }) {
                violations.append("\(outcome.event): \(outcome.verdict.outcome) without an accepted target")
            }
        }
        for (offset, event) in published {
            let ends = ends[offset] ?? []
            let isOnlyContinued = ends.isEmpty && continued.contains(offset)
            if ends.count != 1, !isOnlyContinued {
                violations.append("\(event.id) at \(offset): \(ends.count) ends \(ends.sorted())")
            }
        }
        if harness.committed != Int64(published.count) {
            violations.append("committed is \(harness.committed ?? -1) of \(published.count)")
        }
        for outcome in final where outcome.kind == "kill" && outcome.verdict.outcome == .sent {
            guard published[outcome.origin.offset]?.mode == .live else { continue }
            let missing = Set((remembered[outcome.story] ?? [:]).keys).subtracting(killed[outcome.story] ?? [])
            if !missing.isEmpty { violations.append("\(outcome.event): the kill did not reach \(missing.sorted())") }
        }
    }
}

/// A planner like ``OneSendPlanner``, for a hub with subscribers and one for tests.
private struct TwoHubPlanner: EventPlanning {
    func plan(
        _ event: NewsEvent,
        for addressees: Addressees,
        story: StoryFacts?,
        deadline: Timestamp,
        loudness: Audibility,
        now: Timestamp
    ) -> EventPlan {
        let tags = addressees.tags(of: event)
        let hub = event.mode == .test ? "test" : "main"
        let level = loudness == .silent ? .passive : InterruptionLevel(urgency: event.urgency)
        let sends = Set(tags).sorted().compactMap {
            OneSendPlanner.send(event.id, tag: $0, hub: hub, interruption: level)
        }
        return .send(sends, warnings: [])
    }
}
