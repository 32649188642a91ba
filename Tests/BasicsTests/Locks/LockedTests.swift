import NewsflashBasics
import Testing

@Suite(.timeLimit(.minutes(1)))
struct LockedTests {
    private final class Shared: Sendable {
        let count = Locked(0)
    }

    private struct TestError: Error, Equatable {}

    private struct Token: ~Copyable {
        var uses = 0
    }

    @Test func `a lock admits one thread at a time`() async {
        let shared = Shared()

        await withTaskGroup { group in
            for _ in 1...8 {
                group.addTask {
                    for _ in 1...10_000 { shared.count.withLock { $0 += 1 } }
                }
            }
        }

        #expect(shared.count.withLock { $0 } == 80_000)
    }

    @Test func `a lock is free again after a throw`() {
        let shared = Shared()

        #expect(throws: TestError()) {
            try shared.count.withLock { count throws(TestError) in
                count = 7
                throw TestError()
            }
        }

        #expect(shared.count.withLock { $0 } == 7)
    }

    @Test func `a lock can contain a value that cannot be copied`() {
        let token = Locked(Token())

        token.withLock { $0.uses += 1 }

        #expect(token.withLock { $0.uses } == 1)
    }

    @Test func `a lock releases its value with itself`() {
        final class Witness: Sendable {}
        weak var witness: Witness?
        do {
            let made = Witness()
            witness = made
            let lock = Locked([made])
            #expect(lock.withLock { $0.count } == 1)
        }

        #expect(witness == nil)
    }
}
