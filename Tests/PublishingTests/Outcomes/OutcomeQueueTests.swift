import NewsflashEvents
import NewsflashTimestamps
import NewsflashTopicPartitions
import Testing

@testable import NewsflashPublishing

/// The records of outcomes and dead letters that are written next. A test acts as their topics.
@Suite(.timeLimit(.minutes(1)))
struct OutcomeQueueTests {
    private var queue = OutcomeQueue()

    @Test
    mutating func `a write ends when its outcome and its dead letter are confirmed`() throws {
        queue.add(Self.write(1))
        #expect(queue.readyCount == 1)
        let records = try next()
        #expect(records.outcome == .whole && records.deadLetter == .whole)
        #expect(queue.readyCount == 0)
        let first = report(1, isDeadLetter: true, .confirmed)
        #expect(first == nil, "its outcome is not confirmed")
        let ended = report(1, isDeadLetter: false, .confirmed)
        let last = try #require(ended)
        #expect(last.id == WriteID(1) && last.failure == nil)
    }

    @Test
    mutating func `an event without a dead letter has one record`() throws {
        queue.add(Self.write(1, hasDeadLetter: false))
        let records = try next()
        #expect(records.outcome == .whole && records.deadLetter == nil && !records.isDeadLetterRefused)
        let ended = report(1, isDeadLetter: false, .confirmed)
        let result = try #require(ended)
        #expect(result.failure == nil)
    }

    @Test
    mutating func `after a failure only the unconfirmed record is written again, in the same form`() throws {
        queue.add(Self.write(1))
        _ = try next()
        _ = report(1, isDeadLetter: false, .confirmed)
        let unwritten = report(1, isDeadLetter: true, .failed("too late", isPermanent: false))
        let failed = try #require(unwritten)
        #expect(failed.failure == "too late")
        queue.add(Self.write(1))
        let again = try next()
        #expect(again.outcome == nil && again.deadLetter == .whole)
        let ended = report(1, isDeadLetter: true, .confirmed)
        let result = try #require(ended)
        #expect(result.failure == nil)
    }

    @Test
    mutating func `a permanently refused record is written in shorter forms, and the outcome records the refusal`()
        throws
    {
        var forms: [OutcomeQueue.DeadLetterForm?] = []
        for _ in 1...4 {
            queue.add(Self.write(1))
            let records = try next()
            forms.append(records.deadLetter)
            #expect(records.isDeadLetterRefused == (records.deadLetter == nil))
            _ = report(1, isDeadLetter: false, .failed("too late", isPermanent: false))
            if records.deadLetter != nil {
                _ = report(1, isDeadLetter: true, .failed("too large", isPermanent: true))
            }
        }
        #expect(forms == [.whole, .withoutValue, .factsOnly, nil])
        queue.add(Self.write(2, hasDeadLetter: false))
        _ = try next()
        _ = report(2, isDeadLetter: false, .failed("too large", isPermanent: true))
        queue.add(Self.write(2, hasDeadLetter: false))
        let short = try next()
        #expect(short.outcome == .short)
    }

    @Test
    mutating func `an outcome that is confirmed before its dead letter is refused in each form is written again`()
        throws
    {
        for form in [OutcomeQueue.DeadLetterForm.whole, .withoutValue, .factsOnly] {
            queue.add(Self.write(1))
            let records = try next()
            #expect(records.deadLetter == form)
            if records.outcome != nil { _ = report(1, isDeadLetter: false, .confirmed) }
            let refused = report(1, isDeadLetter: true, .failed("too large", isPermanent: true))
            #expect(refused?.failure == "too large")
        }
        queue.add(Self.write(1))
        let last = try next()
        #expect(last.outcome == .whole && last.deadLetter == nil && last.isDeadLetterRefused)
        let ended = report(1, isDeadLetter: false, .confirmed)
        let result = try #require(ended)
        #expect(result.failure == nil)
    }

    @Test
    mutating func
        `an outcome that is refused in its shortest form is written again, and each attempt reports a failure`() throws
    {
        for form in [OutcomeQueue.OutcomeForm.whole, .short, .short, .short] {
            queue.add(Self.write(1, hasDeadLetter: false))
            let records = try next()
            #expect(records.outcome == form)
            let refused = report(1, isDeadLetter: false, .failed("invalid", isPermanent: true))
            #expect(refused?.failure == "invalid")
        }
    }

    @Test
    mutating func `the writes of a revoked partition are forgotten, later ones are not`() throws {
        queue.add(Self.write(1, of: 0))
        queue.add(Self.write(2, of: 1))
        queue.forget([PartitionID(0)])
        queue.add(Self.write(3, of: 0))
        let written = try [next(), next()].map(\.write.id)
        #expect(written == [WriteID(2), WriteID(3)])
        let isEmpty = queue.next() == nil
        #expect(isEmpty)
        let result = report(1, isDeadLetter: false, .confirmed)
        #expect(result == nil)
    }

    private mutating func next() throws -> OutcomeQueue.Records {
        let records = queue.next()
        return try #require(records)
    }

    private mutating func report(
        _ id: UInt64,
        isDeadLetter: Bool,
        _ report: OutcomeQueue.Report
    ) -> WriteResult? {
        queue.reported(WriteID(id), isDeadLetter: isDeadLetter, report)
    }

    private static func write(_ id: UInt64, of partition: Int32 = 0, hasDeadLetter: Bool = true) -> OutcomeWrite {
        let outcome = OutcomeRecord(
            of: .sample("event-\(id)"),
            verdict: EventVerdict(.sent),
            origin: RecordOrigin(partition: TopicPartition(topic: "news", partition: 7), offset: 7),
            config: "",
            at: Timestamp(seconds: 1)
        )
        return OutcomeWrite(
            id: WriteID(id),
            partition: PartitionID(partition),
            outcome: outcome,
            deadLetter: hasDeadLetter ? .gate : nil,
            original: RecordCopy(key: nil, value: [], headers: [])
        )
    }
}
