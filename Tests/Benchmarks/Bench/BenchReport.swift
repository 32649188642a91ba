/// The figures of one contender in one lap.
struct BenchLap: Sendable, Equatable {
    /// The number of events that reached the sink; for bare libcurl, the number of requests.
    var events: Int
    /// Greater than `events` if some events were sent twice.
    var requests: Int
    /// Seconds from the first request to the last, as seen by the sink.
    var seconds: Double
    /// User and system time of the process in seconds, from its start to its end.
    var cpu: Double
    /// The processor time by step; meaningless for bare libcurl.
    var steps: [BenchStep: Double] = [:]
    /// The peak memory of the process, in bytes.
    var peak: Int
    /// Seconds from the start of the process to the first request.
    var toFirst: Double
    /// Set if events were written at a steady rate.
    var latency: LatencyFigures?

    /// Events per second.
    var rate: Double { Double(events) / max(seconds, 1e-9) }

    /// Microseconds of processor time per event.
    var cpuPerEvent: Double { cpu * 1e6 / Double(max(1, events)) }
}

/// The figures of all laps.
struct BenchReport: Sendable {
    var settings: BenchSettings
    var machine: BenchMachine
    /// One lap per round.
    var bare: [BenchLap] = []
    /// One lap per round.
    var worker: [BenchLap] = []
    /// Objects that the Swift runtime allocated per event.
    var allocations: Double?
    /// Set if workers were killed.
    var kills: KillFigures?

    /// The median of the rounds' ratios. A disturbance of the machine affects both laps of a round.
    var rateRatio: Double { Self.median(zip(worker, bare).map { $0.rate / $1.rate }) }

    /// The median of the rounds' ratios of processor time per event.
    var cpuRatio: Double { Self.median(zip(worker, bare).map { $0.cpuPerEvent / $1.cpuPerEvent }) }

    /// Returns the median microseconds per event of a step of the worker.
    func cpuPerEvent(of step: BenchStep) -> Double {
        Self.median(worker.map { ($0.steps[step] ?? 0) * 1e6 / Double(max(1, $0.events)) })
    }

    /// Returns the median of a percentile of the latencies, in milliseconds; `nil` without a rate.
    func latency(_ value: (LatencyFigures) -> Int64) -> Double? {
        let values = worker.compactMap(\.latency).map { Double(value($0)) / 1e6 }
        return values.isEmpty ? nil : Self.median(values)
    }

    /// Returns the median; zero without values.
    static func median(_ values: [Double]) -> Double {
        let sorted = values.sorted()
        guard !sorted.isEmpty else { return 0 }
        return (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2
    }
}
