import NotificationHubs
import Timestamps

/// One request of an event.
struct Request: Sendable {
    enum State: Sendable, Equatable {
        /// It may begin when its turn comes.
        case ready
        case inFlight
        /// It is tried again then.
        case backingOff(until: Instant)
        /// Its subscribers sleep until then.
        case deferred(until: Timestamp)
        case settled(Settlement)
    }

    /// How a request ended.
    enum Settlement: String, Sendable {
        case accepted
        /// The hub does not accept it.
        case refused
        /// The hub failed on it, again and again, while it accepted others.
        case unavailable
        /// Each attempt may have been accepted, and nobody knows.
        case unknown
        /// Its hub is not configured.
        case hubRemoved = "hub_removed"
    }

    let plan: PlannedSend
    private(set) var report = OutcomeRecord.Report()
    private(set) var state = State.ready
    /// Failed attempts that count for the back-off.
    private(set) var failures = 0
    /// Attempts of which nobody knows whether the hub accepted them.
    private(set) var unknowns = 0
    /// Failures with the hub's own answer, of which each came after the hub had accepted something else.
    private var ownFaults = 0
    /// How many requests the hub had accepted when it failed on this one the last time.
    private var acceptancesThen: UInt64?

    init(_ plan: PlannedSend) {
        self.plan = plan
    }

    /// The same request planned again: its attempts and its settlement go on to count.
    ///
    /// - Parameters:
    ///   - plan: To the same audience.
    ///   - earlier: As it was planned before.
    init(_ plan: PlannedSend, after earlier: Request) {
        self.plan = plan
        report = earlier.report
        failures = earlier.failures
        unknowns = earlier.unknowns
        ownFaults = earlier.ownFaults
        acceptancesThen = earlier.acceptancesThen
        if case .settled = earlier.state { state = earlier.state }
    }

    var isSettled: Bool {
        if case .settled = state { true } else { false }
    }

    /// Whether an attempt is still to begin.
    var isPending: Bool {
        switch state {
        case .ready, .backingOff, .deferred: true
        case .inFlight, .settled: false
        }
    }

    var isAccepted: Bool { state == .settled(.accepted) }

    /// Begins an attempt.
    ///
    /// - Returns: Whether it is the first that counts.
    mutating func begin() -> Bool {
        state = .inFlight
        report.attempts += 1
        return failures == 0
    }

    /// Goes back to its place in the lane.
    mutating func becomeReady() { state = .ready }

    mutating func backOff(until instant: Instant) { state = .backingOff(until: instant) }

    mutating func `defer`(until instant: Timestamp) { state = .deferred(until: instant) }

    mutating func settle(_ settlement: Settlement) {
        state = .settled(settlement)
        if settlement == .refused, report.status != .unknown { report.status = .rejected }
    }

    /// Records what the hub or the transport answered.
    mutating func answered(_ reply: HubReply) {
        report.httpStatus = reply.status
        report.notificationID = reply.notificationID
        report.trackingID = reply.trackingID
        report.error = reply.verdict == .accepted ? nil : reply.detail
        if reply.verdict == .notSent { report.attempts -= 1 }
        if reply.mayHaveBeenAccepted, reply.verdict != .accepted { report.status = .unknown }
    }

    /// Records that a hub accepted it.
    mutating func accept(at instant: Timestamp) {
        state = .settled(.accepted)
        report.status = .accepted
        report.acceptedAt = instant
    }

    /// Records that an earlier attempt, of this worker or another, may have been accepted.
    mutating func hasUnknownAttempt() {
        unknowns = max(unknowns, 1)
        report.status = .unknown
    }

    /// Records that its hub is not configured.
    mutating func lacksHub() {
        state = .settled(.hubRemoved)
        report.error = "the hub \(plan.hub) is not in the configuration any more"
    }
}

// MARK: - Failed attempts

/// How often a request is tried.
package struct AttemptLimits: Sendable, Equatable {
    /// Attempts of which nobody knows whether the hub accepted them; after these the hub must answer in time first.
    package var unknownAtOnce = 3
    /// Attempts of which nobody knows whether the hub accepted them; after these the event ends.
    package var unknown = 5
    /// Failures of a hub that accepts others in between; after these the event ends.
    package var ownFaults = 8

    package init() {}
}

extension Request {
    /// The step that follows a failed attempt.
    enum Next: Sendable, Equatable {
        /// Another attempt. If the hub accepts nothing else in between, a probe must show whether it would.
        case tryAgain(needsEvidence: Bool)
        /// Another attempt, when the hub has answered in time.
        case waitForAnswer
        case giveUp(Settlement)
    }

    /// Counts a failed attempt.
    ///
    /// - Parameters:
    ///   - reply: The answer of the hub or of the transport.
    ///   - began: When the attempt began.
    ///   - governor: The hub's, after it was given the same reply.
    ///   - limits: How often is too often.
    /// - Returns: The step that follows.
    mutating func failed(
        _ reply: HubReply,
        began: Instant,
        _ governor: Governor,
        limits: AttemptLimits
    ) -> Next {
        failures += 1
        if reply.isUnknownAttempt {
            unknowns += 1
            guard unknowns < limits.unknown else { return .giveUp(.unknown) }
            let isAnswering = governor.lastAcceptedAt.map { $0 > began } ?? false
            return unknowns >= limits.unknownAtOnce && !isAnswering ? .waitForAnswer : .tryAgain(needsEvidence: false)
        }
        // Without an answer the network has failed, whatever the request was.
        guard reply.status != nil else { return .tryAgain(needsEvidence: false) }
        let hasAcceptedOthers = acceptancesThen.map { governor.acceptances > $0 } ?? false
        acceptancesThen = governor.acceptances
        if hasAcceptedOthers, governor.isHealthy { ownFaults += 1 }
        guard ownFaults < limits.ownFaults else { return .giveUp(.unavailable) }
        return .tryAgain(needsEvidence: ownFaults > 0)
    }
}

extension HubReply {
    /// Whether nobody knows if the hub accepted the message: the connection ended, or a machine in between gave up waiting.
    /// A hub that itself responds with 500 or 503 did not accept it.
    fileprivate var isUnknownAttempt: Bool {
        verdict == .unknown || status.map { [408, 502, 504].contains($0) } ?? false
    }
}
