package import NewsflashTimestamps

/// A sliding window up to the current time with the latest events in it, compared with a rate.
///
/// It keeps at most as many instants as the rate allows, because older ones do not matter. They are on the monotonic clock, so
/// setting the civil clock neither empties nor fills a window.
package struct RateWindow: Sendable, Equatable {
    package let rate: Rate
    /// When the latest events happened, ascending; sufficient to create the window again.
    package private(set) var latest: [Instant]

    /// Creates a window from earlier events, in any order.
    package init(_ rate: Rate, _ instants: some Sequence<Instant> = []) {
        self.rate = rate
        self.latest = instants.sorted().suffix(rate.count)
    }

    /// The same events under another rate. If it allows more than the one before, older events are missing.
    func held(to rate: Rate) -> RateWindow { RateWindow(rate, latest) }

    /// Whether one more event would exceed the rate. An event that is exactly `per` old does not count.
    package func isFull(at now: Instant) -> Bool {
        latest.count >= rate.count && latest[latest.count - rate.count] > now - rate.per
    }

    /// Records that an event happened.
    package mutating func record(at now: Instant) {
        latest.insert(now, at: latest.lastIndex { $0 <= now }.map { $0 + 1 } ?? 0)
        let excess = max(latest.count - rate.count, 0)
        latest.removeFirst(latest[excess...].firstIndex { $0 > now - rate.per } ?? latest.count)
    }
}
