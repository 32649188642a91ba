import Randomness
import Timestamps

/// The active faults with their own random generator: the same seed and requests produce the same faults, regardless of other
/// random values.
struct Faults {
    /// The combined effect of the faults on one request.
    struct Strike {
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
    mutating func strike(_ call: HubCall, now: Timestamp) -> Strike {
        guard !active.isEmpty else { return Strike() }
        active.removeAll { $0.isOver(now: now) }
        var strike = Strike()
        for index in active.indices where active[index].isInForce(now: now) {
            let fault = active[index].fault
            guard fault.scope.contains(call), fault.rate.strikes(using: &generator),
                active[index].bucket?.consumeToken(now: now) != true
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
