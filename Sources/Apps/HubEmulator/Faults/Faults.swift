import Randomness
import Timestamps

/// The faults in force, with chance of their own: the same seed and requests give the same strikes, whatever else is drawn.
struct Faults {
    /// What strikes one request.
    struct Strike {
        /// What to answer in place of the request's own answer.
        var failure: HubFailure?
        var cut: Fault.Cut?
        /// Whether the request has its effect.
        var hasEffect = true
        var latency: Duration = .zero
    }

    private struct Active {
        var fault: Fault
        var set: Timestamp
        var bucket: TokenBucket?

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
        // Another sequence than that of the names, which come from the seed itself.
        self.generator = SeededRandom(seed: ~seed)
    }

    mutating func set(_ faults: [Fault], now: Timestamp) {
        active = faults.map { fault in
            Active(fault: fault, set: now, bucket: fault.throttle.map { TokenBucket(perSecond: $0, now: now) })
        }
    }

    /// Those in force or still to come, with what is left of them.
    func current(now: Timestamp) -> [Fault] {
        active.filter { !$0.isOver(now: now) }.compactMap { entry in
            var fault = entry.fault
            guard let window = fault.window.remainder(at: now, setAt: entry.set) else { return nil }
            fault.window = window
            return fault
        }
    }

    /// Decides what strikes a request: the first fault that refuses or cuts, and the latencies of all before it and its own.
    mutating func strike(_ call: HubCall, now: Timestamp) -> Strike {
        guard !active.isEmpty else { return Strike() }
        active.removeAll { $0.isOver(now: now) }
        var strike = Strike()
        for index in active.indices where active[index].isInForce(now: now) {
            let fault = active[index].fault
            guard fault.scope.contains(call), fault.rate.strikes(using: &generator),
                active[index].bucket?.take(now: now) != true
            else { continue }
            active[index].fault.remaining = fault.remaining.map { $0 - 1 }
            strike.latency = min(strike.latency + fault.latency.draw(using: &generator), FaultLatency.longest)
            guard fault.refusal != nil || fault.cut != nil else { continue }
            strike.failure = fault.refusal.map { status in
                .injected(status, tokenError: fault.tokenError, retryAfter: fault.retryAfter?.text(now: now))
            }
            strike.cut = fault.cut
            strike.hasEffect = fault.hasEffect
            break
        }
        return strike
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
