import NewsflashBasics

/// Counts the requests that arrive at the sink, with their times.
final class SinkCount: Sendable {
    private struct State {
        var figures = SinkFigures()
        /// The time at which each event was first seen, by number; zero if not yet.
        var arrivals: [Int64] = []
    }

    private let state = Locked(State())

    /// Resets all counts.
    ///
    /// - Parameter events: The number of expected events, numbered from zero.
    func reset(expecting events: Int) {
        let arrivals = [Int64](repeating: 0, count: max(0, events))
        state.withLock { $0 = State(arrivals: arrivals) }
    }

    /// Counts a request.
    ///
    /// - Parameters:
    ///   - body: The body of the request.
    ///   - now: The current time, in nanoseconds since the epoch.
    /// - Returns: The number of earlier requests.
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

    /// The current counts.
    var figures: SinkFigures { state.withLock(\.figures) }

    /// Returns how late events were, compared with a steady rate.
    ///
    /// - Parameters:
    ///   - start: The due time of event 0, in nanoseconds since the epoch.
    ///   - rate: Events due per second.
    /// - Returns: The latencies of the events that arrived.
    func latencies(start: Int64, rate: Int64) -> LatencyFigures {
        let arrivals = state.withLock(\.arrivals)
        return LatencyFigures(
            of: arrivals.enumerated().lazy.filter { $0.element > 0 }.map { number, arrival in
                arrival &- BenchEvents.due(number, start: start, rate: rate)
            }
        )
    }

    /// Returns the number of the event in the body of a send, which begins with `{"id":"e-0000042"`; `nil` for any other
    /// body.
    static func eventNumber(in body: [UInt8]) -> Int? {
        let start = Array(#"{"id":"e-"#.utf8)
        guard body.starts(with: start) else { return nil }
        let digits = body[start.count...].prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        return digits.isEmpty ? nil : Int(String(decoding: digits, as: UTF8.self))
    }
}

/// The counts of a sink.
struct SinkFigures: Sendable, Equatable {
    /// All requests, including duplicates.
    var requests = 0
    /// The number of events that were seen at least once.
    var events = 0
    /// The time of the first request, in nanoseconds since the epoch; zero before it.
    var first: Int64 = 0
    /// The time of the last request.
    var last: Int64 = 0

    /// Seconds from the first request to the last.
    var seconds: Double { Double(last - first) / 1e9 }
}

extension SinkFigures {
    /// The line that is exchanged between processes.
    var line: String { "\(requests) \(events) \(first) \(last)" }

    /// Parses such a line.
    init?(line: String) {
        let numbers = line.split(separator: " ").compactMap { Int64($0) }
        guard numbers.count == 4 else { return nil }
        self.init(requests: Int(numbers[0]), events: Int(numbers[1]), first: numbers[2], last: numbers[3])
    }
}
