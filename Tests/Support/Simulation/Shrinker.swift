/// Makes a failing scenario smaller while it breaks the same promise.
package struct Shrinker {
    private let isFailing: (Scenario) -> Bool
    private var runsLeft: Int

    /// Makes a shrinker.
    ///
    /// - Parameters:
    ///   - runs: The maximum number of runs.
    ///   - isFailing: Whether a smaller scenario still fails.
    package init(atMost runs: Int = 3000, while isFailing: @escaping (Scenario) -> Bool) {
        self.isFailing = isFailing
        runsLeft = runs
    }

    /// Makes a shrinker for a broken promise.
    package init(keeping invariant: Invariant, atMost runs: Int = 3000) {
        self.init(atMost: runs) { scenario in
            FleetSimulation.run(scenario).violations.contains { $0.invariant == invariant }
        }
    }

    /// Removes the steps and settings that the failure does not need.
    package mutating func shrink(_ scenario: Scenario) -> Scenario {
        var best = scenario
        var size = 0
        repeat {
            size = best.steps.count
            removeSteps(from: &best)
            simplifyEvents(of: &best)
            simplifySettings(of: &best)
        } while best.steps.count < size && runsLeft > 0
        best.name += ", shrunk to \(best.steps.count) steps"
        return best
    }

    private mutating func fails(_ scenario: Scenario) -> Bool {
        guard runsLeft > 0 else { return false }
        runsLeft -= 1
        return isFailing(scenario)
    }

    private mutating func removeSteps(from best: inout Scenario) {
        var length = max(1, best.steps.count / 2)
        while length >= 1 {
            var start = best.steps.count
            while start > 0 {
                let from = max(0, start - length)
                var smaller = best
                smaller.steps.removeSubrange(from..<start)
                if fails(smaller) { best = smaller }
                start = from
            }
            if length == 1 { break }
            length /= 2
        }
    }

    private mutating func simplifyEvents(of best: inout Scenario) {
        let changes: [(inout SimEvent) -> Void] = [
            { $0.users = 0 }, { $0.users = min($0.users, 1) }, { $0.embargo = nil }, { $0.expires = nil },
            { $0.urgency = nil },
            { $0.source = "desk" }, { $0.categories = ["world"] }, { $0.approvals = 2 }, { $0.mode = .live },
        ]
        for place in best.steps.indices {
            for change in changes {
                guard case .publish(var event) = best.steps[place].act else { continue }
                let before = event
                change(&event)
                guard event != before else { continue }
                var simpler = best
                simpler.steps[place].act = .publish(event)
                if fails(simpler) { best = simpler }
            }
        }
    }

    private mutating func simplifySettings(of best: inout Scenario) {
        let plain = SimSettings()
        let changes: [(inout SimSettings) -> Void] = [
            { $0.workers = 1 }, { $0.partitions = 1 }, { $0.hubs = ["a"] }, { $0.hubs = Array($0.hubs.prefix(2)) },
            { $0.hasTestHub = false }, { $0.locales = [] }, { $0.storyMemoryBytes = plain.storyMemoryBytes },
            { $0.exposureTotal = plain.exposureTotal }, { $0.concurrency = plain.concurrency },
            { $0.readAheadBytes = plain.readAheadBytes }, { $0.hasApprovals = false }, { $0.hasCaps = false },
            { $0.hasVolumeLimit = false }, { $0.hasQuietHours = false }, { $0.scans = false },
            { $0.isCompacted = false },
        ]
        for change in changes {
            var simpler = best
            change(&simpler.settings)
            if simpler.settings != best.settings, fails(simpler) { best = simpler }
        }
    }
}
