// Runs random scenarios on all cores and prints the promises that they break; see `.ci/simulate`.

import NewsflashSimulation

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

private struct Options {
    var seeds = 1000
    var events = 100
    var first: UInt64 = 1
    var shrinks = true
    var showsSizes = false
    var only: Invariant?
    var traced: UInt64?

    init?(_ arguments: [String]) {
        var left = arguments[...]
        while let name = left.popFirst() {
            if name == "--sizes" {
                showsSizes = true
                continue
            }
            if name == "--no-shrink" {
                shrinks = false
                continue
            }
            guard let value = left.popFirst() else { return nil }
            switch name {
            case "--seeds": seeds = Int(value) ?? seeds
            case "--events": events = Int(value) ?? events
            case "--first": first = UInt64(value) ?? first
            case "--trace": traced = UInt64(value)
            case "--only":
                guard let invariant = Invariant.allCases.first(where: { "\($0)" == value }) else { return nil }
                only = invariant
            default: return nil
            }
        }
    }
}

private struct Failure: Sendable {
    var seed: UInt64
    var violations: [Violation]
}

guard let options = Options(Array(CommandLine.arguments.dropFirst())) else {
    print("usage: simulate [--seeds N] [--events N] [--first SEED] [--no-shrink] [--only INVARIANT] [--trace SEED]")
    print("invariants: \(Invariant.allCases.map { "\($0)" }.joined(separator: ", "))")
    exit(64)
}

if let seed = options.traced, let invariant = options.only {
    var shrinker = Shrinker(keeping: invariant)
    let small = shrinker.shrink(Scenario.random(seed: seed, eventCount: options.events))
    for line in FleetSimulation.run(small, isTraced: true).trace { print(line) }
} else if let seed = options.traced {
    let result = FleetSimulation.run(Scenario.random(seed: seed, eventCount: options.events), isTraced: true)
    for line in result.trace { print(line) }
} else {
    let failures = await run(options)
    report(failures, options)
    if !failures.isEmpty { exit(1) }
}

private func run(_ options: Options) async -> [Failure] {
    let seeds = options.first..<(options.first + UInt64(options.seeds))
    let slice = 20
    return await withTaskGroup(of: [Failure].self) { group in
        for start in stride(from: seeds.lowerBound, to: seeds.upperBound, by: slice) {
            group.addTask {
                (start..<min(start + UInt64(slice), seeds.upperBound)).compactMap { seed in
                    let result = FleetSimulation.run(Scenario.random(seed: seed, eventCount: options.events))
                    if options.showsSizes {
                        print(
                            "seed \(seed): \(result.eventCount) steps, \(result.acceptedCount) accepted, \(result.length)"
                        )
                    }
                    let violations = result.violations.filter { options.only == nil || $0.invariant == options.only }
                    return violations.isEmpty ? nil : Failure(seed: seed, violations: violations)
                }
            }
        }
        var all: [Failure] = []
        for await some in group { all += some }
        return all.sorted { $0.seed < $1.seed }
    }
}

private func report(_ failures: [Failure], _ options: Options) {
    print(
        "\(options.seeds) seeds of \(options.events) events from seed \(options.first): \(failures.count) break a promise"
    )
    if options.showsSizes {
        for failure in failures { for violation in failure.violations { print("seed \(failure.seed): \(violation)") } }
    }
    for invariant in Invariant.allCases {
        let broken = failures.filter { $0.violations.contains { $0.invariant == invariant } }
        guard let first = broken.first else { continue }
        print("  \(broken.count)  \(invariant.rawValue) (\(invariant)), such as seeds \(broken.prefix(5).map(\.seed))")
        guard options.shrinks else { continue }
        var shrinker = Shrinker(keeping: invariant)
        let small = shrinker.shrink(Scenario.random(seed: first.seed, eventCount: options.events))
        print("    seed \(first.seed), \(small.steps.count) steps:")
        for line in FleetSimulation.run(small, isTraced: true).trace { print("      \(line)") }
    }
}
