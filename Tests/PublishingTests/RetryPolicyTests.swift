import Publishing
import Randomness
import Testing

@Suite(.timeLimit(.minutes(1)))
struct RetryPolicyTests {
    @Test func `the wait is drawn from the whole span up to a ceiling that doubles until the cap`() {
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
struct RefusalBrakeTests {
    @Test func `twenty refusals in a row pull the brake`() {
        var brake = RefusalBrake()
        for _ in 1..<20 { #expect(brake.refused() == false) }
        #expect(brake.refused() == true)
    }

    @Test func `one accepted request between ends the row`() {
        var brake = RefusalBrake()
        for _ in 1..<20 { _ = brake.refused() }
        brake.accepted()
        #expect(brake.refused() == false)
    }

    @Test func `half of the last hundred refused pull the brake, though never in a row`() {
        var brake = RefusalBrake()
        for _ in 0..<50 {
            brake.accepted()
            #expect(brake.refused() == false)
        }
        brake.accepted()
        #expect(brake.refused() == true)
    }

    @Test func `a few bad payloads among good ones do not`() {
        var brake = RefusalBrake()
        for number in 0..<1000 {
            if number.isMultiple(of: 3) {
                #expect(brake.refused() == false)
            } else {
                brake.accepted()
            }
        }
    }
}
