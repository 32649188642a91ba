import NewsflashSimulation
import Testing

/// A label with another hub than in the ledger.
@Suite(.timeLimit(.minutes(2)))
struct ReusedLabelTests {
    @Test func `workers send nothing under a label that has another hub, until its address is restored`() throws {
        var run = Scenario("a reused label")
        run.settings.workers = 2
        run.at(3, .publish(SimEvent("e1", .alert, of: "quake", revision: 1)))
        run.at(10, .reuse(label: "a", for: .seconds(60)))
        run.at(30, .publish(SimEvent("e2", .kill, of: "quake", revision: 2)))
        run.at(31, .publish(SimEvent("e3", .alert, of: "flood", revision: 1)))
        let result = FleetSimulation.run(run, isTraced: true) { report in
            let kills = report.accepted("e2", .kill)
            return kills == ["a/World"] ? [] : ["kill e2 reached \(kills)"]
        }
        let trace = result.trace.joined(separator: "\n")
        #expect(result.violations.isEmpty, "\(result.violations)\n\(trace)")
        let first = try #require(result.trace.firstIndex { $0.contains("label a means another hub now") })
        let last = try #require(result.trace.firstIndex { $0.contains("label a means the first hub again") })
        let meanwhile = result.trace[first..<last]
        for slot in 1...2 {
            #expect(meanwhile.contains { $0.contains("worker \(slot) refuses partition") }, "\(trace)")
        }
        #expect(!meanwhile.contains { $0.contains(" sends ") }, "\(trace)")
        for event in ["e2", "e3"] {
            #expect(result.trace[last...].contains { $0.contains(" sends ") && $0.contains(" \(event) ") }, "\(trace)")
        }
    }
}
