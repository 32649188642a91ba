import NewsflashSimulation
import Testing

/// Random runs of a whole fleet; `.ci/simulate` runs more of them, optimized.
@Suite(.timeLimit(.minutes(10)))
struct RandomRunsTests {
    private static let seedsPerTest: UInt64 = 50

    // Few parts: twenty would take the places of tests that wait for processes.
    @Test(arguments: 0..<4) func `a fleet keeps its promises whatever happens`(part: Int) async throws {
        let first = UInt64(part) * Self.seedsPerTest + 1
        for seed in first..<first + Self.seedsPerTest {
            let result = try await Computation.value {
                FleetSimulation.run(Scenario.random(seed: seed, eventCount: 100))
            }
            let broken = result.invariants.map { "\($0)" }.joined(separator: ", ")
            #expect(
                result.violations.isEmpty,
                "seed \(seed) breaks \(broken); see .ci/simulate --trace \(seed) --only NAME"
            )
            #expect(result.acceptedCount > 0, "seed \(seed)")
        }
    }

    @Test func `a seed gives the same run each time`() {
        let runs = (0..<2).map { _ in
            FleetSimulation.run(Scenario.random(seed: 7, eventCount: 60), isTraced: true).trace
        }
        #expect(runs[0] == runs[1])
        #expect(runs[0].count > 60)
    }

    @Test func `a shrunk scenario has the steps that its failure needs, and no others`() {
        let scenario = Scenario.random(seed: 3, eventCount: 100)
        var shrinker = Shrinker { scenario in
            let ids = scenario.steps.compactMap { step in
                if case .publish(let event) = step.act { event.id } else { nil }
            }
            return ids.contains("e5") && ids.contains("e40")
        }
        #expect(shrinker.shrink(scenario).steps.count == 2)
    }
}
