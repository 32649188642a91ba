import Timestamps

/// The time in which a fault is active: always, in one window, or in a repeating window.
package struct FaultWindow: Sendable, Equatable {
    /// The delay from setting the fault to its beginning.
    package var delay = Duration.zero
    /// The length of the window; `nil` for no end.
    package var length: Duration?
    /// The interval between two beginnings; `nil` if it does not repeat. Requires a length, which must be shorter.
    package var period: Duration?

    /// The phase of a point in time.
    enum Phase: Equatable {
        /// The window begins after this time.
        case before(Duration)
        /// The window is active, with the remaining time; `nil` for no end.
        case inside(left: Duration?)
        /// The window is over and does not repeat.
        case over
    }

    /// Creates a window.
    ///
    /// - Parameters:
    ///   - delay: The delay from setting the fault to its beginning.
    ///   - length: The length of the window.
    ///   - period: The interval between two beginnings.
    package init(delay: Duration = .zero, length: Duration? = nil, period: Duration? = nil) {
        self.delay = delay
        self.length = length
        self.period = period
    }

    /// Returns the phase of a point in time.
    ///
    /// - Parameters:
    ///   - now: The point in time.
    ///   - start: The time at which the fault was set.
    /// - Returns: The phase.
    func phase(at now: Timestamp, setAt start: Timestamp) -> Phase {
        let elapsed = now - start - delay
        guard elapsed >= .zero else { return .before(.zero - elapsed) }
        guard let length else { return .inside(left: nil) }
        guard let period else { return elapsed < length ? .inside(left: length - elapsed) : .over }
        let begun = Duration.nanoseconds(elapsed.wholeNanoseconds % period.wholeNanoseconds)
        return begun < length ? .inside(left: length - begun) : .before(period - begun)
    }

    /// Returns the window that would be active at the same times if it were set now.
    ///
    /// A repeating window that is active is returned with its full length, because a shorter length would apply to all
    /// repetitions.
    ///
    /// - Parameters:
    ///   - now: The current time.
    ///   - start: The time at which the fault was set.
    /// - Returns: The window; `nil` if it is over.
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
