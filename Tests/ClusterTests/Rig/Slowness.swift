import Guarantees
import Testing

/// How easy the rig goes on programs that a sanitizer makes slow: less load, more patience. All of it stands here.
struct Slowness: Sendable {
    /// What makes them slow; nil for programs as they ship, of which everything is asked.
    let sanitizer: Sanitizer?

    /// What the tests and the program under test were built with.
    ///
    /// - Returns: Without a sanitizer where neither has one.
    /// - Throws: Where the tests have one and the program does not have the same: nobody would watch over the workers.
    static func present() async throws -> Slowness {
        let found = try await WorkerProgram.sanitizer()
        if let expected = Sanitizer.ofTests {
            let path = try WorkerProgram.path()
            try #require(found == expected, "\(path) is not built with \(expected.rawValue), as the tests are")
        }
        return Slowness(sanitizer: found)
    }

    /// The share of a scenario's rate that such workers keep up with, beside brokers and a hub on few cores.
    var load: Double { sanitizer == nil ? 1 : 0.3 }

    /// How many times longer a worker's own steps may take.
    var ofSteps: Int { sanitizer == nil ? 1 : 6 }

    /// How many times longer may take what a group and its brokers decide: they have no sanitizer, but fewer cores.
    var ofGroup: Int { sanitizer == nil ? 1 : 2 }

    /// A scenario's patience with such programs.
    func stretched(_ patience: Evidence.Patience) -> Evidence.Patience {
        var stretched = patience
        stretched.request *= ofSteps
        stretched.embargo *= ofSteps
        stretched.express *= ofSteps
        stretched.probe *= ofSteps
        stretched.record *= ofGroup
        stretched.takeover *= ofGroup
        stretched.handover *= ofGroup
        stretched.election *= ofGroup
        return stretched
    }

    /// For the line of figures: nothing for programs as they ship.
    var description: String {
        guard let sanitizer else { return "" }
        return "under \(sanitizer.rawValue), \(load) of the load, \(ofSteps) times the patience with workers and "
            + "\(ofGroup) times with the group; "
    }
}
