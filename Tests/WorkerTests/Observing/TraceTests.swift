import NewsflashEvents
import NewsflashHubEmulator
import NewsflashKafka
import NewsflashKafkaTestCluster
import NewsflashObservability
import NewsflashPublishing
import NewsflashStrictJSON
import NewsflashTimestamps
import Testing

@testable import NewsflashWorker

/// The trace of a record, which its outcome and its log line contain.
@Suite(.timeLimit(.minutes(4)))
struct TraceTests {
    private let parent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
    private let trace = "4bf92f3577b34da6a3ce929d0e0e4736"

    private func publish(_ value: [UInt8], in newsroom: Newsroom, traceparent: String) async throws {
        let header = KafkaHeader(name: "traceparent", text: traceparent)
        try await newsroom.cluster.write([
            KafkaRecord(topic: newsroom.names.source, partition: 0, key: nil, value: value, headers: [header])
        ])
    }

    private func traceparents(in newsroom: Newsroom, final isFinal: Bool) -> [String?] {
        newsroom.reader.messages.filter { $0.topic == newsroom.names.outcomes }
            .compactMap { $0.value.flatMap { try? JSONReader.read($0) } }
            .filter { $0[member: "final"]?.bool == isFinal }
            .map { $0[member: "traceparent"]?.string }
    }

    private func traces(of message: String, in newsroom: Newsroom) -> [LogValue?] {
        newsroom.log.events.filter { $0.message == message }.map { $0.metadata["trace.id"] }
    }

    @Test
    func `the outcome, the dead letter and the log line contain a record's trace`() async throws {
        try await Newsroom.open { newsroom in
            try await newsroom.withWorker { _ in
                try await publish(EventEncoder.encode(Desk.event("one")), in: newsroom, traceparent: parent)
                _ = try await newsroom.finalOutcomes(1)
                try await publish(Array("{".utf8), in: newsroom, traceparent: parent)
                _ = try await newsroom.finalOutcomes(2)
                try await publish(EventEncoder.encode(Desk.event("two")), in: newsroom, traceparent: "none of a kind")
                _ = try await newsroom.finalOutcomes(3)
            }
            try await newsroom.readToTheEnd()
            #expect(traceparents(in: newsroom, final: true) == [parent, parent, nil])
            #expect(traces(of: "an event ended", in: newsroom) == [.string(trace), .string(trace), nil])
            let letter = try #require(newsroom.deadLetters.first)
            #expect(letter.headers.contains(KafkaHeader(name: "traceparent", text: parent)))
        }
    }

    @Test
    func `an event that waits in the ledger keeps its trace over a restart`() async throws {
        try await Newsroom.open { newsroom in
            try await newsroom.withWorker { _ in
                // A start takes eight seconds with the mock broker, which does not answer questions about settings.
                try await newsroom.log.wait { entries in
                    entries.contains { $0.message == "a partition was restored" } ? () : nil
                }
                var event = Desk.event("embargoed")
                event.embargo = .now() + .seconds(6)
                try await publish(EventEncoder.encode(event), in: newsroom, traceparent: parent)
                try await newsroom.log.wait { entries in
                    entries.contains { $0.message == "an event waits in the ledger" } ? () : nil
                }
            }
            try await newsroom.withWorker { _ in
                _ = try await newsroom.finalOutcomes(1)
            }
            try await newsroom.readToTheEnd()
            #expect(traceparents(in: newsroom, final: false) == [parent])
            #expect(traceparents(in: newsroom, final: true) == [parent])
            #expect(traces(of: "an event waits in the ledger", in: newsroom) == [.string(trace)])
            #expect(traces(of: "an event ended", in: newsroom) == [.string(trace)])
        }
    }
}
