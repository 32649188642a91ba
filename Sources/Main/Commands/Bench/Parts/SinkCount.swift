import Locks

/// Counts what arrives at the sink, and when.
final class SinkCount: Sendable {
    private struct State {
        var figures = SinkFigures()
        /// When an event was first seen, by its number; zero for not yet.
        var arrivals: [Int64] = []
    }

    private let state = Locked(State())

    /// Forgets everything.
    ///
    /// - Parameter events: How many are to come, numbered from zero.
    func reset(expecting events: Int) {
        let arrivals = [Int64](repeating: 0, count: max(0, events))
        state.withLock { $0 = State(arrivals: arrivals) }
    }

    /// Counts a request.
    ///
    /// - Parameters:
    ///   - body: Of the request.
    ///   - now: In nanoseconds since the epoch.
    /// - Returns: How many there were before.
    func add(_ body: [UInt8], at now: Int64) -> Int {
        let number = Self.eventNumber(in: body)
        return state.withLock { state in
            defer { state.figures.requests += 1 }
            if state.figures.requests == 0 { state.figures.first = now }
            state.figures.last = now
            if let number, state.arrivals.indices.contains(number), state.arrivals[number] == 0 {
                state.arrivals[number] = now
                state.figures.events += 1
            }
            return state.figures.requests
        }
    }

    /// What was counted so far.
    var figures: SinkFigures { state.withLock(\.figures) }

    /// How late events were that were due at a steady rate.
    ///
    /// - Parameters:
    ///   - start: When event 0 was due, in nanoseconds since the epoch.
    ///   - rate: How many were due each second.
    /// - Returns: Of the events that came.
    func latencies(start: Int64, rate: Int64) -> LatencyFigures {
        let arrivals = state.withLock(\.arrivals)
        return LatencyFigures(
            of: arrivals.enumerated().lazy.filter { $0.element > 0 }.map { number, arrival in
                arrival &- BenchEvents.due(number, start: start, rate: rate)
            }
        )
    }

    /// The number of the event that a send tells of, `{"id":"e-0000042"` at its beginning; `nil` for any other body.
    static func eventNumber(in body: [UInt8]) -> Int? {
        let start = Array(#"{"id":"e-"#.utf8)
        guard body.starts(with: start) else { return nil }
        let digits = body[start.count...].prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        return digits.isEmpty ? nil : Int(String(decoding: digits, as: UTF8.self))
    }
}

/// What a sink counted.
struct SinkFigures: Sendable, Equatable {
    /// All of them, also those that came twice.
    var requests = 0
    /// How many events were seen at least once.
    var events = 0
    /// When the first request came, in nanoseconds since the epoch; zero before.
    var first: Int64 = 0
    /// When the last one came.
    var last: Int64 = 0

    /// From the first request to the last.
    var seconds: Double { Double(last - first) / 1e9 }
}

extension SinkFigures {
    /// As a line between processes.
    var line: String { "\(requests) \(events) \(first) \(last)" }

    /// Reads such a line.
    init?(line: String) {
        let numbers = line.split(separator: " ").compactMap { Int64($0) }
        guard numbers.count == 4 else { return nil }
        self.init(requests: Int(numbers[0]), events: Int(numbers[1]), first: numbers[2], last: numbers[3])
    }
}
