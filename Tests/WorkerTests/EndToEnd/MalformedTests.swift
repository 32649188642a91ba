import HubEmulator
import Kafka
import KafkaTestCluster
import NewsEvents
import TestSupport
import Testing
import Worker

/// Records that are no events, as `data/malformed` collects them.
@Suite(.enabled(if: SharedData.isPresent, "no shared data; set NEWSFLASH_SHARED"), .timeLimit(.minutes(1)))
struct MalformedTests {
    @Test
    func `each malformed record gets the decision its list names, and good news goes on`() async throws {
        let inputs = try MalformedInput.all()
        #expect(inputs.count == 20)
        let rejected = inputs.filter { $0.reason != nil }
        try await Newsroom.open { newsroom in
            try await newsroom.withWorker { worker in
                try await newsroom.cluster.write(inputs.map { $0.record(for: newsroom.names.source) })
                try await newsroom.publish([Desk.event("good-news")])
                _ = try await newsroom.finalOutcomes(inputs.count + 1)
                #expect(worker.unreadyReasons == [])
            }
            try await newsroom.readToTheEnd()
            let outcomes = Dictionary(newsroom.outcomes.map { ($0.offset, $0) }) { first, _ in first }
            for (offset, input) in inputs.enumerated() {
                let outcome = try #require(outcomes[Int64(offset)], "\(input.file)")
                #expect(outcome.reason == input.reason, "\(input.file)")
                #expect(outcome.outcome == (input.reason == nil ? "sent" : "invalid"), "\(input.file)")
                #expect(outcome.warnings == (input.reason == nil ? ["encoding.bom"] : []), "\(input.file)")
            }
            #expect(newsroom.outcomes.contains { $0.event == "good-news" && $0.outcome == "sent" })
            // Two stories, so two requests at once: whichever the hub takes first.
            #expect(newsroom.hub.pushes.compactMap { $0.property("id") }.sorted() == ["bad-0001", "good-news"])
            #expect(newsroom.deadLetters.count == rejected.count)
            for (letter, input) in zip(newsroom.deadLetters, rejected) {
                expect(letter, isThatOf: input, in: newsroom)
            }
            let progress = try await newsroom.progress()
            #expect(progress.committed == progress.ends)
        }
    }

    private func expect(_ letter: KafkaMessage, isThatOf input: MalformedInput, in newsroom: Newsroom) {
        #expect(letter.value == input.bytes, "\(input.file)")
        #expect(letter.key == input.key, "\(input.file)")
        let own = input.headers.map(\.name)
        #expect(Array(letter.headers.map(\.name).prefix(own.count)) == own, "\(input.file)")
        let headers = Dictionary(
            letter.headers.map { ($0.name, String(decoding: $0.value ?? [], as: UTF8.self)) }
        ) { _, last in last }
        #expect(headers["newsflash-dlq-reason"] == input.reason, "\(input.file)")
        #expect(headers["newsflash-dlq-stage"] == "decode", "\(input.file)")
        #expect(headers["newsflash-dlq-topic"] == newsroom.names.source, "\(input.file)")
        #expect(headers["newsflash-dlq-group"] == newsroom.names.group, "\(input.file)")
        #expect(headers["newsflash-dlq-v"] == "1", "\(input.file)")
        #expect(headers["newsflash-dlq-detail"]?.isEmpty == false, "\(input.file)")
    }
}

/// One file of the list with the decision that the list's README names.
private struct MalformedInput {
    var file: String
    var bytes: [UInt8]
    /// `nil` for the one that is forgiven.
    var reason: String?

    var key: [UInt8] { Array(file.utf8) }

    var headers: [KafkaHeader] {
        file.hasPrefix("26") ? [KafkaHeader(name: "content-type", text: "application/cloudevents+json")] : []
    }

    func record(for topic: String) -> KafkaRecord {
        KafkaRecord(topic: topic, partition: 0, key: key, value: bytes, headers: headers)
    }

    static func all() throws -> [MalformedInput] {
        let readme = String(decoding: try SharedData.bytes(of: "data/malformed/README.md"), as: UTF8.self)
        return try readme.split(separator: "\n").compactMap { line in
            let cells = line.split(separator: "|").map { cell in String(cell.drop { $0 == " " }) }
            guard cells.count == 4, let file = cells[0].split(separator: " ").first, file.contains(".") else {
                return nil
            }
            let decision = cells[3].prefix { $0.isLetter || $0.isNumber || $0 == "." || $0 == "_" }
            var reason = decision.hasPrefix("invalid.") ? String(decision) : nil
            // The list has the reader of ninjs in mind; on a topic of events it is no event at all.
            if reason == "invalid.pubstatus" { reason = "invalid.schema" }
            let bytes = try SharedData.bytes(of: "data/malformed/\(file)")
            return MalformedInput(file: String(file), bytes: bytes, reason: reason)
        }
    }
}
