import NewsflashBasics
import NewsflashPublishing
import Testing

@Suite(.timeLimit(.minutes(1)))
struct RetryPolicyTests {
    @Test func `the wait is a random time up to a ceiling that doubles until the cap`() {
        let policy = RetryPolicy(base: .milliseconds(100), cap: .seconds(1))
        var random = SeededRandom(seed: 7)
        for (failures, ceiling) in [(1, 100), (2, 200), (3, 400), (4, 800), (5, 1000), (60, 1000)] {
            let waits = (0..<400).map { _ in policy.delay(afterFailures: failures, using: &random) }
            #expect(waits.allSatisfy { $0 >= .zero && $0 <= .milliseconds(ceiling) })
            // Full jitter: the low and the high quarter are both used.
            #expect(waits.contains { $0 < .milliseconds(ceiling / 4) })
            #expect(waits.contains { $0 > .milliseconds(ceiling * 3 / 4) })
        }
    }
}

@Suite(.timeLimit(.minutes(1)))
struct RefusalBreakerTests {
    @Test func `twenty refusals in a row open the circuit`() {
        var breaker = RefusalBreaker()
        for _ in 1..<20 { #expect(breaker.refused() == false) }
        #expect(breaker.refused() == true)
    }

    @Test func `one accepted request starts the count of refusals again`() {
        var breaker = RefusalBreaker()
        for _ in 1..<20 { _ = breaker.refused() }
        breaker.accepted()
        #expect(breaker.refused() == false)
    }

    @Test func `fifty refusals among the last hundred requests open the circuit`() {
        var breaker = RefusalBreaker()
        for _ in 0..<50 {
            breaker.accepted()
            #expect(breaker.refused() == false)
        }
        breaker.accepted()
        #expect(breaker.refused() == true)
    }

    @Test func `a few refusals do not open the circuit`() {
        var breaker = RefusalBreaker()
        for number in 0..<1000 {
            if number.isMultiple(of: 3) {
                #expect(breaker.refused() == false)
            } else {
                breaker.accepted()
            }
        }
    }
}
