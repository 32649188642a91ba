import HubEmulator
import Kafka
import KafkaTestCluster
import NewsEvents
import Publishing
import TestSupport
import Testing
import Worker

/// Rights that a real broker takes away from a worker while it runs, and gives back.
@Suite(
    .serialized,
    .timeLimit(.minutes(3)),
    .needsRealKafka,
    .needsOpenSSL
)
struct RightsTests {
    /// Takes a right away from a worker that has sent one event, and gives it back when the worker has said so.
    ///
    /// - Parameters:
    ///   - operations: What is left.
    ///   - resource: Of what.
    ///   - right: What the worker is to ask for.
    /// - Throws: Where anything fails.
    private func take(
        leaving operations: [String],
        with resource: (Newsroom.Names) -> SecureCluster.Resource,
        asksFor right: (Newsroom.Names) -> String
    ) async throws {
        let cluster = try await SecureCluster.shared()
        let password = try KeyFile(SecureCluster.password)
        defer { withExtendedLifetime(password) {} }
        try await Newsroom.open(cluster.settings(.plain, passwordFile: password.path)) { newsroom in
            try await cluster.makeTopics(of: newsroom)
            let resource = resource(newsroom.names)
            try await newsroom.withWorker { worker in
                try await cluster.publish(Desk.event("before"), to: newsroom)
                _ = try await cluster.read(1, from: newsroom.names.outcomes)
                try await cluster.allowOnly(operations, with: resource)
                try await cluster.publish(Desk.event("refused"), to: newsroom)
                _ = try await newsroom.reason(of: worker, with: "the right \(right(newsroom.names))")
                try await cluster.allowEverything(with: resource)
                try await cluster.publish(Desk.event("after"), to: newsroom)
                _ = try await cluster.read(3, from: newsroom.names.outcomes)
            }
            let pushed = newsroom.hub.pushes.compactMap { $0.property("id") }
            #expect(pushed == ["before", "refused", "after"])
        }
    }

    @Test
    func `the ledger may not be written for a while`() async throws {
        try await take(leaving: ["Read"], with: { .topic($0.ledger) }, asksFor: { "Write on the topic \($0.ledger)" })
    }

    @Test
    func `the outcomes may not be written for a while`() async throws {
        try await take(
            leaving: ["Read"],
            with: { .topic($0.outcomes) },
            asksFor: { "Write on the topic \($0.outcomes)" }
        )
    }

    @Test
    func `the source may not be read for a while, though it may be seen`() async throws {
        try await take(
            leaving: ["Describe"],
            with: { .topic($0.source) },
            asksFor: { "Read on the topic \($0.source)" }
        )
    }

    @Test
    func `the source may not even be seen for a while`() async throws {
        try await take(leaving: ["Delete"], with: { .topic($0.source) }, asksFor: { "Read on the topic \($0.source)" })
    }

    @Test
    func `the group may not be used for a while`() async throws {
        try await take(leaving: ["Describe"], with: { .group($0.group) }, asksFor: { "Read on the group \($0.group)" })
    }
}
