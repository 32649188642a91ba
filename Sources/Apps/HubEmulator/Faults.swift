import Timestamps

/// Something that goes wrong on purpose, for requests to the hub (not for inspection).
package struct Fault: Sendable, Equatable {
    /// What the header `Retry-After` says.
    package enum RetryAfter: Sendable, Equatable {
        /// A number of seconds.
        case seconds(Int)
        /// The date that lies so many seconds ahead when the fault strikes.
        case date(secondsAhead: Int)
    }

    /// Answers with this status; a fault without it only adds its latency.
    package var status: Int?
    /// Stands in the answer.
    package var retryAfter: RetryAfter?
    /// Cuts the connection in place of an answer; a status then does not matter.
    package var isCut = false
    /// Answers so much later.
    package var latency: Duration = .zero
    /// Whether the send is accepted before the answer says no, as when a gateway times out.
    package var isAccepted = false
    /// Strikes only where the body has this text.
    package var containing: String?
    /// The share of requests that it strikes, from 0 to 1.
    package var rate: Double = 1
    /// How often it strikes; without end where there is none.
    package var remaining: Int?
    /// How long it lasts; without end where there is none. Counts from the moment it is set.
    package var lasting: Duration?

    /// Makes a fault.
    ///
    /// - Parameters:
    ///   - status: Answers with this status.
    ///   - retryAfter: Stands in the answer.
    ///   - isCut: Cuts the connection in place of an answer.
    ///   - latency: Answers so much later.
    ///   - isAccepted: Whether the send is accepted before the answer says no.
    ///   - containing: Strikes only where the body has this text.
    ///   - rate: The share of requests that it strikes.
    ///   - remaining: How often it strikes.
    ///   - lasting: How long it lasts.
    package init(
        status: Int? = nil,
        retryAfter: RetryAfter? = nil,
        isCut: Bool = false,
        latency: Duration = .zero,
        isAccepted: Bool = false,
        containing: String? = nil,
        rate: Double = 1,
        remaining: Int? = nil,
        lasting: Duration? = nil
    ) {
        self.status = status
        self.retryAfter = retryAfter
        self.isCut = isCut
        self.latency = latency
        self.isAccepted = isAccepted
        self.containing = containing
        self.rate = rate
        self.remaining = remaining
        self.lasting = lasting
    }
}

/// The faults in force.
struct Faults {
    /// What strikes one request.
    struct Strike {
        var failure: HubFailure?
        var isCut = false
        var isAccepted = false
        var latency: Duration = .zero
    }

    private struct Active {
        var fault: Fault
        var until: Timestamp?

        func isInForce(now: Timestamp) -> Bool {
            (fault.remaining ?? 1) > 0 && until.map { now < $0 } ?? true
        }
    }

    private var active: [Active] = []

    mutating func set(_ faults: [Fault], now: Timestamp) {
        active = faults.map { Active(fault: $0, until: $0.lasting.map { now + $0 }) }
    }

    /// Those in force, with what is left of them.
    func current(now: Timestamp) -> [Fault] {
        active.filter { $0.isInForce(now: now) }.map { entry in
            var fault = entry.fault
            fault.lasting = entry.until.map { $0 - now }
            return fault
        }
    }

    /// Decides what strikes a request: the first fault with a status or a cut, and the latencies of all before it and its own.
    mutating func strike(body: [UInt8], now: Timestamp, using generator: inout SeededGenerator) -> Strike {
        guard !active.isEmpty else { return Strike() }
        active.removeAll { !$0.isInForce(now: now) }
        var strike = Strike()
        for index in active.indices where active[index].fault.concerns(body, using: &generator) {
            let fault = active[index].fault
            active[index].fault.remaining = fault.remaining.map { $0 - 1 }
            strike.latency += fault.latency
            guard let status = fault.isCut ? 500 : fault.status else { continue }
            strike.failure = .injected(status, retryAfter: fault.retryAfter?.text(now: now))
            strike.isCut = fault.isCut
            strike.isAccepted = fault.isAccepted
            break
        }
        return strike
    }
}

extension Fault {
    fileprivate func concerns(_ body: [UInt8], using generator: inout SeededGenerator) -> Bool {
        if let containing, !body.contains(containing) { return false }
        return rate >= 1 || Double.random(in: 0..<1, using: &generator) < rate
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

extension [UInt8] {
    fileprivate func contains(_ text: String) -> Bool {
        let wanted = Array(text.utf8)
        guard let first = wanted.first else { return true }
        guard count >= wanted.count else { return false }
        return (0...(count - wanted.count)).contains { self[$0] == first && self[$0...].starts(with: wanted) }
    }
}
