import NewsflashBasics
import NewsflashTimestamps

/// The active faults with their own random generator: the same seed and requests produce the same faults, regardless of other
/// random values.
struct Faults {
    /// The combined effect of the faults on one request.
    struct Effect {
        /// The refusal that replaces the request's own response.
        var failure: HubFailure?
        var cut: Fault.Cut?
        /// Whether the request takes effect.
        var hasEffect = true
        var latency: Duration = .zero
    }

    private struct Active {
        var fault: Fault
        var set: Timestamp
        var bucket: FaultBucket?

        func isInForce(now: Timestamp) -> Bool {
            guard case .inside = fault.window.phase(at: now, setAt: set) else { return false }
            return (fault.remaining ?? 1) > 0
        }

        func isOver(now: Timestamp) -> Bool {
            fault.remaining == 0 || fault.window.phase(at: now, setAt: set) == .over
        }
    }

    private var active: [Active] = []
    private var generator: SeededRandom

    init(seed: UInt64) {
        // Gives another sequence than the ids, which use the seed itself.
        self.generator = SeededRandom(seed: ~seed)
    }

    mutating func set(_ faults: [Fault], now: Timestamp) {
        active = faults.map { fault in
            Active(fault: fault, set: now, bucket: fault.throttle.map { FaultBucket(perSecond: $0, now: now) })
        }
    }

    /// The faults that are active or will be, with their remaining time and count.
    func current(now: Timestamp) -> [Fault] {
        active.filter { !$0.isOver(now: now) }.compactMap { entry in
            var fault = entry.fault
            guard let window = fault.window.remainder(at: now, setAt: entry.set) else { return nil }
            fault.window = window
            return fault
        }
    }

    /// Determines the faults of a request: the first that refuses or cuts, and the sum of the delays up to it.
    mutating func effect(on call: HubCall, now: Timestamp) -> Effect {
        guard !active.isEmpty else { return Effect() }
        active.removeAll { $0.isOver(now: now) }
        var effect = Effect()
        for index in active.indices where active[index].isInForce(now: now) {
            let fault = active[index].fault
            guard fault.scope.contains(call), fault.rate.applies(using: &generator),
                active[index].bucket?.consumeToken(now: now) != true
            else { continue }
            active[index].fault.remaining = fault.remaining.map { $0 - 1 }
            effect.latency = min(effect.latency + fault.latency.draw(using: &generator), FaultLatency.longest)
            guard fault.refusal != nil || fault.cut != nil else { continue }
            effect.failure = fault.refusal.map { status in
                .injected(status, tokenError: fault.tokenError, retryAfter: fault.retryAfter?.text(now: now))
            }
            effect.cut = fault.cut
            effect.hasEffect = fault.hasEffect
            break
        }
        return effect
    }
}

extension Fault.RetryAfter {
    fileprivate func text(now: Timestamp) -> String {
        switch self {
        case .seconds(let seconds): String(seconds)
        case .date(let secondsAhead): (now + .seconds(secondsAhead)).httpDate
        }
    }
}

/// A rate limiter per second that allows a burst of one second's worth after a pause.
struct FaultBucket {
    private let perSecond: Double
    private let capacity: Double
    private var tokens: Double
    private var filled: Timestamp

    /// Creates a full bucket.
    ///
    /// - Parameters:
    ///   - perSecond: The rate, above zero. The capacity is at least one.
    ///   - now: The current time.
    init(perSecond: Double, now: Timestamp) {
        self.perSecond = perSecond
        self.capacity = max(1, perSecond)
        self.tokens = capacity
        self.filled = now
    }

    /// Consumes a token.
    ///
    /// - Parameter now: The current time; it may be earlier than before if the clock was set back.
    /// - Returns: False if the bucket is empty.
    mutating func consumeToken(now: Timestamp) -> Bool {
        tokens = min(capacity, tokens + max(0, (now - filled) / .seconds(1)) * perSecond)
        filled = now
        // The tolerance covers rounding: ten times 0.1 s is slightly less than 1 s.
        guard tokens >= 1 - 1e-9 else { return false }
        tokens -= 1
        return true
    }
}

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
