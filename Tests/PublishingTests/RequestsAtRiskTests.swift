import NewsflashEvents
import NewsflashTimestamps
import NewsflashTopicPartitions
import Testing

@testable import NewsflashPublishing

/// The limits of sends at risk, which a crash would repeat, if one partition's ledger confirms nothing.
@Suite(.timeLimit(.minutes(1)))
struct RequestsAtRiskTests {
    private let one = PartitionID(0)
    private let two = PartitionID(3)
    private let start = Instant(nanoseconds: 1_000_000_000)

    @Test func `a partition is stalled half a second after the last confirmation of its ledger, and until the next`() {
        var exposure = RequestsAtRisk()
        #expect(exposure.nextChange == nil)
        exposure.began(in: one, now: start)
        exposure.began(in: one, now: start + .milliseconds(400))
        exposure.began(in: two, now: start + .milliseconds(400))
        #expect(exposure.nextChange == start + .milliseconds(500))
        #expect(exposure.updatePauses(now: start + .milliseconds(499), limit: 1) == [])
        #expect(exposure.stalledCount == 0)
        #expect(exposure.updatePauses(now: start + .milliseconds(500), limit: 3) == [])
        #expect((exposure.count, exposure.stalledCount) == (3, 2))
        #expect(exposure.nextChange == start + .milliseconds(900))
        exposure.began(in: one, now: start + .milliseconds(600))
        #expect((exposure.count, exposure.stalledCount) == (4, 3))
        exposure.confirmed(1, in: one, now: start + .milliseconds(700))
        #expect((exposure.count, exposure.stalledCount) == (3, 0))
        #expect(exposure.nextChange == start + .milliseconds(900))
        #expect(exposure.updatePauses(now: start + .milliseconds(900), limit: 3) == [])
        #expect(exposure.stalledCount == 1)
        #expect(exposure.nextChange == start + .milliseconds(1200))
    }

    @Test func `the time of a standstill does not make partitions stalled`() {
        var exposure = RequestsAtRisk()
        exposure.began(in: one, now: start)
        _ = exposure.updatePauses(now: start, limit: 3)
        let awake = start + .seconds(9)
        _ = exposure.updatePauses(now: awake, limit: 3)
        #expect(exposure.stalledCount == 0)
        #expect(exposure.nextChange == awake + .milliseconds(500))
        _ = exposure.updatePauses(now: awake + .milliseconds(500), limit: 3)
        #expect(exposure.stalledCount == 1)
    }

    @Test func `stalled partitions are paused while they have as many requests at risk as they may have together`() {
        var exposure = RequestsAtRisk()
        for _ in 1...2 { exposure.began(in: one, now: start) }
        exposure.began(in: two, now: start)
        let later = start + .seconds(1)
        #expect(exposure.updatePauses(now: later, limit: 3) == [.paused(one), .paused(two)])
        #expect(exposure.updatePauses(now: later, limit: 3) == [])
        exposure.confirmed(1, in: two, now: later)
        #expect(exposure.updatePauses(now: later, limit: 3) == [.goingOn(one), .goingOn(two)])
    }

    @Test func `a revoked partition removes its sends at risk, and is not stalled when it returns`() {
        var exposure = RequestsAtRisk()
        for _ in 1...3 { exposure.began(in: one, now: start) }
        exposure.began(in: two, now: start)
        #expect(exposure.updatePauses(now: start + .seconds(1), limit: 1) == [.paused(one), .paused(two)])
        exposure.forget([one, PartitionID(9)])
        #expect((exposure.count, exposure.stalledCount) == (1, 1))
        #expect(exposure.updatePauses(now: start + .seconds(1), limit: 1) == [.goingOn(one)])
        exposure.began(in: one, now: start + .seconds(2))
        #expect(exposure.updatePauses(now: start + .seconds(2), limit: 1) == [])
        #expect(exposure.nextChange == start + .milliseconds(2500))
    }

    @Test func `a partition whose ledger confirms nothing is paused alone, except for its flashes`() {
        var configuration = PublishingConfiguration(commitInterval: .zero)
        configuration.exposureLimit = RiskLimit(total: 3, reserve: 0)
        var harness = CoreHarness(configuration)
        harness.receive(.sample("a1"), .sample("a2"))
        harness.answerAll(.accepted)
        harness.pass(.milliseconds(300))
        harness.receive([.sample("b0")], in: 1)
        harness.answer(.accepted)
        harness.confirm(of: "b0")
        harness.receive(.sample("a3"))
        harness.answer(.accepted)
        harness.receive([.sample("b1")], in: 1)
        #expect(harness.sending == [], "the first partition is not stalled yet")
        harness.pass(.milliseconds(200))
        #expect(harness.sending == ["b1"])
        harness.receive(.sample("a4"), .sample("flash", kind: .flash))
        harness.receive([.sample("b2"), .sample("b3")], in: 1)
        #expect(harness.sending == ["b1", "flash", "b2"], "the others have a limit as well")
        harness.answerAll(.accepted)
        harness.confirm(of: "b1")
        #expect(harness.sending == ["b3"])
        harness.confirmAll()
        #expect(harness.sending == ["b3", "a4"])
    }

    @Test func `a quiet partition continues although its ledger confirms nothing`() {
        var harness = CoreHarness()
        for number in 1...92 {
            harness.receive(.sample("\(number)"))
            #expect(harness.sending == ["\(number)"])
            harness.answerAll(.accepted)
            harness.pass(.milliseconds(500))
        }
        harness.receive(.sample("93"))
        #expect(harness.sending == [])
        #expect(
            harness.core.nextTimer(now: harness.now).map { $0 > harness.now.instant } ?? true,
            "the timer is not due at once"
        )
    }

    @Test func `sends at risk of a stalled partition count separately while others get confirmations`() {
        var exposure = RequestsAtRisk()
        for _ in 1...60 { exposure.began(in: one, now: start) }
        let later = start + .milliseconds(600)
        func rooms(_ limit: RiskLimit, at now: Instant) -> [Int] {
            [false, true].map { exposure.room(isUrgent: $0, now: now, limit: limit) }
        }
        let limit = RiskLimit(total: 40, reserve: 8)
        #expect(rooms(limit, at: later) == [32, 40])
        #expect(exposure.updatePauses(now: later, limit: 40) == [.paused(one)])
        #expect(rooms(limit, at: later) == [32, 80], "no partition gets confirmations: only express events go on")
        exposure.began(in: two, now: later)
        #expect(rooms(limit, at: later) == [32, 40], "the other may get a confirmation soon")
        exposure.confirmed(1, in: two, now: later)
        #expect(rooms(limit, at: later) == [72, 80])
        #expect(rooms(RiskLimit(total: 100, reserve: 8), at: later) == [152, 160])
        #expect(rooms(limit, at: later + .milliseconds(500)) == [32, 80])
    }

    @Test func `flashes continue up to twice the limit while the ledger confirms nothing`() {
        var configuration = PublishingConfiguration(commitInterval: .zero)
        configuration.exposureLimit = RiskLimit(total: 2, reserve: 1)
        var harness = CoreHarness(configuration)
        harness.receive(.sample("a"), .sample("b"))
        harness.answerAll(.accepted)
        for number in 1...4 { harness.receive(.sample("flash \(number)", kind: .flash)) }
        #expect(harness.sending == ["flash 1"])
        harness.pass(RequestsAtRisk.patience - .milliseconds(1))
        #expect(harness.sending == ["flash 1"])
        harness.pass(.milliseconds(1))
        #expect(harness.sending == ["flash 1", "flash 2", "flash 3"])
        harness.answerAll(.accepted)
        #expect(harness.sending == [], "this is the limit of flashes as well")
    }

    @Test func `a ledger without any confirmation stops sending`() {
        var configuration = PublishingConfiguration(commitInterval: .zero)
        configuration.exposureLimit = RiskLimit(total: 2, reserve: 0)
        var harness = CoreHarness(configuration)
        for number in 0..<3 as Range<Int32> {
            harness.receive([.sample("\(number).1"), .sample("\(number).2")], in: number)
            harness.answerAll(.accepted)
            harness.pass(.milliseconds(500))
        }
        #expect(harness.sending == [])
        #expect(harness.writes.count == 1)
    }
}

extension RequestsAtRisk.Change {
    fileprivate static func paused(_ partition: PartitionID) -> Self { Self(partition: partition, isPaused: true) }
    fileprivate static func goingOn(_ partition: PartitionID) -> Self { Self(partition: partition, isPaused: false) }
}

extension CoreHarness {
    /// Has the ledger confirm the batch with the end of an event, and the outcome.
    fileprivate mutating func confirm(of event: String) {
        let isMeant = { (write: Write) in
            write.facts.contains { _, facts in facts.closing.contains { $0.event == event } }
        }
        guard let index = writes.firstIndex(where: isMeant) else {
            Issue.record("no facts of \(event) are written")
            return
        }
        writes.insert(writes.remove(at: index), at: 0)
        confirm()
    }

    /// Feeds events of a partition. The core gets the partition now if it does not have it yet.
    fileprivate mutating func receive(_ events: [NewsEvent], in number: Int32) {
        guard number > 0 else { return _ = receive(events) }
        let partition = core.partition(TopicPartition(topic: "news", partition: number))
        if core.partitions[partition].phase == .away {
            let assignment = core.assign(partition, now: now)
            let index = StoryIndex(byteLimit: core.configuration.storyMemoryBytes)
            core.restored(RestoredLedger(partition: partition, assignment: assignment, stories: index), now: now)
            perform()
            if let place = writes.lastIndex(where: { $0.ledger?.partition == partition }) {
                writes.insert(writes.remove(at: place), at: 0)
                confirmLedger()
            }
        }
        let next = core.partitions[partition].frontier
        let records = events.enumerated().map { index, event in
            IncomingRecord(
                partition: partition,
                offset: next + Int64(index),
                timestamp: now.wall,
                content: .event(event, warnings: []),
                original: RecordCopy(key: nil, value: [], headers: [])
            )
        }
        core.receive(records, now: now)
        perform()
    }
}
