import NewsflashBasics
import NewsflashTestSupport
import Testing

/// Waits of tests end with the test.
@Suite(.timeLimit(.minutes(1)))
struct WaitingTests {
    private func outcome(_ wait: @escaping @Sendable () async throws -> Void) async -> Result<Void, any Error> {
        let task = Task { try await wait() }
        task.cancel()
        return await task.result
    }

    @Test func `a wait without a result ends when the task is cancelled`() async {
        let log = EventLog<Int>()
        let waits: [@Sendable () async throws -> Void] = [
            { try await waitUntil { false } }, { _ = try await waitFor { nil as Int? } },
            { _ = try await log.atLeast(1) },
            { _ = try await onThread { log.blockingWait() } },
            { try await SharedStart { try await waitUntil { false } }.value },
        ]
        for wait in waits {
            let outcome = await outcome(wait)
            #expect(throws: CancellationError.self) { try outcome.get() }
        }
        log.append(1)
    }

    @Test func `a wait ends with a value that was there for a moment`() async throws {
        let log = EventLog<Int>()
        let isWaiting = EventLog<Void>()
        async let seen = log.wait { events in
            isWaiting.append(())
            return events.last == 1 ? events : nil
        }
        _ = try await isWaiting.atLeast(1)
        log.append(1)
        log.append(2)
        #expect(try await seen == [1])
    }

    @Test func `a result ends the wait`() async throws {
        let looks = Locked(0)
        try await waitUntil {
            looks.withLock {
                $0 += 1; return $0
            } == 5
        }
        let found = try await waitFor {
            looks.withLock {
                $0 += 1; return $0 == 9 ? "nine" : nil
            }
        }
        #expect(found == "nine")
        #expect(try await onThread { 7 } == 7)
        #expect(try await SharedStart { 8 }.value == 8)
    }

    @Test func `a wait for a number of events returns all events so far`() async throws {
        let log = EventLog<Int>()
        let waiting = Task { try await log.atLeast(3) }
        log.append(1)
        log.append(contentsOf: [2, 3, 4])
        #expect(try await waiting.value == [1, 2, 3, 4])
    }

    @Test func `time that grows with the amount differs from time that grows with its square`() {
        func loop(_ count: Int) { for number in 0..<count { withExtendedLifetime(number) {} } }
        #expect(growth(from: 50_000, prepare: { $0 }) { loop($0) } < 8)
        #expect(growth(from: 300, prepare: { $0 }) { loop($0 * $0) } > 10)
    }
}
