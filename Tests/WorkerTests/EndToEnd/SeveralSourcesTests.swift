import NewsflashEvents
import NewsflashHubEmulator
import NewsflashKafka
import NewsflashKafkaTestCluster
import NewsflashTimestamps
import NotificationHubs
import Testing

@testable import NewsflashWorker

/// One worker reads the desk's events and an agency's items from separate topics.
@Suite(.timeLimit(.minutes(4)))
struct SeveralSourcesTests {
    @Test func `a feed next to the desk is read in its own format, and recorded in its own ledger`() async throws {
        try await Newsroom.open { newsroom in
            let wire = try await Self.wire(in: newsroom)
            var configuration = newsroom.configuration
            configuration.sources.append(wire)
            try await newsroom.withWorker(configuration) { worker in
                // Both sources use the same story name, for two different stories.
                try await newsroom.publish([Desk.event("desk-1", story: "s", category: "sports", headline: "Desk")])
                try await newsroom.cluster.write([
                    Self.record(wire, partition: 1, item(version: 1, #""headline":"Wire""#)),
                    Self.record(wire, partition: 0, item(version: 1, #""type":"text","pubstatus":"cancelled""#)),
                ])
                _ = try await newsroom.finalOutcomes(3)
                #expect(worker.unreadyReasons == [])
            }
            try await newsroom.withWorker(configuration) { _ in
                try await newsroom.cluster.write([
                    Self.record(wire, partition: 1, item(version: 2, #""pubstatus":"canceled""#))
                ])
                _ = try await newsroom.finalOutcomes(4)
            }
            try await newsroom.readToTheEnd()
            let told = newsroom.hub.pushes.map { "\($0.expression?.description ?? "") \($0.property("id") ?? "")" }
            #expect(told.prefix(2).sorted() == ["Sports desk-1", "World s#1"])
            #expect(told.dropFirst(2) == ["World s#2!canceled"])
            #expect(newsroom.hub.pushes.last?.property("headline")?.contains("Wire") == true)
            #expect(newsroom.outcomes.compactMap(\.reason) == ["invalid.pubstatus"])
            #expect(newsroom.deadLetters.map(\.value) == [item(version: 1, #""type":"text","pubstatus":"cancelled""#)])
            #expect(try await newsroom.end(of: wire.ledger, partition: 1) > 0)
            #expect(try await newsroom.end(of: newsroom.names.ledger) > 0)
        }
    }

    private static func wire(in newsroom: Newsroom) async throws -> SourceSettings {
        SourceSettings(
            name: "wire",
            topic: try await newsroom.cluster.makeTopic(partitions: 2),
            ledger: try await newsroom.cluster.makeTopic(partitions: 2, isCompacted: true),
            id: "urn:wire",
            format: .ninjs
        )
    }

    private func item(version: Int, _ members: String) -> [UInt8] {
        let start =
            #"{"uri":"s","version":"\#(version)","versioncreated":"\#(Self.published)","language":"en","subject":["world"],"#
        return Array("\(start)\(members)}".utf8)
    }

    private static let published = Timestamp.now().rfc3339

    private static func record(_ source: SourceSettings, partition: Int32, _ value: [UInt8]) -> KafkaRecord {
        KafkaRecord(topic: source.topic, partition: partition, key: Array("s".utf8), value: value)
    }
}
