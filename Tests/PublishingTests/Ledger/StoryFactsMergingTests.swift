import NewsflashEvents
import NewsflashPublishing
import NewsflashRouting
import NewsflashTestSupport
import NewsflashTimestamps
import NotificationHubs
import Testing

@Suite(.timeLimit(.minutes(1)))
struct StoryFactsMergingTests {
    private func record(through: Int64, revision: Int64) throws -> StoryFacts {
        var record = try StoryFacts.typical(1)
        record.processed = try #require(ProcessedOffsets(through: through))
        record.revision = revision
        record.eventID = "r\(revision)"
        return record
    }

    private func merged(_ one: StoryFacts, _ other: StoryFacts) -> StoryFacts {
        var result = one
        result.merge(other)
        return result
    }

    @Test func `the record with the later position in the source decides the state of the story`() throws {
        let newer = try record(through: 9, revision: 2)
        let late = try record(through: 7, revision: 3)
        for result in [merged(newer, late), merged(late, newer)] {
            #expect(result.revision == 2)
            #expect(result.eventID == "r2")
            #expect(result.processed.through == 9)
        }
    }

    @Test func `an embargo in one of two records is kept`() throws {
        var newer = try record(through: 9, revision: 2)
        var late = try record(through: 7, revision: 1)
        late.embargo = late.changedAt
        #expect(merged(newer, late).embargo == late.embargo)
        #expect(merged(late, newer).embargo == late.embargo)
        newer.embargo = newer.changedAt + .seconds(60)
        #expect(merged(newer, late).embargo == newer.embargo)
        #expect(merged(late, newer).embargo == newer.embargo)
    }

    @Test func `at the same position in the source the higher revision decides`() throws {
        let results = [
            merged(try record(through: 9, revision: 2), try record(through: 9, revision: 3)),
            merged(try record(through: 9, revision: 3), try record(through: 9, revision: 2)),
        ]
        #expect(results.map(\.eventID) == ["r3", "r3"])
    }

    @Test func `a killed story stays killed`() throws {
        var killed = try record(through: 7, revision: 2)
        killed.phase = .killed
        let newer = try record(through: 9, revision: 3)
        #expect(merged(newer, killed).phase == .killed)
        #expect(merged(killed, newer).phase == .killed)
    }

    @Test func `the position of an ended kill is kept if one of two records has it`() throws {
        var late = try record(through: 7, revision: 2)
        late.withdrawalOffset = 6
        var newer = try record(through: 9, revision: 3)
        #expect(merged(newer, late).withdrawalOffset == 6)
        #expect(merged(late, newer).withdrawalOffset == 6)
        newer.withdrawalOffset = 8
        #expect(merged(newer, late).withdrawalOffset == 8)
        #expect(merged(late, newer).withdrawalOffset == 8)
    }

    @Test func `facts are united, and the latest act of an audience stays`() throws {
        var newer = try record(through: 9, revision: 3)
        var late = try record(through: 7, revision: 2)
        let base = try #require(newer.audiences.first)
        newer.audiences = [base.of("de", at: 3), base.of(nil, at: 2), base.of("fr", .owed, at: 1)]
        late.audiences = [
            base.of(nil, at: 3), base.of("fr", at: 1), base.of("es", .possible, at: 2), base.of("de", .possible, at: 1),
        ]
        let expected = [
            base.of("de", at: 3), base.of(nil, at: 3), base.of("fr", at: 1), base.of("es", .possible, at: 2),
        ]
        for result in [merged(newer, late), merged(late, newer)] {
            #expect(Set(result.audiences.map { "\($0)" }) == Set(expected.map { "\($0)" }))
        }
    }

    @Test func `an event that waits in the earlier record has ended if the later one has processed it`() throws {
        var generator = SeededGenerator(seed: 3)
        var newer = try record(through: 9, revision: 3)
        var late = try record(through: 7, revision: 2)
        var over = StoryFacts.Waiting.random(using: &generator)
        over.offset = 7
        var stillWaits = over
        stillWaits.offset = 12
        late.waiting = [over, stillWaits]
        late.closing = [StoryFacts.Closing(offset: 13, event: "e", verdict: EventVerdict(.sent))]
        newer.closing = [StoryFacts.Closing(offset: 9, event: "f", verdict: EventVerdict(.sent))]
        for result in [merged(newer, late), merged(late, newer)] {
            #expect(result.waiting.map(\.offset) == [12])
            #expect(result.closing.map(\.offset) == [9, 13])
        }
    }

    @Test func `a late record of an earlier owner does not end what a later owner has in progress`() throws {
        var newer = try record(through: 9, revision: 3)
        newer.processed = try #require(ProcessedOffsets(through: 9, open: [7]))
        newer.term = 2
        var late = try record(through: 12, revision: 2)
        late.term = 1
        late.closing = [7, 12].map { StoryFacts.Closing(offset: $0, event: "e", verdict: EventVerdict(.superseded)) }
        for result in [merged(newer, late), merged(late, newer)] {
            #expect(!result.processed.contains(7))
            #expect(result.closing.map(\.offset) == [12])
        }
    }

    @Test func `an act in progress at a later owner is not ended by the record of an earlier one`() throws {
        var newer = try record(through: 9, revision: 2)
        (newer.term, newer.begun) = (2, [7])
        var late = try record(through: 9, revision: 3)
        (late.term, late.earlier) = (1, [7, 9])
        for result in [merged(newer, late), merged(late, newer)] {
            #expect(!result.earlier.contains(7) && result.earlier.contains(9))
        }
    }

    @Test func `a kill of an earlier owner is decided again if it lacked some subscribers`() throws {
        var newer = try record(through: 9, revision: 2)
        var late = try record(through: 12, revision: 3)
        let news = try #require(newer.audiences.first)
        (newer.term, newer.audiences) = (2, [news, news.of("de", at: 3)])
        (late.term, late.phase, late.audiences) = (1, .killed, [news])
        late.closing = [StoryFacts.Closing(offset: 12, event: "kill", verdict: EventVerdict(.failed))]
        for result in [merged(newer, late), merged(late, newer)] {
            #expect(!result.processed.contains(12) && result.closing.isEmpty)
        }
        newer.audiences = [news]
        for result in [merged(newer, late), merged(late, newer)] {
            #expect(result.processed.contains(12) && result.closing.count == 1)
        }
    }

    @Test func `a withdrawal stays after the news before it, although the clock was set back in between`() throws {
        var withdrawn = try record(through: 9, revision: 3)
        var late = try record(through: 7, revision: 2)
        let news = try #require(late.audiences.first).of(nil, at: 30)
        var kill = news.of(nil, at: 10)
        (kill.act.kind, kill.act.id, kill.act.revision) = (.kill, 8, 3)
        (withdrawn.term, withdrawn.audiences, withdrawn.earlier) = (2, [kill], [news.act.id])
        (late.term, late.audiences) = (1, [news, news.of("de", at: 30)])
        for result in [merged(withdrawn, late), merged(late, withdrawn)] {
            #expect(result.awaitingWithdrawal.map(\.audience.planned.locale) == ["de"])
        }
        (withdrawn.earlier, withdrawn.replaced) = ([], [news.act.id])
        #expect(merged(withdrawn, late).awaitingWithdrawal.map(\.audience.planned.locale) == ["de"])
        // News may have followed that the current owner did not record.
        withdrawn.replaced = []
        #expect(merged(withdrawn, late).awaitingWithdrawal.count == 2)
        // The withdrawal is in progress, and has not reached all audiences of the news.
        withdrawn.audiences.append(news.of("fr", at: 30))
        #expect(merged(withdrawn, late).awaitingWithdrawal.map(\.audience.planned.locale) == ["fr", "de"])
    }

    @Test func `news that a merged record replaces stays known`() throws {
        var newer = try record(through: 9, revision: 3)
        var late = try record(through: 7, revision: 2)
        let news = try #require(late.audiences.first).of(nil, at: 10)
        var update = news.of(nil, at: 20)
        (update.act.id, update.act.revision) = (8, 3)
        (newer.term, newer.audiences) = (2, [update])
        (late.term, late.audiences, late.replaced) = (1, [news], [6])
        for result in [merged(newer, late), merged(late, newer)] {
            #expect(result.audiences == [update])
            #expect(result.replaced == [6, news.act.id])
        }
    }

    @Test func `an act that another one replaces stays known, unless it is a withdrawal or listed already`() throws {
        var facts = try record(through: 9, revision: 1)
        let audience = try #require(facts.audiences.first).audience
        func act(_ id: UInt64, _ kind: EventKind) -> AudienceFact.Act {
            AudienceFact.Act(id: id, kind: kind, revision: Int64(id % 100), at: Timestamp(seconds: Int64(id % 100)))
        }
        let latest = NewsEvent.sample("latest")
        (facts.eventID, facts.source, facts.kind) = (latest.id, latest.source, latest.kind)
        (facts.audiences, facts.earlier) = ([], [2])
        facts.recordAccepted(audience, act(latest.act, .alert))
        for id in UInt64(1)...4 { facts.recordPossible(audience, act(id, id == 3 ? .kill : .update)) }
        facts.recordAccepted(audience, act(4, .update))
        #expect(facts.replaced == [1])
        facts.recordAccepted(audience, act(5, .update))
        facts.recordAccepted(audience, act(5, .update))
        #expect(facts.replaced == [1, 4])
        for id in UInt64(6)...40 { facts.recordAccepted(audience, act(id, .update)) }
        #expect(facts.replaced == Array(24...39))
    }

    /// The users of a story in one request.
    private func users(
        _ names: ClosedRange<Int>,
        _ kind: EventKind,
        _ act: UInt64,
        at seconds: Int64
    ) throws -> AudienceFact {
        let tags = try names.map { try Tag("user:u\($0)") }
        let audience = PlannedAudience(expression: try .any(of: tags), locale: nil, categories: [], isForUsers: true)
        return AudienceFact(
            Audience(hub: "main", format: "template", planned: audience),
            AudienceFact.Act(id: act, kind: kind, revision: kind == .kill ? 2 : 1, at: Timestamp(seconds: seconds)),
            .accepted
        )
    }

    @Test(arguments: [(3...6, true), (5...6, false)])
    func `an act follows up if one of its users was notified before`(_ names: ClosedRange<Int>, _ isFollowUp: Bool)
        throws
    {
        var facts = try record(through: 9, revision: 1)
        facts.audiences = [try users(1...4, .alert, 1, at: 10)]
        let update = try users(names, .update, 2, at: 20)
        facts.recordAccepted(update.audience, update.act)
        #expect(facts.audiences.first { $0.act.id == 2 }?.isFollowUp == isFollowUp)
        #expect(facts.replaced == (isFollowUp ? [1] : []))
    }

    @Test(arguments: [20, 5])
    func `users stay withdrawn, whatever their grouping in requests and a clock that was set back`(
        withdrawnAt: Int64
    ) throws {
        var withdrawn = try record(through: 9, revision: 3)
        var late = try record(through: 7, revision: 2)
        (withdrawn.term, withdrawn.earlier) = (2, [1])
        withdrawn.audiences = [try users(3...6, .kill, 7, at: withdrawnAt)]
        (late.term, late.audiences) = (1, [try users(1...4, .alert, 1, at: 10), try users(5...6, .alert, 1, at: 10)])
        for result in [merged(withdrawn, late), merged(late, withdrawn)] {
            let names = result.awaitingWithdrawal.flatMap(\.expression.tags).map(\.description)
            #expect(names.sorted() == ["user:u1", "user:u2"])
        }
    }

    @Test func `a user is in the fact of the later request only, whichever owner recorded it`() throws {
        var newer = try record(through: 9, revision: 3)
        var late = try record(through: 7, revision: 2)
        newer.audiences = [try users(1...3, .update, 2, at: 20)]
        late.audiences = [try users(2...4, .alert, 1, at: 10)]
        for result in [merged(newer, late), merged(late, newer)] {
            let names = result.audiences.flatMap(\.expression.tags).map(\.description)
            #expect(names.sorted() == ["user:u1", "user:u2", "user:u3", "user:u4"])
        }
    }

    @Test(arguments: [.owed, .suspected] as [AudienceFact.Certainty])
    func `a notified audience is owed nothing, although the clock was set back in between`(
        certainty: AudienceFact.Certainty
    ) throws {
        var newer = try record(through: 9, revision: 3)
        var late = try record(through: 7, revision: 2)
        let base = try #require(newer.audiences.first)
        newer.audiences = [base.of("de", at: 1)]
        late.audiences = [base.of("de", certainty, at: 2), base.of("fr", certainty, at: 2)]
        for result in [merged(newer, late), merged(late, newer)] {
            #expect(result.audiences.filter { $0.certainty == certainty }.map(\.locale) == ["fr"])
        }
    }

    @Test func `an event final in either record is final, and missing texts come from the other`() throws {
        var newer = try record(through: 9, revision: 3)
        newer.isFinal = false
        newer.text = []
        let late = try record(through: 7, revision: 3)
        #expect(merged(newer, late).isFinal)
        #expect(merged(late, newer).text == late.text)
        var other = newer
        other.digest = ContentDigest(value: 1)
        #expect(!merged(other, late).isFinal, "other words were sent")
    }

    @Test(arguments: [31, 32] as [UInt64])
    func `merging is commutative, and repeating it changes nothing`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<300 {
            let one = try StoryFacts.random(using: &generator).withDistinctAudiences
            var other = try StoryFacts.random(using: &generator).withDistinctAudiences
            if Bool.random(using: &generator) { other.processed = one.processed }
            if Bool.random(using: &generator) { other.revision = one.revision }
            let there = merged(one, other)
            let back = merged(other, one)
            #expect(there.withSortedLists == back.withSortedLists, "seed \(seed)")
            #expect(merged(there, other).withSortedLists == there.withSortedLists, "seed \(seed)")
            for offset in Int64(0)...1000 where one.processed.contains(offset) || other.processed.contains(offset) {
                guard there.processed.contains(offset) else {
                    Issue.record("\(offset) is missing, seed \(seed)")
                    return
                }
            }
        }
    }

    @Test func `of two records with attempts without an answer the higher number counts, whichever is later`() throws {
        let accepted = try #require(try self.record(through: 9, revision: 3).audiences.first)
        func attempted(unanswered: Int, at seconds: Int64) throws -> StoryFacts {
            var record = try self.record(through: 9, revision: 3)
            let fact = accepted.of(nil, .possible, at: seconds)
            record.audiences = []
            record.recordPossible(fact.audience, fact.act, unanswered: unanswered)
            return record
        }
        let earlier = try attempted(unanswered: 4, at: 1)
        let later = try attempted(unanswered: 2, at: 2)
        for result in [merged(earlier, later), merged(later, earlier)] {
            #expect(result.audiences.map(\.unanswered) == [4])
            #expect(result.audiences.map(\.act.at) == [Timestamp(seconds: 2)])
        }
    }

    /// The merged facts of an audience that has a possible act, with its attempts, and an accepted one.
    private func merged(
        possible: (kind: EventKind, revision: Int64, at: Int64),
        accepted: (kind: EventKind, revision: Int64, at: Int64)
    ) throws -> [[AudienceFact]] {
        let typical = try #require(try record(through: 9, revision: 1).audiences.first)
        var attempted = try record(through: 9, revision: 1)
        var answered = attempted
        attempted.audiences = []
        answered.audiences = []
        let other = typical.act.id + 1
        attempted.recordPossible(
            typical.audience,
            .init(id: other, kind: possible.kind, revision: possible.revision, at: Timestamp(seconds: possible.at)),
            unanswered: 2
        )
        answered.recordAccepted(
            typical.audience,
            .init(
                id: typical.act.id,
                kind: accepted.kind,
                revision: accepted.revision,
                at: Timestamp(seconds: accepted.at)
            )
        )
        return [merged(answered, attempted).audiences, merged(attempted, answered).audiences]
    }

    @Test func `attempts without an answer stay if an answer to an earlier revision came later`() throws {
        for left in try merged(possible: (.update, 2, at: 4), accepted: (.alert, 1, at: 5)) {
            #expect(left.first { $0.act.revision == 2 }?.unanswered == 2)
        }
    }

    @Test func `an accepted revision decides about attempts of a lower one, whatever the clocks say`() throws {
        for left in try merged(possible: (.alert, 1, at: 6), accepted: (.update, 2, at: 5)) {
            #expect(left.map(\.act.revision) == [2])
        }
    }

    @Test(arguments: [Int64(1), 2, 3])
    func `an accepted withdrawal decides about earlier attempts of any revision`(_ revision: Int64) throws {
        for left in try merged(possible: (.alert, revision, at: 4), accepted: (.kill, 2, at: 5)) {
            #expect(left.map(\.act.kind) == [.kill])
        }
    }

    @Test(arguments: [Int64(1), 2, 3])
    func `attempts later than a withdrawal stay, so that it goes out again`(_ revision: Int64) throws {
        for left in try merged(possible: (.alert, revision, at: 6), accepted: (.kill, 2, at: 5)) {
            #expect(left.count { $0.certainty == .possible && $0.act.kind == .alert } == 1)
        }
    }

    @Test func `attempts of a higher revision at the instant of a withdrawal stay, so that it goes out again`() throws {
        for left in try merged(possible: (.alert, 3, at: 5), accepted: (.kill, 2, at: 5)) {
            #expect(left.count { $0.certainty == .possible && $0.act.kind == .alert } == 1)
        }
    }

    @Test func `an accepted fact replaces a possible one of the same audience`() throws {
        var record = try record(through: 9, revision: 3)
        let accepted = try #require(record.audiences.first)
        let german = accepted.of("de", .possible, at: 5)
        record.recordPossible(accepted.audience, accepted.act)
        record.recordPossible(german.audience, german.act)
        record.recordAccepted(accepted.audience, accepted.act)
        #expect(record.audiences == [accepted, german])
    }
}

extension StoryFacts {
    /// The record as the worker makes it: one fact for each audience and certainty.
    fileprivate var withDistinctAudiences: StoryFacts {
        var record = self
        record.audiences = []
        for fact in audiences where fact.certainty == .possible { record.recordPossible(fact.audience, fact.act) }
        for fact in audiences where fact.certainty == .accepted { record.recordAccepted(fact.audience, fact.act) }
        return record
    }

    fileprivate var withSortedLists: StoryFacts {
        var record = self
        record.audiences.sort { "\($0)" < "\($1)" }
        record.closing.sort { "\($0)" < "\($1)" }
        record.waiting.sort { "\($0)" < "\($1)" }
        return record
    }
}

extension AudienceFact {
    /// The same fact in another language, at another time.
    fileprivate func of(_ locale: String?, _ certainty: Certainty = .accepted, at seconds: Int64) -> AudienceFact {
        let audience = PlannedAudience(expression: expression, locale: locale, categories: audience.planned.categories)
        var act = act
        act.at = Timestamp(seconds: seconds)
        return AudienceFact(Audience(hub: hub, format: format, planned: audience), act, certainty)
    }
}
