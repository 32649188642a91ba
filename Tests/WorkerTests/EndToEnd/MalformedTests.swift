import NewsflashEvents
import NewsflashHubEmulator
import NewsflashKafka
import NewsflashKafkaTestCluster
import NewsflashTestSupport
import NewsflashTimestamps
import NewsflashWorker
import Testing

/// Records of `Tests/Data/malformed`, which are not events.
@Suite(.timeLimit(.minutes(4)))
struct MalformedTests {
    @Test
    func `each malformed record gets the decision in its list, and valid events are sent`() async throws {
        let all = try MalformedFile.all()
        #expect(all.count == 20)
        let rejected = all.filter { $0.reason != nil }
        // A later record with faults pauses the story.
        let sent = all.filter { $0.reason == nil }
        let inputs = sent + rejected
        try await Newsroom.open { newsroom in
            try await newsroom.withWorker { worker in
                try await newsroom.publish([Self.waiting])
                try await newsroom.cluster.write(sent.map { $0.record(for: newsroom.names.source) })
                _ = try await newsroom.finalOutcomes(sent.count)
                try await newsroom.cluster.write(rejected.map { $0.record(for: newsroom.names.source) })
                try await newsroom.publish([Desk.event("good-news")])
                _ = try await newsroom.finalOutcomes(inputs.count + 2)
                #expect(worker.unreadyReasons == [])
            }
            try await newsroom.readToTheEnd()
            let outcomes = Dictionary(newsroom.outcomes.map { ($0.offset, $0) }) { first, _ in first }
            for (offset, input) in inputs.enumerated() {
                let outcome = try #require(outcomes[Int64(offset + 1)], "\(input.name)")
                #expect(outcome.reason == input.reason, "\(input.name)")
                #expect(outcome.outcome == (input.reason == nil ? "sent" : "invalid"), "\(input.name)")
                #expect(outcome.warnings == (input.reason == nil ? ["encoding.bom"] : []), "\(input.name)")
            }
            #expect(newsroom.outcomes.contains { $0.event == "good-news" && $0.outcome == "sent" })
            #expect(newsroom.outcomes.last { $0.event == Self.waiting.id }?.reason == "suppressed.hold")
            // Two stories, so two requests at once, in any order.
            #expect(newsroom.hub.pushes.compactMap { $0.property("id") }.sorted() == ["bad-0001", "good-news"])
            #expect(newsroom.deadLetters.count == rejected.count)
            for input in rejected {
                let letter = try #require(newsroom.deadLetters.first { $0.key == input.key }, "\(input.name)")
                expect(letter, isThatOf: input, in: newsroom)
            }
            let progress = try await newsroom.progress()
            #expect(progress.committed == progress.ends)
        }
    }

    /// Waits for its embargo when `29-ninjs-cancelled.json` arrives, whose unknown status may withdraw the story.
    private static let waiting: NewsEvent = {
        var event = Desk.event("waiting", story: "urn:example:ninjs:1", revision: 2)
        event.embargo = Timestamp.now() + .seconds(3600)
        return event
    }()

    private func expect(_ letter: KafkaMessage, isThatOf input: MalformedFile, in newsroom: Newsroom) {
        #expect(letter.value == input.bytes, "\(input.name)")
        #expect(letter.key == input.key, "\(input.name)")
        let own = input.headers.map(\.name)
        #expect(Array(letter.headers.map(\.name).prefix(own.count)) == own, "\(input.name)")
        let headers = Dictionary(
            letter.headers.map { ($0.name, String(decoding: $0.value ?? [], as: UTF8.self)) }
        ) { _, last in last }
        #expect(headers["newsflash-dlq-reason"] == input.reason, "\(input.name)")
        #expect(headers["newsflash-dlq-stage"] == "decode", "\(input.name)")
        #expect(headers["newsflash-dlq-topic"] == newsroom.names.source, "\(input.name)")
        #expect(headers["newsflash-dlq-group"] == newsroom.names.group, "\(input.name)")
        #expect(headers["newsflash-dlq-v"] == "1", "\(input.name)")
        #expect(headers["newsflash-dlq-detail"]?.isEmpty == false, "\(input.name)")
    }
}

extension MalformedFile {
    fileprivate var key: [UInt8] { Array(name.utf8) }

    fileprivate var headers: [KafkaHeader] { mediaType.map { [KafkaHeader(name: "content-type", text: $0)] } ?? [] }

    fileprivate func record(for topic: String) -> KafkaRecord {
        KafkaRecord(topic: topic, partition: 0, key: key, value: bytes, headers: headers)
    }
}
