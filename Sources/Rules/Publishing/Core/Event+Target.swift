import NotificationHubs
import Timestamps

extension Event {
    /// One request of an event.
    struct Target: Sendable {
        enum Phase: Sendable, Equatable {
            /// In a lane.
            case ready
            case inFlight
            /// A timer brings it back to its lane.
            case waiting
            /// Its readers sleep until then.
            case resting(until: Timestamp)
            case settled(Settlement)
        }

        /// How a request ended for good.
        enum Settlement: String, Sendable {
            case accepted
            /// The hub does not take it.
            case refused
            /// The hub failed on it, again and again, while it took others.
            case unavailable
            /// Each attempt may have been a push, and nobody knows.
            case unknown
        }

        private(set) var send: PlannedSend
        var report = OutcomeRecord.Report()
        var phase: Phase = .ready
        /// Failed attempts that count for the back-off.
        private(set) var failures = 0
        /// Attempts of which nobody knows whether the hub took them.
        private var unknowns = 0
        /// Failures with the hub's own answer, of which each came after the hub had taken something else.
        private var ownFaults = 0
        /// How many requests the hub had taken when it failed on this one the last time.
        private var acceptancesThen: UInt64?

        init(_ send: PlannedSend) {
            self.send = send
        }

        var isSettled: Bool {
            if case .settled = phase { true } else { false }
        }

        /// Goes out, if it is its turn.
        ///
        /// - Returns: Whether it had not failed before; `nil` where it has no turn.
        mutating func begin() -> Bool? {
            guard phase == .ready else { return nil }
            phase = .inFlight
            report.attempts += 1
            return failures == 0
        }

        /// Takes note of what the hub or the transport said.
        mutating func answered(_ reply: HubReply) {
            report.httpStatus = reply.status
            report.notificationID = reply.notificationID
            report.trackingID = reply.trackingID
            report.error = reply.verdict == .accepted ? nil : reply.detail
            if reply.mayHaveBeenAccepted, reply.verdict != .accepted { report.status = .unknown }
        }

        /// Takes note that its hub is configured no more.
        mutating func lacksHub() {
            phase = .settled(.unavailable)
            report.error = "the hub \(send.hub) is not in the configuration any more"
        }

        /// Takes note that the hub has it.
        ///
        /// - Returns: What it has.
        @discardableResult
        mutating func wasAccepted(at instant: Timestamp) -> PlannedSend {
            phase = .settled(.accepted)
            report.status = .accepted
            report.acceptedAt = instant
            return send
        }
    }
}

// MARK: - Failed attempts

/// How often a request is tried.
package struct AttemptLimits: Sendable, Equatable {
    /// Attempts of which nobody knows whether the hub took them; after these the hub must be seen to answer in time first.
    package var unknownAtOnce = 3
    /// Attempts of which nobody knows whether the hub took them; after these the event ends.
    package var unknown = 5
    /// Failures of a hub that takes others in between; after these the event ends.
    package var ownFaults = 8

    package init() {}
}

extension Event.Target {
    /// What follows a failed attempt.
    enum Next: Sendable, Equatable {
        /// Another attempt. Where the hub takes nothing else in between, a probe is to tell whether it would.
        case tryAgain(needsEvidence: Bool)
        /// Another attempt, when the hub has been seen to answer in time.
        case waitForAnswer
        case giveUp(Settlement)
    }

    /// Counts a failed attempt.
    ///
    /// - Parameters:
    ///   - reply: What the hub or the transport said.
    ///   - began: When the attempt began.
    ///   - governor: The hub's, after it has heard the same.
    ///   - limits: How often is too often.
    /// - Returns: What follows.
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
        // Without an answer it is the network that failed, whatever was to be sent.
        guard reply.status != nil else { return .tryAgain(needsEvidence: false) }
        let hasTakenOthers = acceptancesThen.map { governor.acceptances > $0 } ?? false
        acceptancesThen = governor.acceptances
        if hasTakenOthers, governor.isHealthy { ownFaults += 1 }
        guard ownFaults < limits.ownFaults else { return .giveUp(.unavailable) }
        return .tryAgain(needsEvidence: ownFaults > 0)
    }
}

extension HubReply {
    /// Whether nobody knows if the hub took the message: the connection ended, or a machine in between gave up waiting.
    /// A hub that itself says 500 or 503 did not take it.
    fileprivate var isUnknownAttempt: Bool {
        verdict == .unknown || status.map { [408, 502, 504].contains($0) } ?? false
    }
}
