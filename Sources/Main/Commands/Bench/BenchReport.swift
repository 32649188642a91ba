/// The figures of one contender in one lap.
struct BenchLap: Sendable, Equatable {
    /// How many events reached the sink; of bare libcurl, how many requests.
    var events: Int
    /// More than events where some were sent twice.
    var requests: Int
    /// From the first request to the last, as the sink saw them.
    var seconds: Double
    /// User and system time of the process in seconds, from its start to its end.
    var cpu: Double
    /// The same by what threads do; of bare libcurl it says nothing.
    var steps: [BenchStep: Double] = [:]
    /// The most memory that the process had, in bytes.
    var peak: Int
    /// Seconds from the start of the process to the first request.
    var toFirst: Double
    /// Where events came at a steady rate.
    var latency: LatencyFigures?

    /// Events a second.
    var rate: Double { Double(events) / max(seconds, 1e-9) }

    /// Microseconds of processor time an event.
    var cpuPerEvent: Double { cpu * 1e6 / Double(max(1, events)) }
}

/// The figures of all laps.
struct BenchReport: Sendable {
    var settings: BenchSettings
    var machine: BenchMachine
    /// One a round.
    var bare: [BenchLap] = []
    /// One a round.
    var worker: [BenchLap] = []
    /// Objects that the Swift runtime allocated for an event.
    var allocations: Double?
    /// Where workers were killed.
    var kills: KillFigures?

    /// Of the rounds' ratios: what disturbed the machine met both laps of a round.
    var rateRatio: Double { Self.median(zip(worker, bare).map { $0.rate / $1.rate }) }

    /// The same of processor time an event.
    var cpuRatio: Double { Self.median(zip(worker, bare).map { $0.cpuPerEvent / $1.cpuPerEvent }) }

    /// Microseconds an event of a step of the worker.
    func cpuPerEvent(of step: BenchStep) -> Double {
        Self.median(worker.map { ($0.steps[step] ?? 0) * 1e6 / Double(max(1, $0.events)) })
    }

    /// A percentile of the latencies in milliseconds; `nil` where there was no rate.
    func latency(_ value: (LatencyFigures) -> Int64) -> Double? {
        let values = worker.compactMap(\.latency).map { Double(value($0)) / 1e6 }
        return values.isEmpty ? nil : Self.median(values)
    }

    /// The middle value, or between the two in the middle; zero where there is none.
    static func median(_ values: [Double]) -> Double {
        let sorted = values.sorted()
        guard !sorted.isEmpty else { return 0 }
        return (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2
    }
}
