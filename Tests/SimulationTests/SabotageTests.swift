import Simulation
import Testing

/// The oracle sees each fault that is built into the simulation on purpose.
@Suite(.timeLimit(.minutes(3)))
struct SabotageTests {
    /// Where few seeds show it, the first that does: it saves time.
    private static let firstSeeds: [Sabotage: UInt64] = [
        .ignoreRisk: 45, .slowClock: 44, .ignoreLeaving: 21, .ignorePauses: 11, .readLate: 5,
    ]

    @Test(arguments: Sabotage.allCases) func `the oracle sees a sabotage`(_ sabotage: Sabotage) {
        let first = Self.firstSeeds[sabotage] ?? 1
        let seeds = first...first + 60
        let found = seeds.first { seed in
            var scenario = Scenario.random(seed: seed, eventCount: 40)
            if sabotage == .ignoreRisk { scenario.settings.exposureTotal = 10 }
            let before = FleetSimulation.run(scenario).invariants
            scenario.settings.sabotage = sabotage
            let after = FleetSimulation.run(scenario).invariants
            return sabotage.breaks.allSatisfy { after.contains($0) && !before.contains($0) }
        }
        #expect(found != nil, "\(sabotage) goes unnoticed in \(seeds.count) seeds")
    }
}
