import NewsflashBasics
import Testing

@Suite(.timeLimit(.minutes(1)))
struct PromiseTests {
    @Test func `a cancelled wait ends no other wait and no later one`() async {
        // Often enough that others already wait when the cancellation comes.
        await sideBySide(200) {
            let shot = Promise<Int>()
            let patient = (0..<4).map { _ in Task { await shot.wait() } }
            let cancelled = Task { await shot.wait() }
            await Task.yield()
            cancelled.cancel()
            #expect(await cancelled.value == nil)
            let later = Task { await shot.wait() }
            #expect(shot.end(with: 1))
            for wait in patient { #expect(await wait.value == 1) }
            #expect(await later.value == 1)
        }
    }

    @Test func `a task that is cancelled before it waits does not wait`() async {
        let shot = Promise<Int>()
        let value = await Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return await shot.wait()
        }.value
        #expect(value == nil)
    }

    @Test func `only the first end counts, and cancelled tasks get it too`() async {
        let shot = Promise<Int>()
        #expect(shot.end(with: 1))
        #expect(!shot.end(with: 2))
        let value = await Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return await shot.wait()
        }.value
        #expect(value == 1)
    }

    @Test func `every wait ends once, in whatever order ends and cancellations come`() async {
        await sideBySide(200) {
            let shot = Promise<Int>()
            let waits = (0..<8).map { _ in Task { await shot.wait() } }
            let cancelling = Task { for wait in waits.prefix(4) { wait.cancel() } }
            shot.end(with: 7)
            await cancelling.value
            for wait in waits.prefix(4) { #expect([nil, 7].contains(await wait.value)) }
            for wait in waits.dropFirst(4) { #expect(await wait.value == 7) }
        }
    }

    /// Runs rounds at once, because one after the other each would queue behind the tasks of all other tests.
    private func sideBySide(_ rounds: Int, _ round: @escaping @Sendable () async -> Void) async {
        await withDiscardingTaskGroup { group in
            for _ in 0..<rounds { group.addTask { await round() } }
        }
    }
}
