import Testing

@testable import NewsSubscriptions

@Suite(.timeLimit(.minutes(1)))
struct TaskQueueTests {
    @Test func `the turn goes to waiting tasks in their order, and skips cancelled ones`() async {
        let turns = TaskQueue()
        #expect(await turns.wait())
        // Begun at once, so each waits when the next begins.
        let waiting = (0..<3).map { _ in Task.immediate { await turns.wait() } }
        waiting[0].cancel()
        turns.pass()
        #expect(await !waiting[0].value)
        #expect(await waiting[1].value)
        turns.pass()
        #expect(await waiting[2].value)
        turns.pass()
        #expect(await turns.wait())
    }

    @Test func `a cancelled task does not get the turn`() async {
        let turns = TaskQueue()
        await withTaskGroup(of: Void.self) { group in
            group.cancelAll()
            group.addTask { #expect(await !turns.wait()) }
        }
        #expect(await turns.wait())
    }
}
