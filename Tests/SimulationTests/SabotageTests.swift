import NewsflashSimulation
import Testing

/// The oracle finds each fault that is built into the simulation on purpose.
///
/// One at a time: together they would take the places of tests that wait for processes.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct SabotageTests {
    /// The first seed that shows a sabotage that few seeds show, to save time.
    private static let firstSeeds: [Sabotage: UInt64] = [.forgetInFlight: 19, .ignorePauses: 14, .readLate: 10]

    @Test(arguments: Sabotage.allCases) func `the oracle finds a sabotage`(_ sabotage: Sabotage) async throws {
        let first = Self.firstSeeds[sabotage] ?? 1
        let seeds = first...first + 60
        let found = try await Computation.value { seeds.first { Self.shows(sabotage, seed: $0) } }
        #expect(found != nil, "\(sabotage) goes unnoticed in \(seeds.count) seeds")
    }

    /// Returns whether a run breaks what a sabotage should break, and does not break it without the sabotage.
    private static func shows(_ sabotage: Sabotage, seed: UInt64) -> Bool {
        var scenario = Scenario.random(seed: seed, eventCount: 40)
        provoke(sabotage, in: &scenario)
        var sabotaged = scenario
        sabotaged.settings.sabotage = sabotage
        let broken = FleetSimulation.run(sabotaged).invariants
        // The other run is only needed for a seed that shows it.
        guard sabotage.breaks.allSatisfy(broken.contains) else { return false }
        return !FleetSimulation.run(scenario).invariants.contains(where: sabotage.breaks.contains)
    }

    /// Adds the conditions under which a rare fault shows.
    private static func provoke(_ sabotage: Sabotage, in scenario: inout Scenario) {
        var event = SimEvent("provoked", .alert, of: "provoked", revision: 1)
        switch sabotage {
        case .ignoreRisk:
            scenario.settings.hubs = ["a"]
            (scenario.settings.exposureTotal, scenario.settings.exposureReserve) = (5, 1)
            scenario.settings.concurrency = 64
            scenario.settings.locales = []
            scenario.steps = (1...30).map { number in
                event.id = "e\(number)"
                event.story = "story-\(number)"
                return Scenario.Step(.seconds(4), .publish(event))
            }
            return
        case .ignoreAddresses:
            scenario.settings.hubs = ["a"]
            event.kind = .update
            event.revision = 2
            scenario.steps = []
            scenario.at(3, .publish(SimEvent("first", .alert, of: "provoked", revision: 1)))
            scenario.at(8, .reuse(label: "a", for: .seconds(60)))
            scenario.at(50, .publish(event))
            return
        case .slowClock:
            scenario.at(3, .hub("a", .always(.unavailable), for: .seconds(20)))
            event.expires = .seconds(10)
        default: return
        }
        scenario.at(4, .publish(event))
    }
}
