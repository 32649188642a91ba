import NewsflashEvents
import NewsflashKafka
import NewsflashStrictJSON
import NewsflashTimestamps
import Testing

@testable import NewsflashCommands
@testable import NewsflashOperations

@Suite(.timeLimit(.minutes(1)))
struct PublishPlanTests {
    private let decoder = EventDecoder(defaultSource: "desk")

    private func plan(_ records: [FileRecord], movedTo instant: Timestamp? = nil) -> PublishPlan {
        PublishPlan(
            events: records,
            decoder: decoder,
            movedTo: instant,
            now: instant ?? SampleNewsroom.now,
            clockSkew: .seconds(10)
        )
    }

    @Test func `events are written byte for byte with their story as key`() {
        let records = SampleNewsroom.records(SampleNewsroom.flash, SampleNewsroom.kill)
        let plan = plan(records)
        #expect(plan.refusals.isEmpty)
        #expect(plan.entries.map(\.eventID) == ["e-1", "e-3"])
        let written = plan.records(to: "news", headers: [KafkaHeader(name: "a", text: "b")])
        #expect(written.map(\.value) == records.map(\.bytes))
        #expect(written.allSatisfy { $0.key == Array("urn:desk:1".utf8) && $0.topic == "news" && $0.partition == nil })
        #expect(written.map(\.id) == [0, 1])
        #expect(written.allSatisfy { $0.headers == [KafkaHeader(name: "a", text: "b")] })
    }

    @Test func `a value that is not an event is refused with its position and without its text`() {
        let plan = plan(SampleNewsroom.records(SampleNewsroom.flash, SampleNewsroom.withoutText, "{"))
        #expect(
            plan.refusals == [
                "events.ndjson:2: invalid.schema: /text: must be an object, is a string",
                "events.ndjson:3: invalid.json: the text ends within a value at byte 1",
            ]
        )
    }

    @Test func `raw bytes are written unparsed, with the given key or none`() {
        let records = SampleNewsroom.records("{", "")
        #expect(PublishPlan(raw: records, key: nil).entries.map(\.key) == [nil, nil])
        let plan = PublishPlan(raw: records, key: "k")
        #expect(plan.entries.map(\.value) == [Array("{".utf8), []])
        #expect(plan.entries.map(\.key) == [Array("k".utf8), Array("k".utf8)])
        #expect(plan.refusals.isEmpty)
    }

    @Test func `samples are shifted together, and those far ahead are pointed out`() throws {
        let instant = Timestamp(rfc3339: "2026-11-21T15:00:00Z")
        let records = SampleNewsroom.records(SampleNewsroom.flash, SampleNewsroom.correction, SampleNewsroom.kill)
        let plan = plan(records, movedTo: instant)
        let published = try plan.entries.map { try JSONReader.read($0.value)[member: "published"]?.string }
        #expect(
            published == ["2026-11-21T15:00:00.000Z", "2026-11-21T15:00:30.000Z", "2026-11-21T15:00:40.000Z"]
        )
        #expect(plan.placesAhead == ["events.ndjson:2", "events.ndjson:3"])
        #expect(plan.entries.map(\.eventID) == ["e-1", "e-2", "e-3"])
    }

    @Test func `an event with a byte order mark can be shifted`() throws {
        let record = FileRecord(file: "bom.json", bytes: [0xEF, 0xBB, 0xBF] + Array(SampleNewsroom.flash.utf8))
        let plan = plan([record], movedTo: Timestamp(rfc3339: "2026-11-21T15:00:00Z"))
        let value = try #require(plan.entries.first?.value)
        #expect(try JSONReader.read(value)[member: "published"]?.string == "2026-11-21T15:00:00.000Z")
    }

    @Test(arguments: [
        ("a: b", "a", "b"), ("a:b: c", "a", "b: c"), ("x-empty:", "x-empty", ""),
    ])
    func `a header's name ends at the first colon`(argument: String, name: String, value: String) {
        #expect(KafkaHeader(argument: argument) == KafkaHeader(name: name, text: value))
    }

    @Test(arguments: ["", "a", ":", ": b"])
    func `a header without a name or a colon is refused`(argument: String) {
        #expect(KafkaHeader(argument: argument) == nil)
    }

    @Test func `reports have the order of the records`() {
        let failed = KafkaError(.messageTimedOut, "too late")
        func report(_ id: UInt64, failed error: KafkaError? = nil) -> KafkaDeliveryReport {
            let place = KafkaDeliveryReport.Place(partition: 0, offset: Int64(id))
            return KafkaDeliveryReport(
                id: id,
                result: error.map { .failure($0) } ?? .success(place),
                mayBePersisted: true
            )
        }
        var order = ConfirmationOrder(count: 3)
        #expect(order.receive([report(2), report(9)]).isEmpty)
        #expect(order.receive([report(0)]).map(\.index) == [0])
        #expect(!order.isComplete)
        #expect(order.receive([report(1, failed: failed)]).map(\.index) == [1, 2])
        #expect(order.isComplete)
        #expect(order.failures == [failed])
    }
}
