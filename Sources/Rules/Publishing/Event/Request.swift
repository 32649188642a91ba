import NewsflashTimestamps
import NotificationHubs

/// One request of an event.
struct Request: Sendable {
    enum State: Sendable, Equatable {
        /// It may begin when its turn comes.
        case ready
        case inFlight
        /// It is tried again at this time.
        case backingOff(until: Instant)
        /// Its subscribers have quiet hours until this time.
        case deferred(until: Timestamp)
        case settled(Settlement)
    }

    /// The final result of a request.
    enum Settlement: String, Sendable {
        case accepted
        /// The hub does not accept it.
        case refused
        /// The hub failed on it repeatedly, while it accepted others.
        case unavailable
        /// The hub may have accepted each attempt, and this cannot be determined.
        case unknown
        /// Its hub is not configured.
        case hubRemoved = "hub_removed"
    }

    let plan: PlannedSend
    private(set) var report = OutcomeRecord.Report()
    private(set) var state = State.ready
    /// Failed attempts that count for the backoff.
    private(set) var failures = 0
    /// Attempts that the hub may have accepted, without a definite answer.
    private(set) var unknowns = 0
    /// Failures with an answer of the hub, each after the hub had accepted another request.
    private var ownFaults = 0
    /// The number of requests that the hub had accepted when it last failed on this one.
    private var acceptancesThen: UInt64?

    init(_ plan: PlannedSend) {
        self.plan = plan
    }

    /// Creates a new plan of the same request, and keeps its attempts and its settlement.
    ///
    /// - Parameters:
    ///   - plan: The plan, for the same audience.
    ///   - earlier: The request with its earlier plan.
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

    /// Whether another attempt must begin.
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

    /// Makes it ready for its turn again.
    mutating func becomeReady() { state = .ready }

    mutating func backOff(until instant: Instant) { state = .backingOff(until: instant) }

    mutating func `defer`(until instant: Timestamp) { state = .deferred(until: instant) }

    mutating func settle(_ settlement: Settlement) {
        state = .settled(settlement)
        if settlement == .refused, report.status != .unknown { report.status = .rejected }
    }

    /// Records the answer of the hub or the transport.
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

    /// Records that earlier attempts, of this worker or another, may have been accepted.
    mutating func hasUnknownAttempts(_ count: Int) {
        unknowns = max(unknowns, count)
        report.status = .unknown
    }

    /// Records that its hub is not configured.
    mutating func lacksHub() {
        state = .settled(.hubRemoved)
        report.error = "the hub \(plan.hub) is not in the configuration any more"
    }
}

// MARK: - Failed attempts

/// The numbers of attempts after which a request is given up or delayed.
package struct AttemptLimits: Sendable, Equatable {
    /// Attempts without a definite answer before the hub must answer in time.
    package var unknownAtOnce = 3
    /// Attempts without a definite answer before the event ends.
    package var unknown = 5
    /// Failures of a hub that accepts others in between, before the event ends.
    package var ownFaults = 8

    package init() {}
}

extension Request {
    /// The step that follows a failed attempt.
    enum Next: Sendable, Equatable {
        /// Another attempt. If the hub accepts nothing else in between, a probe must show whether it would.
        case tryAgain(needsEvidence: Bool)
        /// Another attempt, after the hub has answered in time.
        case waitForAnswer
        case giveUp(Settlement)
    }

    /// Counts a failed attempt.
    ///
    /// - Parameters:
    ///   - reply: The answer of the hub or of the transport.
    ///   - began: When the attempt began.
    ///   - governor: The governor of the hub, after it has counted the same reply.
    ///   - limits: The limits of attempts.
    /// - Returns: The next step.
    mutating func failed(
        _ reply: HubReply,
        began: Instant,
        _ governor: SendLimiter,
        limits: AttemptLimits
    ) -> Next {
        failures += 1
        if reply.isUnknownAttempt {
            unknowns += 1
            guard unknowns < limits.unknown else { return .giveUp(.unknown) }
            let isAnswering = governor.lastAcceptedAt.map { $0 > began } ?? false
            return unknowns >= limits.unknownAtOnce && !isAnswering ? .waitForAnswer : .tryAgain(needsEvidence: false)
        }
        // Without an answer the network has failed, and the request is not the cause.
        guard reply.status != nil else { return .tryAgain(needsEvidence: false) }
        let hasAcceptedOthers = acceptancesThen.map { governor.acceptances > $0 } ?? false
        acceptancesThen = governor.acceptances
        if hasAcceptedOthers, governor.isHealthy { ownFaults += 1 }
        guard ownFaults < limits.ownFaults else { return .giveUp(.unavailable) }
        return .tryAgain(needsEvidence: ownFaults > 0)
    }
}

extension HubReply {
    /// Whether it is unknown if the hub accepted the message: the connection ended, or an intermediary timed out. A hub that
    /// itself responds with 500 or 503 did not accept it.
    var isUnknownAttempt: Bool {
        verdict == .unknown || status.map { [408, 502, 504].contains($0) } ?? false
    }
}
