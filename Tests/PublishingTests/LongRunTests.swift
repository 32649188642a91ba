import NewsflashEvents
import NewsflashPublishing
import NewsflashTestSupport
import NewsflashTimestamps
import NotificationHubs
import Testing

/// After hours of failures, waits and updates all counters return to zero, and memory has not grown.
@Suite(.timeLimit(.minutes(2)))
struct LongRunTests {
    /// With a second hub that answers, only the ledger keeps requests that wait for the first.
    @Test(arguments: [HubReply.unavailable, .unknown, .throttledWithoutPause], [["main"], ["main", "partner"]])
    func `after an hour of failures every counter is zero, and new events were always accepted`(
        reply: HubReply,
        hubs: [String]
    ) {
        var harness = CoreHarness(PublishingConfiguration(hubs: hubs.map { HubRole($0) }, commitInterval: .zero))
        let held = EventLog<Int>()
        for batch in 0..<4 { feed((0..<100).map { .sample("e\(batch)-\($0)") }, to: &harness, held) }
        var taken = 400
        for second in stride(from: 5, through: 3600, by: 5) {
            harness.answerAllProbes(.unavailable)
            harness.answerAll(reply)
            harness.confirmAll()
            harness.pass(.seconds(5))
            guard second % 60 == 0 else { continue }
            let partition = harness.core.status(now: harness.now).partitions.first
            #expect(partition?.frontier == Int64(taken), "after \(second) s")
            if hubs.count > 1, reply.status != 429 {
                #expect(
                    held.events.reduce(0, +) <= 256,
                    "the memory of \(taken) records is free again after \(second) s"
                )
            }
            feed([.sample("late-\(second)", kind: .update)], to: &harness, held)
            taken += 1
        }
        #expect(harness.ended.isEmpty)
        for _ in 0..<600 where harness.ended.count < taken {
            harness.answerAllProbes(.accepted)
            harness.finishAll()
            harness.pass(.seconds(1))
        }
        harness.confirmAll()
        #expect(harness.ended.count == taken)
        #expect(harness.ended.allSatisfy { $0.verdict.outcome == .sent })
        expectNothingOpen(harness)
        #expect(held.events.reduce(0, +) == 0)
        #expect(harness.committed == Int64(taken))
        #expect(harness.sends.isEmpty && harness.probes.isEmpty)
    }

    @Test func `a request that waits for another attempt is removed with its partition`() {
        var harness = CoreHarness()
        harness.receive(.sample("a"), .sample("b", kind: .flash))
        harness.answerAll(.unavailable)
        harness.receive(.sample("c", story: "story-of-a", revision: 2))
        #expect(harness.core.status(now: harness.now).events.values.reduce(0, +) == 3)
        _ = harness.core.leave([harness.id], now: harness.now)
        harness.perform()
        harness.writes = []
        expectNothingOpen(harness)
        for _ in 0..<60 { harness.pass(.seconds(60)) }
        #expect(harness.sends.isEmpty)
        // The core looks for old stories once a minute.
        #expect(harness.core.nextTimer(now: harness.now).map { $0 - harness.now.instant } == .seconds(60))
    }

    @Test func `a story updated every second for two hours uses no more space than after a minute`() {
        var harness = CoreHarness()
        var early = 0
        for second in 1...7200 as ClosedRange<Int64> {
            harness.source = [:]
            harness.reports = []
            harness.commits = []
            harness.outcomes = []
            harness.receive(.sample("e\(second)", story: "a", revision: second, kind: .update))
            harness.answerAll(.accepted)
            harness.confirmAll()
            harness.pass(.seconds(1))
            if second == 60 { early = room(of: harness) }
        }
        #expect(harness.committed == 7200)
        #expect(early > 0)
        #expect(room(of: harness) <= early + 40, "an id and a number have more digits")
        expectNothingOpen(harness)
    }

    /// The size of the story's ledger record in bytes.
    private func room(of harness: CoreHarness) -> Int {
        harness.ledger.reduce(0) { $0 + LedgerRecordCodec.encode($1.value.record, of: $1.key).count }
    }

    /// Feeds records whose bytes are counted as long as they are referenced.
    private func feed(_ events: [NewsEvent], to harness: inout CoreHarness, _ held: EventLog<Int>) {
        let partition = harness.id
        let contents = events.map { DecodeOutcome.event($0, warnings: []) }
        let records = zip(harness.write(contents), contents).map { offset, content in
            IncomingRecord(
                partition: partition,
                offset: offset,
                timestamp: harness.now.wall,
                content: content,
                original: CountedRecord(held)
            )
        }
        harness.core.receive(records, now: harness.now)
        harness.perform()
    }

    private func expectNothingOpen(_ harness: CoreHarness, sourceLocation: SourceLocation = #_sourceLocation) {
        let status = harness.core.status(now: harness.now)
        let counters: [String: Int] = [
            "in flight": status.inFlight, "at risk": status.atRisk, "unconfirmed": status.unconfirmed,
            "for others": status.waitingForOthers, "ahead": status.ahead,
            "open": status.partitions.reduce(0) { $0 + $1.open },
            "in lanes": status.lanes.reduce(0) { $0 + $1.waiting + $1.inFlight },
            "at hubs": status.hubs.reduce(0) { $0 + $1.inFlight },
        ]
        let open = counters.merging(status.events) { $1 }.filter { $0.value != 0 }
        #expect(open == [:], sourceLocation: sourceLocation)
        #expect(status.unconfirmedFor == nil && status.oldestConsumedAt == nil, sourceLocation: sourceLocation)
    }
}

/// A record whose bytes are counted until it is released.
private final class CountedRecord: OriginalRecord {
    private let held: EventLog<Int>

    init(_ held: EventLog<Int>) {
        self.held = held
        held.append(1)
    }

    deinit { held.append(-1) }

    func copy() -> RecordCopy { RecordCopy(key: nil, value: [], headers: []) }

    var traceparent: TraceParent? { nil }

    var byteCount: Int { 0 }
}
