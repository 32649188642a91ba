import NotificationHubs
import Publishing
import TestSupport
import Testing
import Timestamps

@Suite(.timeLimit(.minutes(1)))
struct StoryFactsMergingTests {
    private func record(through: Int64, revision: Int64) throws -> StoryFacts {
        var record = try StoryFacts.typical(1)
        record.done = try #require(DoneOffsets(through: through))
        record.revision = revision
        record.eventID = "r\(revision)"
        return record
    }

    private func merged(_ one: StoryFacts, _ other: StoryFacts) -> StoryFacts {
        var result = one
        result.merge(other)
        return result
    }

    @Test func `the record that got further in the source says what the story is`() throws {
        let newer = try record(through: 9, revision: 2)
        let late = try record(through: 7, revision: 3)
        for result in [merged(newer, late), merged(late, newer)] {
            #expect(result.revision == 2)
            #expect(result.eventID == "r2")
            #expect(result.done.through == 9)
        }
    }

    @Test func `as far in the source, the higher revision does`() throws {
        let results = [
            merged(try record(through: 9, revision: 2), try record(through: 9, revision: 3)),
            merged(try record(through: 9, revision: 3), try record(through: 9, revision: 2)),
        ]
        #expect(results.map(\.eventID) == ["r3", "r3"])
    }

    @Test func `a kill stays a kill`() throws {
        var killed = try record(through: 7, revision: 2)
        killed.phase = .killed
        let newer = try record(through: 9, revision: 3)
        #expect(merged(newer, killed).phase == .killed)
        #expect(merged(killed, newer).phase == .killed)
    }

    @Test func `what was sent is united, the higher revision of a target stays`() throws {
        var newer = try record(through: 9, revision: 3)
        var late = try record(through: 7, revision: 2)
        let base = try #require(newer.sent.first)
        func sent(_ locale: String?, _ revision: Int64) -> StoryFacts.Sent {
            base.forReaders(of: locale, revision: revision)
        }
        newer.sent = [sent(nil, 2), sent("de", 3)]
        late.sent = [sent(nil, 3), sent("fr", 1)]
        late.maybeSent = [sent("es", 2)]
        for result in [merged(newer, late), merged(late, newer)] {
            #expect(result.sent == [sent(nil, 3), sent("de", 3), sent("fr", 1)])
            #expect(result.maybeSent == [sent("es", 2)])
        }
    }

    @Test func `what waits in the record behind is over where the further one has left it behind`() throws {
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

    @Test func `told by either is told, and texts that one lacks come from the other`() throws {
        var newer = try record(through: 9, revision: 3)
        newer.isTold = false
        newer.text = []
        let late = try record(through: 7, revision: 3)
        #expect(merged(newer, late).isTold)
        #expect(merged(late, newer).text == late.text)
        var other = newer
        other.digest = ContentDigest(value: 1)
        #expect(!merged(other, late).isTold, "other words were told")
    }

    @Test(arguments: [31, 32] as [UInt64])
    func `either way round the effect is the same, and twice changes nothing`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<300 {
            let one = try StoryFacts.random(using: &generator).withDistinctTargets
            var other = try StoryFacts.random(using: &generator).withDistinctTargets
            if Bool.random(using: &generator) { other.done = one.done }
            if Bool.random(using: &generator) { other.revision = one.revision }
            let there = merged(one, other)
            let back = merged(other, one)
            #expect(there.withSortedLists == back.withSortedLists, "seed \(seed)")
            #expect(merged(there, other).withSortedLists == there.withSortedLists, "seed \(seed)")
            for offset in Int64(0)...1000 where one.done.contains(offset) || other.done.contains(offset) {
                guard there.done.contains(offset) else {
                    Issue.record("\(offset) is forgotten, seed \(seed)")
                    return
                }
            }
        }
    }

    @Test func `a request that was accepted needs no mention as doubtful`() throws {
        var record = try record(through: 9, revision: 3)
        let accepted = try #require(record.sent.first)
        let doubtful = accepted.forReaders(of: "de", revision: accepted.revision)
        record.recordMaybeSent(accepted)
        record.recordMaybeSent(doubtful)
        record.recordSent(accepted)
        #expect(record.sent == [accepted])
        #expect(record.maybeSent == [doubtful])
    }
}

extension StoryFacts {
    /// As the worker makes it: one entry a target.
    fileprivate var withDistinctTargets: StoryFacts {
        var record = self
        record.sent = []
        record.maybeSent = []
        for entry in sent { record.recordSent(entry) }
        for entry in maybeSent { record.recordMaybeSent(entry) }
        return record
    }

    fileprivate var withSortedLists: StoryFacts {
        var record = self
        record.sent.sort { "\($0)" < "\($1)" }
        record.maybeSent.sort { "\($0)" < "\($1)" }
        record.closing.sort { "\($0)" < "\($1)" }
        record.waiting.sort { "\($0)" < "\($1)" }
        return record
    }
}

extension StoryFacts.Sent {
    /// The same in another language.
    fileprivate func forReaders(of locale: String?, revision: Int64) -> StoryFacts.Sent {
        StoryFacts.Sent(
            hub: hub,
            format: format,
            expression: expression,
            locale: locale,
            categories: categories,
            isForUsers: isForUsers,
            revision: revision,
            at: at
        )
    }
}
