package import NotificationHubs

/// Decides when a request to one hub may go.
///
/// One for each hub, shared by all lanes. It keeps slots for express, obeys Retry-After, and holds the line when the fault
/// is the hub's, the network's or our credentials': then only one probe at a time goes out.
package struct Governor: Sendable {
    /// Bounds of what is under way.
    package struct Limits: Sendable, Equatable {
        /// Requests under way at most.
        package var concurrency: Int
        /// Slots of these that only express may take.
        package var expressReserve: Int
        /// Failures in a row, with no success between, that mean the hub is down.
        package var outageAfter: Int

        package init(concurrency: Int = 64, expressReserve: Int = 8, outageAfter: Int = 5) {
            self.concurrency = concurrency
            self.expressReserve = expressReserve
            self.outageAfter = outageAfter
        }
    }

    /// Whether a request may go.
    package enum Permission: Sendable, Equatable {
        case go
        /// As the one request that finds out whether the line can be released.
        case probe
        case wait
    }

    /// What an answer changed.
    package enum Change: Sendable, Equatable {
        case held(Hold)
        case released(HoldReason, after: Duration)
        case paused(until: ContinuousClock.Instant)
    }

    package let limits: Limits
    package private(set) var inFlight = 0
    package private(set) var hold: Hold?
    package private(set) var pausedUntil: ContinuousClock.Instant?
    private var consecutiveFailures = 0
    private var brake: RefusalBrake

    package init(limits: Limits = Limits(), brake: RefusalBrake = RefusalBrake()) {
        self.limits = limits
        self.brake = brake
    }

    /// When something here falls due without an answer: the end of a pause or the next probe.
    package var nextDue: ContinuousClock.Instant? {
        if let pausedUntil { return pausedUntil }
        if let hold, !hold.isProbing { return hold.nextProbe }
        return nil
    }

    /// Whether a request of a lane may go now.
    package mutating func permission(for lane: Lane, now: Moment) -> Permission {
        if let until = pausedUntil {
            guard until <= now.instant else { return .wait }
            pausedUntil = nil
        }
        if let hold {
            return !hold.isProbing && hold.nextProbe <= now.instant ? .probe : .wait
        }
        let room = lane == .express ? limits.concurrency : max(1, limits.concurrency - limits.expressReserve)
        return inFlight < room ? .go : .wait
    }

    /// Counts a request that was allowed to go.
    package mutating func began(_ permission: Permission) {
        inFlight += 1
        if permission == .probe { hold?.isProbing = true }
    }

    /// Counts an answer.
    ///
    /// - Parameters:
    ///   - reply: What the hub answered.
    ///   - wasProbe: Whether the request went as a probe.
    ///   - now: The present.
    /// - Returns: What it changed. A refusal that pulled the brake shows as a hold for ``HoldReason/refusals``; it is then
    ///   no decision about its event.
    package mutating func ended(_ reply: HubReply, wasProbe: Bool, now: Moment) -> Change? {
        inFlight -= 1
        switch reply.verdict {
        case .accepted:
            consecutiveFailures = 0
            brake.accepted()
            // What was under way when the brake was pulled says nothing about what was deployed.
            guard hold?.reason != .refusals || wasProbe else { return nil }
            return release(now)
        case .throttled(let after):
            consecutiveFailures = 0
            let until = now.instant + (after ?? .seconds(2))
            // The hub lives but is busy: one request at a time until it accepts one, and the release is told then.
            if wasProbe { hold?.probePutOff(until: until) }
            pausedUntil = max(until, pausedUntil ?? until)
            return .paused(until: until)
        case .refused:
            consecutiveFailures = 0
            if let hold, hold.reason == .refusals {
                if wasProbe { self.hold?.probeFailed(at: now.instant) }
                return nil
            }
            if brake.refused() {
                return holdLine(.refusals, reply, wasProbe: wasProbe, now: now)
            }
            return release(now)
        case .unauthorized:
            return holdLine(.unauthorized, reply, wasProbe: wasProbe, now: now)
        case .forbidden:
            return holdLine(.forbidden, reply, wasProbe: wasProbe, now: now)
        case .notFound, .gone:
            return holdLine(.hubNotFound, reply, wasProbe: wasProbe, now: now)
        case .unavailable, .unknown:
            consecutiveFailures += 1
            guard wasProbe || hold != nil || consecutiveFailures >= limits.outageAfter else { return nil }
            return holdLine(.hubUnavailable, reply, wasProbe: wasProbe, now: now)
        }
    }

    private mutating func release(_ now: Moment) -> Change? {
        guard let released = hold else { return nil }
        hold = nil
        consecutiveFailures = 0
        brake.reset()
        return .released(released.reason, after: now.instant - released.began)
    }

    private mutating func holdLine(
        _ reason: HoldReason,
        _ reply: HubReply,
        wasProbe: Bool,
        now: Moment
    ) -> Change? {
        guard var present = hold else {
            let hold = Hold(reason, now: now, detail: reply.detail)
            self.hold = hold
            return .held(hold)
        }
        guard wasProbe else { return nil }
        guard present.reason == reason else {
            var changed = Hold(reason, now: now, detail: reply.detail)
            changed.since = present.since
            changed.began = present.began
            hold = changed
            return .held(changed)
        }
        present.detail = reply.detail
        present.probeFailed(at: now.instant)
        hold = present
        return nil
    }
}
