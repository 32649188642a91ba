import Timestamps

/// When a fault strikes: at once and for ever, or in a window, or in one that comes again and again.
package struct FaultWindow: Sendable, Equatable {
    /// How long after it was set it begins.
    package var delay = Duration.zero
    /// How long it lasts; without end where there is none.
    package var length: Duration?
    /// From one beginning to the next; comes once where there is none. Longer than the length, which it needs.
    package var period: Duration?

    /// Where a moment lies.
    enum Phase: Equatable {
        /// It begins later, after so long.
        case before(Duration)
        /// It is in force, and for so much longer; without end where there is none.
        case inside(left: Duration?)
        /// It does not come again.
        case over
    }

    /// Makes a window.
    ///
    /// - Parameters:
    ///   - delay: How long after it was set it begins.
    ///   - length: How long it lasts.
    ///   - period: From one beginning to the next.
    package init(delay: Duration = .zero, length: Duration? = nil, period: Duration? = nil) {
        self.delay = delay
        self.length = length
        self.period = period
    }

    /// Where a moment lies.
    ///
    /// - Parameters:
    ///   - now: The moment.
    ///   - start: When it was set.
    /// - Returns: Relative to the windows around the moment.
    func phase(at now: Timestamp, setAt start: Timestamp) -> Phase {
        let elapsed = now - start - delay
        guard elapsed >= .zero else { return .before(.zero - elapsed) }
        guard let length else { return .inside(left: nil) }
        guard let period else { return elapsed < length ? .inside(left: length - elapsed) : .over }
        let begun = Duration.nanoseconds(elapsed.wholeNanoseconds % period.wholeNanoseconds)
        return begun < length ? .inside(left: length - begun) : .before(period - begun)
    }

    /// The window as it would have to be set now to strike on the same moments.
    ///
    /// A repeating one that is in force is given whole: what is left of it would be another length.
    ///
    /// - Parameters:
    ///   - now: The moment.
    ///   - start: When it was set.
    /// - Returns: Nothing where it does not come again.
    func remainder(at now: Timestamp, setAt start: Timestamp) -> FaultWindow? {
        var rest = self
        switch phase(at: now, setAt: start) {
        case .over: return nil
        case .before(let wait): rest.delay = wait
        case .inside(let left):
            rest.delay = .zero
            if period == nil { rest.length = left }
        }
        return rest
    }
}
