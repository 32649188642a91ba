import NotificationHubs
package import Timestamps

/// Why the circuit of a hub is open: nothing is sent to it but probes, and everything is kept.
package enum HoldReason: String, Sendable, CaseIterable {
    /// The hub does not answer, or answers that it cannot serve.
    case hubUnavailable = "hub_unavailable"
    /// 401: the key is wrong, was rolled or has lost its policy.
    case unauthorized
    /// 403 without Retry-After: the key may not send, or the tier does not allow it.
    case forbidden
    /// 404 or 410: no such namespace or hub.
    case hubNotFound = "hub_not_found"
    /// The hub refuses too many payloads: a bad deploy, not bad news.
    case refusals

    /// Why the circuit opens after such a verdict; `nil` if the hub's state is not its cause.
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

    /// What the person on call should do.
    package var remedy: String {
        switch self {
        case .hubUnavailable:
            "nothing is lost; sending resumes by itself when a probe is accepted. Check the hub's status and the network."
        case .unauthorized:
            "mend the connection string's key in its file; it is read again before each probe, no restart is needed."
        case .forbidden:
            "give the key's policy the Send claim, and check the hub's tier and quota."
        case .hubNotFound:
            "check the namespace in the connection string and the hub's name in the configuration."
        case .refusals:
            "the hub refuses most payloads: check what was deployed last (text patterns, properties). "
                + "Sending resumes when a probe is accepted."
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
package struct Hold: Sendable, Equatable {
    package var reason: HoldReason
    /// When it began, for people.
    package var since: Timestamp
    /// When it began, for how long it lasts.
    var began: Instant
    /// What the hub said, bounded; no credentials.
    package var detail: String
    /// Probes that failed so far.
    package var probes: Int = 0
    /// When the next probe may go.
    package var nextProbe: Instant

    init(_ reason: HoldReason, now: Moment, detail: String) {
        self.reason = reason
        self.since = now.wall
        self.began = now.instant
        self.detail = detail
        self.nextProbe = now.instant + reason.probeInterval.first
    }

    /// Plans the next probe after one that failed: the waits double up to the longest, or are as long as the hub asks.
    mutating func probeFailed(at now: Instant, notBefore pause: Duration) {
        probes += 1
        let (first, longest) = reason.probeInterval
        nextProbe = now + max(pause, Backoff.doubling(first, probes + 1, atMost: longest))
    }
}
