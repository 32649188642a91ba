import NewsflashEvents
import NewsflashHubEmulator
import NewsflashKafka
import NewsflashKafkaMock
import NewsflashKafkaTestCluster
import NewsflashPublishing
import NewsflashTestSupport
import NewsflashWorker
import Testing

/// Rights that a real broker revokes from a running worker, and grants again.
@Suite(.timeLimit(.minutes(3)), .needsRealKafka, .needsOpenSSL)
struct RightsTests {
    /// Revokes a right from a worker that has sent one event, and grants it again when the worker has reported it.
    ///
    /// - Parameters:
    ///   - operations: The operations that remain allowed.
    ///   - resource: The topic or group of the right.
    ///   - right: The right that the worker must ask for.
    /// - Throws: An error if anything fails.
    private func revoke(
        leaving operations: [AccessList.Operation],
        with resource: (Newsroom.Names) -> AccessList,
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
    func `a worker names the right to write its ledger and continues once it is granted`() async throws {
        try await revoke(leaving: [.read], with: { .topic($0.ledger) }, asksFor: { "Write on the topic \($0.ledger)" })
    }

    @Test
    func `a worker names the right to write outcomes and continues once it is granted`() async throws {
        try await revoke(
            leaving: [.read],
            with: { .topic($0.outcomes) },
            asksFor: { "Write on the topic \($0.outcomes)" }
        )
    }

    @Test
    func `a worker names the right to read a visible source and continues once it is granted`() async throws {
        try await revoke(
            leaving: [.describe],
            with: { .topic($0.source) },
            asksFor: { "Read on the topic \($0.source)" }
        )
    }

    @Test
    func `a worker names the right to read a hidden source and continues once it is granted`() async throws {
        try await revoke(
            leaving: [.delete],
            with: { .topic($0.source) },
            asksFor: { "Read on the topic \($0.source)" }
        )
    }

    @Test
    func `a worker names the right to use its group and continues once it is granted`() async throws {
        try await revoke(
            leaving: [.describe],
            with: { .group($0.group) },
            asksFor: { "Read on the group \($0.group)" }
        )
    }
}
