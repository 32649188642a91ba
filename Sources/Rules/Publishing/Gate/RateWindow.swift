package import Timestamps

/// A sliding window that ends with the present, and the latest events in it, compared with a rate.
///
/// It keeps as many instants as the rate allows and no more, because older ones decide nothing. They are of the monotonic
/// clock, so setting the civil clock neither empties nor fills a window.
package struct RateWindow: Sendable {
    package let rate: Rate
    /// Ascending from ``first`` on.
    private var instants: [Instant] = []
    private var first = 0

    /// Makes a window.
    ///
    /// - Parameters:
    ///   - rate: What it is held to.
    ///   - instants: What happened before, in any order.
    package init(_ rate: Rate, _ instants: some Sequence<Instant> = []) {
        self.rate = rate
        self.instants = instants.sorted().suffix(rate.count)
    }

    /// What happened of late, ascending; enough to make the window anew.
    package var latest: ArraySlice<Instant> { instants[first...] }

    /// The same past held to another rate.
    ///
    /// - Parameter rate: Where it allows more than the one before, what lies further back is not known.
    /// - Returns: A window that goes on.
    func held(to rate: Rate) -> RateWindow { RateWindow(rate, latest) }

    /// Whether one more would be more than the rate allows.
    ///
    /// - Parameter now: The present.
    /// - Returns: Whether as many as the rate allows happened in the time up to now; what is exactly that old is out.
    package func isFull(at now: Instant) -> Bool {
        instants.count - first >= rate.count && instants[instants.count - rate.count] > now - rate.per
    }

    /// Takes note that something happened.
    ///
    /// - Parameter now: The present.
    package mutating func note(at now: Instant) {
        var place = instants.count
        while place > first, instants[place - 1] > now { place -= 1 }
        instants.insert(now, at: place)
        while instants.count - first > rate.count || (first < instants.count && instants[first] <= now - rate.per) {
            first += 1
        }
        guard first * 2 > instants.count else { return }
        instants.removeFirst(first)
        first = 0
    }
}

extension RateWindow: Equatable {
    package static func == (left: RateWindow, right: RateWindow) -> Bool {
        left.rate == right.rate && left.latest == right.latest
    }
}
