import NewsflashEvents
import NewsflashPublishing
import NewsflashRendering
import NewsflashRouting
import NewsflashTestSupport
import NewsflashTimestamps
import NotificationHubs
import Testing

/// Ledger records that an earlier owner of a partition writes after it has lost the partition.
@Suite(.timeLimit(.minutes(1)))
struct LateWriterTests {
    @Test func `a record that a late writer overwrote is repaired`() {
        var harness = CoreHarness()
        harness.receive(.sample("a1", story: "a"))
        harness.answer(.accepted)
        harness.confirmAll()
        let old = harness.ledger["a"]
        harness.receive(.sample("a2", story: "a", revision: 2))
        harness.answer(.accepted)
        harness.confirmAll()
        guard let old else {
            Issue.record("the ledger has no facts of the story")
            return
        }
        harness.core.overwritten(by: LateRecord(story: "a", old.record), in: harness.id, now: harness.now)
        harness.perform()
        #expect(harness.reports.contains(.repaired(story: "a", CoreHarness.partition)))
        harness.confirmAll()
        #expect(harness.ledger["a"]?.record.revision == 2)
    }

    @Test func `a late record that a restart finds is merged, and written only if the ledger lacks something`() {
        var harness = CoreHarness()
        guard let late = Self.missed(&harness, readersOf: "politics") else { return }
        harness.withdraw()
        harness.late = [LateRecord(story: "a", late, isLatest: false)]
        harness.crash()
        harness.answerRecalls()
        #expect(harness.sends.map(\.expression.description) == ["politics"])
        #expect(harness.reports.contains(.repaired(story: "a", CoreHarness.partition)))
        harness.finishAll()
        #expect(harness.ledger["a"]?.record.awaitingWithdrawal.isEmpty == true)
        harness.reports = []
        harness.crash()
        harness.answerRecalls()
        #expect(harness.sends.isEmpty)
        #expect(harness.reports.contains { if case .restored = $0 { true } else { false } })
        #expect(!harness.reports.contains(.repaired(story: "a", CoreHarness.partition)))
    }

    @Test func `a late record that arrives before work on a partition begins is merged then`() {
        var harness = CoreHarness()
        guard let late = Self.missed(&harness, readersOf: "politics") else { return }
        harness.withdraw()
        let assignment = harness.core.assign(harness.id, now: harness.now)
        harness.core.overwritten(by: LateRecord(story: "a", late), in: harness.id, now: harness.now)
        harness.restore(assignment)
        harness.answerRecalls()
        #expect(harness.sends.map(\.expression.description) == ["politics"])
    }

    @Test func `an event in progress has not ended, whatever a late record contains`() {
        var harness = CoreHarness()
        harness.receive(.sample("a1", story: "a"))
        harness.answer(.accepted)
        harness.confirmAll()
        let update = NewsEvent.sample("a2", story: "a", revision: 2)
        guard var late = harness.ledger["a"]?.record else {
            Issue.record("the ledger has no facts of the story")
            return
        }
        harness.receive(update)
        harness.answer(.throttledWithoutPause)
        late.term = -1
        late.earlier = [update.act]
        harness.core.overwritten(by: LateRecord(story: "a", late), in: harness.id, now: harness.now)
        harness.perform()
        harness.confirmAll()
        harness.crash()
        harness.pass(.seconds(15))
        #expect(harness.sending == ["a2"])
    }

    @Test func `an event that a late record ended keeps that end when it is read, also if its revision is new`() {
        var harness = CoreHarness()
        harness.receive(.sample("a1", story: "a"))
        harness.answer(.accepted)
        harness.confirmAll()
        let update = NewsEvent.sample("a2", story: "a", revision: 2)
        guard var late = harness.ledger["a"]?.record, let ended = ProcessedOffsets(through: 0, ahead: [1]) else {
            Issue.record("the ledger has no facts of the story")
            return
        }
        late.term = -1
        late.revision = 2
        late.processed = ended
        late.earlier = [update.act]
        late.closing = [
            StoryFacts.Closing(offset: 1, event: "a2", verdict: EventVerdict(.partial, "expired.ttl"))
        ]
        harness.receiveLate(late)
        harness.receive(update)
        harness.confirmAll()
        #expect(harness.outcomes.last?.verdict == EventVerdict(.partial, "expired.ttl"))
        #expect(harness.outcomes.last?.warnings == ["ledger.recognized"])
        #expect(harness.committed == 2)
    }

    @Test(arguments: [(EventKind.alert, "superseded.revision"), (.kill, "suppressed.killed")])
    func `an event in progress ends if a late record contains a later act`(_ kind: EventKind, _ reason: String) {
        var harness = CoreHarness()
        harness.receive(.sample("a1", story: "a"))
        harness.answer(.accepted)
        harness.confirmAll()
        let facts = harness.ledger["a"]?.record
        harness.receive(.sample("a2", story: "a", revision: 2))
        harness.lateRecord(facts, of: "a", AudienceFact.Act(id: 3, kind: kind, revision: 3, at: harness.now.wall))
        harness.answer(.unavailable)
        harness.pass(.seconds(15))
        #expect(harness.sends.isEmpty)
        #expect(harness.verdicts.suffix(1) == ["a2: \(reason)"])
    }

    @Test(arguments: [HubReply.unknown, .unavailable])
    func `a request that a late record shows as accepted is not sent again`(_ reply: HubReply) {
        var harness = CoreHarness()
        harness.receive(.sample("a1", story: "a"))
        harness.answer(.accepted)
        harness.confirmAll()
        let facts = harness.ledger["a"]?.record
        let update = NewsEvent.sample("a2", story: "a", revision: 2)
        harness.receive(update)
        let act = AudienceFact.Act(id: update.act, kind: update.kind, revision: 2, at: harness.now.wall)
        harness.lateRecord(facts, of: "a", act)
        harness.answer(reply)
        harness.pass(.seconds(15))
        #expect(harness.sends.isEmpty)
        #expect(harness.verdicts.suffix(1) == ["a2: sent"])
    }

    @Test func `a request that waits for another attempt ends if a late record shows it as accepted`() {
        var harness = CoreHarness()
        harness.receive(.sample("a1", story: "a"))
        harness.answer(.accepted)
        harness.confirmAll()
        let facts = harness.ledger["a"]?.record
        let update = NewsEvent.sample("a2", story: "a", revision: 2)
        harness.receive(update)
        harness.answer(.unavailable)
        let act = AudienceFact.Act(id: update.act, kind: update.kind, revision: 2, at: harness.now.wall)
        harness.lateRecord(facts, of: "a", act)
        harness.pass(.seconds(15))
        #expect(harness.sends.isEmpty)
        #expect(harness.verdicts.suffix(1) == ["a2: sent"])
    }

    @Test func `a kill sent by a crashed owner also reaches subscribers of news that its successor repeated`() {
        var harness = CoreHarness()
        harness.receive(.sample("a1", story: "a"))
        harness.answer(.accepted)
        harness.confirmAll()
        let facts = harness.ledger["a"]?.record
        harness.receive(.sample("a2", story: "a", revision: 2))
        let kill = NewsEvent.sample("kill", story: "a", revision: 3, kind: .kill, categories: [])
        let withdrawal = AudienceFact.Act(id: kill.act, kind: .kill, revision: 3, at: harness.now.wall)
        harness.lateRecord(facts, of: "a", withdrawal)
        harness.answer(.unknown)
        harness.confirmAll()
        #expect(harness.verdicts.suffix(1) == ["a2: suppressed.killed"])
        harness.receive(kill)
        #expect(harness.sending == ["kill"])
        harness.finishAll()
        #expect(harness.ledger["a"]?.record.awaitingWithdrawal.isEmpty == true)
    }

    /// The facts of a story with an audience that only an earlier owner recorded: subscribers of another category.
    private static func missed(_ harness: inout CoreHarness, readersOf category: String) -> StoryFacts? {
        let first = NewsEvent.sample("a1", story: "a")
        harness.receive(first)
        harness.answer(.accepted)
        harness.receive(.sample("b1", story: "b", categories: [category]))
        harness.answer(.accepted)
        harness.confirmAll()
        guard var facts = harness.ledger["a"]?.record, let others = harness.ledger["b"]?.record.audiences else {
            Issue.record("the ledger has no facts of the stories")
            return nil
        }
        for var fact in others {
            fact.act = AudienceFact.Act(id: first.act, kind: .alert, revision: 1, at: harness.now.wall)
            facts.audiences.append(fact)
        }
        facts.term = -1
        return facts
    }

    @Test(arguments: [false, true])
    func `an ended kill continues to subscribers in a late record, also at the next owner`(
        isHandedOver: Bool
    ) {
        var harness = CoreHarness()
        guard let late = Self.missed(&harness, readersOf: "politics") else { return }
        harness.withdraw()
        #expect(harness.verdicts.suffix(1) == ["kill: sent"])
        harness.receiveLate(late)
        #expect(harness.sending == ["kill"])
        if isHandedOver {
            harness.confirmAll()
            harness.crash()
            #expect(harness.sending == ["kill"])
        }
        #expect(harness.sends.map(\.expression.description) == ["politics"])
        harness.finishAll()
        #expect(harness.outcomes.last?.warnings == ["ledger.merged"])
        #expect(harness.ledger["a"]?.record.awaitingWithdrawal.isEmpty == true)
        #expect(harness.verdicts.suffix(1) == ["kill: sent"])
    }

    @Test func `a kill ended by an earlier owner continues to subscribers in a late record`() {
        var harness = CoreHarness()
        guard let late = Self.missed(&harness, readersOf: "politics") else { return }
        harness.withdraw()
        harness.crash()
        harness.answerRecalls()
        #expect(harness.sends.isEmpty)
        harness.receiveLate(late)
        #expect(harness.sends.map(\.expression.description) == ["politics"])
        harness.finishAll()
        #expect(harness.outcomes.last?.warnings == ["ledger.merged"])
        #expect(harness.ledger["a"]?.record.awaitingWithdrawal.isEmpty == true)
    }

    /// Sends the event `a1`, whose request gets no answer.
    ///
    /// - Returns: The record of an owner that gives the request up a minute later, after the kill.
    private static func uncertain(_ harness: inout CoreHarness) -> StoryFacts? {
        harness.receive(.sample("a1", story: "a"))
        harness.answer(.unknown)
        harness.confirmAll()
        guard var late = harness.ledger["a"]?.record else {
            Issue.record("the ledger has no facts of the story")
            return nil
        }
        late.audiences[0].act.at = harness.now.wall + .seconds(60)
        return late
    }

    @Test func `a late record of an uncertain request that was withdrawn causes no second kill`() {
        var harness = CoreHarness()
        guard let late = Self.uncertain(&harness) else { return }
        harness.crash()
        harness.receive(.sample("kill", story: "a", revision: 2, kind: .kill, categories: []))
        harness.answer(.unknown)
        harness.finishAll()
        #expect(harness.verdicts == ["a1: superseded.killed", "kill: sent"])
        harness.receiveLate(late)
        #expect(harness.sends.isEmpty)
        harness.confirmAll()
        #expect(harness.ledger["a"]?.record.awaitingWithdrawal.isEmpty == true)
    }

    @Test(arguments: [HubReply.accepted, .refused])
    func `a late record of news that was superseded and withdrawn causes no second kill`(_ reply: HubReply) {
        var harness = CoreHarness()
        guard let late = Self.uncertain(&harness) else { return }
        harness.receive(.sample("a2", story: "a", revision: 2, kind: .update))
        #expect(harness.verdicts == ["a1: superseded.revision"])
        harness.confirmAll()
        harness.answerAll(reply)
        harness.finishAll()
        harness.crash()
        harness.receive(.sample("kill", story: "a", revision: 3, kind: .kill, categories: []))
        harness.answerAll(.accepted)
        harness.finishAll()
        #expect(harness.verdicts.last == "kill: sent")
        harness.receiveLate(late)
        #expect(harness.sends.isEmpty)
        harness.confirmAll()
        #expect(harness.ledger["a"]?.record.awaitingWithdrawal.isEmpty == true)
    }

    @Test func `a continuing kill that a hub refuses ends as partly sent, because it was accepted before`() {
        var harness = CoreHarness()
        guard var late = Self.missed(&harness, readersOf: "politics") else { return }
        // The earlier owner sent other news to the audience of the first.
        late.audiences = Array(late.audiences.prefix(1))
        late.audiences[0].act = AudienceFact.Act(id: 1, kind: .alert, revision: 1, at: harness.now.wall + .seconds(60))
        harness.withdraw()
        harness.crash()
        harness.answerRecalls()
        harness.receiveLate(late)
        harness.answer(.refused)
        harness.finishAll()
        #expect(harness.verdicts.suffix(1) == ["kill: partial.refused"])
    }

    @Test func `the ledger keeps a late record until the continuing kill is read, and an event waits for it`() {
        var harness = CoreHarness()
        guard let late = Self.missed(&harness, readersOf: "politics") else { return }
        harness.withdraw()
        let record = harness.ledger["a"]?.record
        harness.core.overwritten(by: LateRecord(story: "a", late), in: harness.id, now: harness.now)
        harness.receive(.sample("again", story: "a", revision: 3, kind: .kill, categories: []))
        harness.confirmAll()
        #expect(harness.ledger["a"]?.record == record)
        #expect(harness.sends.isEmpty)
        harness.answerRecalls()
        harness.finishAll()
        #expect(harness.verdicts.suffix(2).sorted() == ["again: suppressed.killed", "kill: sent"])
        #expect(harness.ledger["a"]?.record.awaitingWithdrawal.isEmpty == true)
    }

    @Test func `a kill that must continue but is no longer in the source is reported`() {
        var harness = CoreHarness()
        guard let late = Self.missed(&harness, readersOf: "politics") else { return }
        let offsets = harness.receive(.sample("kill", story: "a", revision: 2, kind: .kill, categories: []))
        harness.answer(.accepted)
        harness.confirmAll()
        harness.finishAll()
        harness.source[offsets[0]] = nil
        harness.receiveLate(late)
        harness.confirmAll()
        #expect(harness.reports.contains(.withdrawalMissing(story: "a", CoreHarness.partition)))
        #expect(harness.sends.isEmpty)
        #expect(harness.ledger["a"]?.record.awaitingWithdrawal.isEmpty == false)
        // The next one reaches them.
        harness.receive(.sample("again", story: "a", revision: 3, kind: .kill, categories: []))
        #expect(harness.sends.map(\.expression.description) == ["politics"])
        harness.finishAll()
        #expect(harness.ledger["a"]?.record.awaitingWithdrawal.isEmpty == true)
    }

    @Test func `a kill in progress goes to subscribers in a late record`() {
        var harness = CoreHarness()
        guard let late = Self.missed(&harness, readersOf: "politics") else { return }
        harness.receive(.sample("kill", story: "a", revision: 2, kind: .kill, categories: []))
        #expect(harness.sending == ["kill"])
        harness.core.overwritten(by: LateRecord(story: "a", late), in: harness.id, now: harness.now)
        harness.perform()
        #expect(harness.sending == ["kill", "kill"])
        harness.finishAll()
        #expect(harness.verdicts.suffix(1) == ["kill: sent"])
        #expect(harness.ended.last?.targets.count == 2)
        #expect(harness.ledger["a"]?.record.awaitingWithdrawal.isEmpty == true)
    }

    @Test func `a kill in progress is not repeated for users when a late record has others`() throws {
        var harness = CoreHarness(planner: UsersPlanner())
        harness.receive(.sample("a1", story: "a", categories: ["anna", "ben", "clara"]))
        harness.answerAll(.accepted)
        harness.confirmAll()
        var late = try #require(harness.ledger["a"]?.record)
        harness.receive(.sample("kill", story: "a", revision: 2, kind: .kill, categories: []))
        harness.answer(.accepted)
        #expect(harness.sends.map(\.expression.description) == ["clara"])
        late.term = -1
        let dora = try #require(UsersPlanner.send("a1", to: ["dora"])).audience
        late.audiences = [AudienceFact(dora, try #require(late.audiences.first).act, .possible)]
        harness.core.overwritten(by: LateRecord(story: "a", late), in: harness.id, now: harness.now)
        harness.perform()
        #expect(harness.sends.map(\.expression.description) == ["clara", "dora"])
        harness.finishAll()
        #expect(harness.verdicts.suffix(1) == ["kill: sent"])
        #expect(harness.ledger["a"]?.record.awaitingWithdrawal.isEmpty == true)
    }

    @Test func `a kill with an unconfirmed outcome continues to subscribers in a late record, with one outcome`() {
        var harness = CoreHarness()
        guard let late = Self.missed(&harness, readersOf: "politics") else { return }
        let told = harness.outcomes.count
        harness.receive(.sample("kill", story: "a", revision: 2, kind: .kill, categories: []))
        harness.answer(.accepted)
        harness.receiveLate(late)
        #expect(harness.sending == ["kill"])
        harness.finishAll()
        #expect(harness.outcomes.dropFirst(told).map(\.warnings) == [["ledger.merged"]])
        #expect(harness.ledger["a"]?.record.awaitingWithdrawal.isEmpty == true)
        #expect(harness.committed == 3)
    }
}

extension CoreHarness {
    /// Withdraws the story `a`; its only request is accepted, and everything is confirmed.
    fileprivate mutating func withdraw() {
        receive(.sample("kill", story: "a", revision: 2, kind: .kill, categories: []))
        answer(.accepted)
        confirmAll()
        finishAll()
    }

    /// Receives another writer's record of the story `a`, and the withdrawal that is read because of it.
    fileprivate mutating func receiveLate(_ facts: StoryFacts) {
        core.overwritten(by: LateRecord(story: "a", facts), in: id, now: now)
        perform()
        answerRecalls()
    }
}

/// A planner like ``OneSendPlanner``, with a request for each two users. Categories are users here.
private struct UsersPlanner: EventPlanning {
    func plan(
        _ event: NewsEvent,
        for addressees: Addressees,
        story: StoryFacts?,
        deadline: Timestamp,
        loudness: Audibility,
        now: Timestamp
    ) -> EventPlan {
        let users = addressees.tags(of: event)
        let starts = stride(from: 0, to: users.count, by: 2)
        return .send(starts.compactMap { Self.send(event.id, to: users[$0...].prefix(2)) }, warnings: [])
    }

    static func send(_ id: String, to users: ArraySlice<String>) -> PlannedSend? {
        guard let expression = try? TagExpression.any(of: users.compactMap { try? Tag($0) }),
            let message = try? HubMessage(rendered: Array(id.utf8))
        else { return nil }
        let audience = PlannedAudience(expression: expression, locale: nil, categories: [], isForUsers: true)
        return PlannedSend(
            message,
            to: Audience(hub: "main", format: "template", planned: audience),
            template: "alert",
            interruption: .active
        )
    }
}
