import FoundationEssentials
import NewsflashGuarantees
import NewsflashTestSupport
import Testing

/// The load and the patience of the rig for programs that a sanitizer or the machine makes slow. All factors are here.
struct Slowness: Sendable {
    /// The sanitizer that makes them slow; `nil` for programs without one, which get the full load.
    let sanitizer: Sanitizer?
    /// Whether the machine needs at least twice the usual time. `.ci/run` sets `NEWSFLASH_SLOW_MACHINE=1` after a long build.
    var isMachineSlow = false

    /// Finds the sanitizer of the tests and of the program under test.
    ///
    /// - Returns: A value without a sanitizer if neither has one.
    /// - Throws: An error if the program lacks the sanitizer of the tests, because then the workers would not be
    ///   checked.
    static func present() async throws -> Slowness {
        let found = try await WorkerProgram.sanitizer()
        if let expected = Sanitizer.ofTests {
            let path = try WorkerProgram.path()
            try #require(found == expected, "\(path) is not built with \(expected.rawValue), as the tests are")
        }
        let isMachineSlow = ProcessInfo.processInfo.environment["NEWSFLASH_SLOW_MACHINE"] == "1"
        return Slowness(sanitizer: found, isMachineSlow: isMachineSlow)
    }

    /// The share of a scenario's rate that such workers can process, together with brokers and a hub on few cores.
    var load: Double { sanitizer != nil ? 0.3 : isMachineSlow ? 0.5 : 1 }

    /// The factor for the time of a worker's own steps.
    var ofSteps: Int { sanitizer != nil ? 6 : isMachineSlow ? 2 : 1 }

    /// The factor for the time of decisions of a group and its brokers, which have no sanitizer but fewer cores.
    var ofGroup: Int { sanitizer == nil ? 1 : 2 }

    /// Stretches a scenario's patience for such programs.
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

    /// A text for the line of figures; empty for the full load.
    var description: String {
        guard sanitizer != nil || isMachineSlow else { return "" }
        let cause = sanitizer.map { "under \($0.rawValue)" } ?? "on a slow machine"
        return "\(cause), \(load) of the load, \(ofSteps) times the patience with workers and "
            + "\(ofGroup) times with the group; "
    }
}
