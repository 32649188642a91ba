package import NewsflashTimestamps
import NotificationHubs

/// The reason why the circuit of a hub is open: only probes are sent to it, and all events are kept.
package enum CircuitReason: String, Sendable, CaseIterable {
    /// The hub does not answer, or answers that it cannot serve.
    case hubUnavailable = "hub_unavailable"
    /// 401: the key is wrong, was rotated or has lost its policy.
    case unauthorized
    /// 403 without Retry-After: the key may not send, or the tier does not allow it.
    case forbidden
    /// 404 or 410: the namespace or hub does not exist.
    case hubNotFound = "hub_not_found"
    /// The hub refuses too many payloads: probably because of a bad deploy.
    case refusals

    /// The reason for opening the circuit after a verdict; `nil` if the hub's state is not its cause.
    init?(_ verdict: HubReply.Verdict) {
        switch verdict {
        case .refused: self = .refusals
        case .unauthorized: self = .unauthorized
        case .forbidden: self = .forbidden
        case .notFound, .gone: self = .hubNotFound
        case .unavailable, .unknown: self = .hubUnavailable
        case .accepted, .throttled, .notSent: return nil
        }
    }

    /// Advice for the person on call.
    package var remedy: String {
        switch self {
        case .hubUnavailable:
            "nothing is lost; sending continues automatically when the hub accepts a probe. Check the hub's status and the "
                + "network."
        case .unauthorized:
            "correct the key in the connection string: its file is read again before each probe; after a change of a "
                + "variable, restart the workers."
        case .forbidden:
            "give the key's policy the Send claim, and check the hub's tier and quota."
        case .hubNotFound:
            "check the namespace in the connection string and the hub's name in the configuration."
        case .refusals:
            "the hub refuses most payloads: check what was deployed last (text patterns, properties). "
                + "Sending continues when the hub accepts a probe."
        }
    }

    /// The first wait before a probe, and the longest.
    var probeInterval: (first: Duration, longest: Duration) {
        switch self {
        case .hubUnavailable: (.milliseconds(500), .seconds(2))
        case .unauthorized, .forbidden, .hubNotFound: (.seconds(1), .seconds(3))
        case .refusals: (.seconds(2), .seconds(15))
        }
    }
}

/// An open circuit.
package struct OpenCircuit: Sendable, Equatable {
    package var reason: CircuitReason
    /// When it began, for people.
    package var since: Timestamp
    /// When it began, to measure how long it lasts.
    var began: Instant
    /// The hub's answer, bounded in length and without credentials.
    package var detail: String
    /// The number of failed probes.
    package var probes: Int = 0
    /// When the next probe may be sent.
    package var nextProbe: Instant

    init(_ reason: CircuitReason, now: Moment, detail: String) {
        self.reason = reason
        self.since = now.wall
        self.began = now.instant
        self.detail = detail
        self.nextProbe = now.instant + reason.probeInterval.first
    }

    /// Schedules the next probe after a failed one: the waits double up to the longest, or are as long as the hub asks for.
    mutating func probeFailed(at now: Instant, notBefore pause: Duration) {
        probes += 1
        let (first, longest) = reason.probeInterval
        nextProbe = now + max(pause, Backoff.doubling(first, probes + 1, atMost: longest))
    }
}
