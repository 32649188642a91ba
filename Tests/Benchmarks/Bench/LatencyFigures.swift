/// The latencies from the due time of events to their arrival at the sink, in nanoseconds.
struct LatencyFigures: Sendable, Equatable {
    var median: Int64
    var p90: Int64
    var p99: Int64
    var most: Int64

    /// Computes the percentiles by nearest rank. All are zero without latencies.
    init(of latencies: some Sequence<Int64>) {
        let sorted = latencies.sorted()
        func value(_ part: Double) -> Int64 {
            guard !sorted.isEmpty else { return 0 }
            let rank = Int((Double(sorted.count) * part).rounded(.up))
            return sorted[max(0, min(sorted.count, rank) - 1)]
        }
        (median, p90, p99, most) = (value(0.5), value(0.9), value(0.99), value(1))
    }
}

extension LatencyFigures {
    /// The line that is exchanged between processes.
    var line: String { "\(median) \(p90) \(p99) \(most)" }

    /// Parses such a line.
    init?(line: String) {
        let numbers = line.split(separator: " ").compactMap { Int64($0) }
        guard numbers.count == 4 else { return nil }
        (median, p90, p99, most) = (numbers[0], numbers[1], numbers[2], numbers[3])
    }
}
