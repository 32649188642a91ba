import NewsflashTopicPartitions
import Testing

@testable import NewsflashKafka

@Suite("the queue of records whose callers wait", .timeLimit(.minutes(1)))
struct SendQueueTests {
    private func records(_ count: Int) -> [KafkaRecord] {
        (0..<count).map { KafkaRecord(topic: "news", value: [UInt8($0 % 256)], id: 7) }
    }

    private func confirmed(_ records: [KafkaRecord], from offset: Int64) -> [KafkaDeliveryReport] {
        zip(records, offset...).map { record, offset in
            let place = KafkaDeliveryReport.Place(partition: 2, offset: offset)
            return KafkaDeliveryReport(id: record.id, result: .success(place), mayBePersisted: true)
        }
    }

    private func failures(_ results: some Sequence<Result<KafkaDelivery, KafkaError>>) -> [KafkaError] {
        results.compactMap { if case .failure(let error) = $0 { error } else { nil } }
    }

    @Test func `records of all callers are sent in order, up to the limit`() {
        var queue = SendQueue(limit: 3)
        let (first, second) = (queue.makeCall(), queue.makeCall())
        queue.add(records(5), for: first)
        queue.add(records(2), for: second)
        var sent: [KafkaRecord] = []
        var answers: [SendQueue.Answer] = []
        while case let next = queue.admit(), !next.isEmpty {
            #expect(next.count <= 3)
            answers += queue.settle(confirmed(next, from: Int64(sent.count))).answers
            sent += next
        }
        #expect(sent.map(\.value) == [[0], [1], [2], [3], [4], [0], [1]])
        #expect(sent.map(\.id) == Array(SendQueue.firstID..<SendQueue.firstID + 7))
        #expect(answers.map(\.call) == [first, second])
        let offsets = answers.map { answer in answer.results.map { try? $0.get().offset } }
        #expect(offsets == [[0, 1, 2, 3, 4], [5, 6]])
        let places = Set(answers.flatMap(\.results).map { try? $0.get().topicPartition })
        #expect(places == [TopicPartition(topic: "news", partition: 2)])
    }

    @Test func `records occupy their room until the event with their reports is freed`() {
        var queue = SendQueue(limit: 2)
        let call = queue.makeCall()
        queue.add(records(4), for: call)
        let first = queue.admit()
        _ = queue.settle(confirmed(first, from: 0), isInEvent: true)
        let early = queue.admit()
        #expect(early.isEmpty)
        queue.eventWasFreed()
        let next = queue.admit()
        #expect(next.map(\.value) == [[2], [3]])
    }

    @Test func `an answer has the results in the order of the records, whatever the order of reports`() {
        var queue = SendQueue(limit: 10)
        let call = queue.makeCall()
        queue.add(records(3), for: call)
        let reports = confirmed(queue.admit(), from: 40)
        let early = queue.settle([reports[2], reports[0]]).answers
        #expect(early.isEmpty)
        let answer = queue.settle([reports[1]]).answers.first
        #expect(answer?.results.map { try? $0.get().offset } == [40, 41, 42])
    }

    @Test func `reports on records of others are passed on, whatever their numbers`() {
        var queue = SendQueue(limit: 10)
        let call = queue.makeCall()
        queue.add(records(1), for: call)
        let own = confirmed(queue.admit(), from: 0)
        let foreign = [0, 7, SendQueue.firstID + 1, .max].map { id in
            KafkaDeliveryReport(id: id, failed: .isClosed("producer"))
        }
        let (answers, others) = queue.settle(foreign + own)
        #expect(answers.count == 1)
        #expect(others == foreign)
        // A second report on one record belongs to no caller.
        let again = queue.settle(own).others
        #expect(again == own)
    }

    @Test func `cancelled records are never written unless they were already in flight`() throws {
        var queue = SendQueue(limit: 2)
        let (first, second) = (queue.makeCall(), queue.makeCall())
        queue.add(records(4), for: first)
        queue.add(records(1), for: second)
        let underWay = queue.admit()
        _ = queue.settle(confirmed([underWay[0]], from: 5))
        let answer = queue.cancel(first)
        let results = try #require(answer?.results)
        let done = try results[0].get()
        #expect(done.offset == 5)
        let errors = failures(results.dropFirst())
        #expect(errors.map(\.code) == [.cancelled, .cancelled, .cancelled])
        #expect(errors.map(\.mayBePersisted) == [true, false, false])
        let again = queue.cancel(first)
        #expect(again == nil)
        // The other call's record is next. The late report on the first call's record only frees its room.
        let next = queue.admit()
        #expect(next.map(\.value) == [[0]])
        let late = queue.settle(confirmed([underWay[1]], from: 6))
        #expect(late.answers.isEmpty)
        #expect(late.others.isEmpty)
    }

    @Test func `records in flight fail with their producer instance, and may have been written`() throws {
        var queue = SendQueue(limit: 2)
        let call = queue.makeCall()
        queue.add(records(3), for: call)
        _ = queue.admit()
        let early = queue.giveUpUnderWay(because: .isClosed("producer"))
        #expect(early.isEmpty)
        let last = queue.admit()
        let id = try #require(last.first?.id)
        let answer = queue.settle([KafkaDeliveryReport(id: id, failed: .isClosed("producer"))]).answers.first
        #expect(failures(answer?.results ?? []).map(\.mayBePersisted) == [true, true, false])
    }
}
