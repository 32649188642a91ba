import Testing

@testable import NewsflashKafka

/// The pause before a producer replaces its client after a fatal error.
@Suite(.timeLimit(.minutes(1)))
struct ProducerRestartsTests {
    private let start = ContinuousClock.now

    /// The pauses before a number of clients that each live for `life`.
    private func pauses(_ count: Int, lasting life: Duration) -> [Duration] {
        var lives = ProducerRestarts(at: start)
        var now = start
        return (0..<count).map { _ in
            now += life
            lives.ended(at: now)
            let end = now
            while !lives.mayBegin(at: now) { now += .milliseconds(500) }
            lives.began(at: now)
            return now - end
        }
    }

    @Test
    func `a client that lived long is replaced at once, each time`() {
        #expect(pauses(3, lasting: .seconds(60)) == [.zero, .zero, .zero])
    }

    @Test
    func `a repeatedly refused client waits longer each time, ten seconds at most`() {
        let halves: [Double] = [0, 0.5, 1, 2, 4, 8, 10, 10, 10, 10, 10, 10]
        #expect(pauses(12, lasting: .milliseconds(20)) == halves.map { .seconds($0) })
    }

    @Test
    func `after a long life the pauses start again from the beginning`() {
        var lives = ProducerRestarts(at: start)
        for second in 1...5 { lives.ended(at: start + .seconds(second)) }
        #expect(!lives.mayBegin(at: start + .seconds(6)))
        lives.began(at: start + .seconds(30))
        lives.ended(at: start + .seconds(90))
        #expect(lives.mayBegin(at: start + .seconds(90)))
    }
}
