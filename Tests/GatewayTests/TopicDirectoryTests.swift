import NewsflashBasics
import NewsflashKafka
import NewsflashTestSupport
import NewsflashTimestamps
import Testing

@testable import NewsflashGateway

@Suite("The existing topics", .timeLimit(.minutes(1)))
final class TopicDirectoryTests: Sendable {
    private let now = Locked(Instant(nanoseconds: 1_000_000_000))
    private let looks = Locked(0)
    private let found = Locked<TopicDirectory.QueryResult>(.success([]))
    /// Each lookup waits for it.
    private let gate = Promise<Void>()

    private func directory() -> TopicDirectory {
        TopicDirectory(clock: { [self] in now.withLock { $0 } }) { [self] in
            looks.withLock { $0 += 1 }
            _ = await gate.wait()
            return found.withLock { $0 }
        }
    }

    @Test func `one lookup serves all waiting callers and is valid for a second`() async throws {
        found.withLock { $0 = .failure(KafkaError(.closed, "away")) }
        let directory = directory()
        let failures = try await withThrowingTaskGroup(of: Bool.self) { group in
            for _ in 0..<60 {
                group.addTask { (try? await directory.contains("news")) == nil }
            }
            try await waitUntil { directory.waitingCount == 60 }
            gate.end(with: ())
            return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(failures == 60)
        #expect(looks.withLock { $0 } == 1)
        #expect(directory.fault?.code == .closed)
        await #expect(throws: KafkaError.self) { try await directory.contains("news") }
        #expect(looks.withLock { $0 } == 1)
        now.withLock { $0 = $0 + .seconds(1) }
        found.withLock { $0 = .success(["news"]) }
        #expect(try await directory.contains("news"))
        #expect(looks.withLock { $0 } == 2)
        #expect(directory.fault == nil)
    }

    @Test func `a known topic needs no lookup, and a missing one has a lookup each second`() async throws {
        gate.end(with: ())
        found.withLock { $0 = .success(["news"]) }
        let directory = directory()
        for _ in 0..<3 {
            #expect(try await directory.contains("news"))
            #expect(try await !directory.contains("wire"))
        }
        #expect(looks.withLock { $0 } == 1)
        now.withLock { $0 = $0 + .seconds(1) }
        #expect(try await directory.contains("news"))
        #expect(looks.withLock { $0 } == 1)
        found.withLock { $0 = .success(["wire"]) }
        #expect(try await directory.contains("wire"))
        #expect(try await directory.contains("news"))
        #expect(looks.withLock { $0 } == 2)
    }
}
