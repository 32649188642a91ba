package import NotificationHubs
package import Timestamps

/// Decides when a request to one hub may go.
///
/// One for each hub, shared by all lanes; a value on a clock that it is told. It finds out how many requests at once
/// (``ConcurrencyWindow``) and how many a second (``SendRate``) the hub takes well, and keeps room for express. When the fault is the
/// hub's, the network's or our credentials', it holds the line: then only probes go out, which carry no news.
package struct Governor: Sendable {
    /// Bounds of what is under way.
    package struct Limits: Sendable, Equatable {
        /// Requests under way at most, without those of the reserve.
        package var concurrency: Int
        /// Slots beside these, for express alone.
        package var expressReserve: Int
        /// Failures in a row, with no success between, that mean the hub is down.
        package var outageAfter = 5
        /// The longest pause that a hub may ask for; a longer Retry-After is cut to it.
        package var longestPause = Duration.seconds(60)

        package init(concurrency: Int = 64, expressReserve: Int = 8) {
            self.concurrency = concurrency
            self.expressReserve = expressReserve
        }
    }

    /// When a request may go.
    package enum Opening: Sendable, Equatable {
        case now
        case at(Instant)
        /// When an answer has come.
        case afterAnswer
    }

    /// What an answer changed.
    package enum Change: Sendable, Equatable {
        indirect case held(Hold)
        case released(HoldReason, after: Duration)
        case paused(until: Instant)
    }

    /// Answers in a row that came too late, with no success between, that mean the hub is down: each may be a push.
    private static let outageAfterLate = 2
    /// From how long on an answer that did not come was late, rather than cut.
    private static let late = Duration.seconds(5)
    /// The share of first attempts and probes that a healthy hub takes.
    private static let healthyShare = 0.7

    package let limits: Limits
    package private(set) var inFlight = 0
    package private(set) var hold: Hold?
    /// How many requests the hub took, probes included.
    package private(set) var acceptances: UInt64 = 0
    /// When it took the latest.
    package private(set) var lastAcceptedAt: Instant?
    private var window: ConcurrencyWindow
    private var rate = SendRate()
    /// What keeps all but express waiting, and what keeps express.
    private var backoff = Backoff()
    private var expressBackoff = Backoff()
    private var isPaused = false
    private var retries = RetryBudget()
    private var isProbing = false
    private var isDoubted = false
    private var consecutiveFailures = 0
    private var consecutiveLate = 0
    /// The share of the latest first attempts and probes that were accepted.
    private var health = 1.0
    private var brake = RefusalBrake()

    package init(limits: Limits = Limits()) {
        self.limits = limits
        window = ConcurrencyWindow(maximum: limits.concurrency)
    }

    /// How many requests at once the hub takes well, as far as is known.
    package var concurrencyLimit: Int { window.limit }

    /// How many requests a second it takes; `nil` where no bound is known.
    package func rateLimit(at now: Instant) -> Double? { rate.perSecond(at: now) }

    /// Until when the hub asked us to pause; `nil` where it did not.
    package var pausedUntil: Instant? { isPaused ? backoff.until : nil }

    /// Whether the hub takes most of what it is sent for the first time.
    package var isHealthy: Bool { health >= Self.healthyShare }

    // MARK: - Requests

    /// When a request of a lane may go.
    package mutating func opening(for lane: Lane, now: Instant) -> Opening {
        guard hold == nil else { return .afterAnswer }
        if isPaused, backoff.isOver(at: now) { resume(now) }
        guard inFlight < room(for: lane) else { return .afterAnswer }
        var opening = rate.opening(for: lane, now: now)
        if let until = (lane == .express ? expressBackoff : backoff).until { opening = max(opening, until) }
        if lane == .retry { opening = max(opening, retries.opening(now: now)) }
        return opening <= now ? .now : .at(opening)
    }

    /// Slots for a lane. Express finds room even where all that the hub takes well is taken.
    private func room(for lane: Lane) -> Int {
        window.limit + (lane == .express ? limits.expressReserve : 0)
    }

    /// Counts a request that goes.
    package mutating func began(in lane: Lane, now: Instant) {
        inFlight += 1
        window.began(inFlight: inFlight, now: now)
        rate.took(now: now)
        if lane == .retry { retries.took() }
    }

    /// Counts an answer, and how long the hub took, if that was measured.
    ///
    /// - Returns: What it changed. A refusal that pulled the brake shows as a hold for ``HoldReason/refusals``; it is then
    ///   not a decision about its event.
    package mutating func ended(_ reply: HubReply, of request: Request, took: Duration? = nil, now: Moment) -> Change? {
        defer { inFlight -= 1 }
        if request.isFirstAttempt { noteHealth(reply.verdict) }
        switch reply.verdict {
        case .accepted:
            wasAccepted(began: request.began, now: now.instant)
            window.answered(began: request.began, took: took, now: now.instant)
            brake.accepted()
            // What was under way when the brake was pulled says nothing about what was deployed.
            return hold?.reason == .refusals ? nil : release(now)
        case .throttled(let after):
            forgetFailures()
            return throttled(after, request, now: now.instant)
        case .refused:
            forgetFailures()
            guard hold?.reason != .refusals else { return nil }
            return brake.refused() ? holdLine(.refusals, reply, now: now) : release(now)
        case .unauthorized, .forbidden, .notFound, .gone:
            return HoldReason(reply.verdict).flatMap { holdLine($0, reply, now: now) }
        case .notSent:
            return nil
        case .unavailable, .unknown:
            consecutiveFailures += 1
            if reply.verdict == .unknown, now.instant - request.began >= Self.late {
                consecutiveLate += 1
                window.wasLate(began: request.began, now: now.instant)
            }
            guard consecutiveFailures >= limits.outageAfter || consecutiveLate >= Self.outageAfterLate else {
                return nil
            }
            return holdLine(.hubUnavailable, reply, now: now)
        }
    }

    /// Counts a request that was given up; what became of it says nothing.
    package mutating func abandoned() {
        inFlight -= 1
    }

    /// What is known of a request when its answer comes.
    package struct Request: Sendable {
        package var lane: Lane
        package var began: Instant
        /// Whether the event had not been tried before.
        package var isFirstAttempt: Bool

        package init(lane: Lane, began: Instant, isFirstAttempt: Bool = true) {
            self.lane = lane
            self.began = began
            self.isFirstAttempt = isFirstAttempt
        }
    }

    private mutating func wasAccepted(began: Instant, now: Instant) {
        acceptances += 1
        lastAcceptedAt = now
        forgetFailures()
        isDoubted = false
        rate.wasAccepted(now: now)
        retries.accepted()
        if expressBackoff.isNews(began) { expressBackoff.end() }
        guard backoff.isNews(began) else { return }
        if isPaused { resume(now) } else { backoff.end() }
    }

    private mutating func forgetFailures() {
        consecutiveFailures = 0
        consecutiveLate = 0
    }

    private mutating func noteHealth(_ verdict: HubReply.Verdict) {
        switch verdict {
        case .accepted, .refused: health += (1 - health) * 0.1
        case .unavailable, .unknown: health -= health * 0.1
        case .throttled, .unauthorized, .forbidden, .notFound, .gone, .notSent: break
        }
    }

    // MARK: - Pauses

    private mutating func throttled(_ after: Duration?, _ request: Request, now: Instant) -> Change? {
        if request.lane == .express, expressBackoff.isNews(request.began) {
            // A flash knocks again soon: what it costs the hub is little, and the hub surely did not take it.
            expressBackoff.refused(now: now) { Backoff.doubling(.milliseconds(25), $0, atMost: .seconds(5)) }
        }
        // What knocks during a pause says nothing about the pace.
        guard !isPaused else { return nil }
        rate.wasRefused(now: now)
        guard backoff.isNews(request.began) else { return nil }
        let isTooFast = rate.isTooFast(began: request.began, now: now)
        if isTooFast { window.wasThrottled(began: request.began, now: now) }
        let longest = limits.longestPause
        let isTakingOthers = lastAcceptedAt.map { now - $0 < .seconds(1) } ?? false
        guard !isTakingOthers || backoff.refusals >= 2 else {
            // A little too fast, or one refusal among many: the pace is taken back, or not even that.
            let first = isTooFast || backoff.refusals > 0 ? Duration.milliseconds(50) : .zero
            backoff.refused(now: now) { Backoff.doubling(first, $0, atMost: .seconds(1)) }
            return nil
        }
        backoff.refused(now: now) { refusals in
            let own = Backoff.doubling(.seconds(1), after == nil ? refusals : 1, atMost: longest)
            return min(longest, max(after ?? .zero, own))
        }
        isPaused = true
        return backoff.until.map { .paused(until: $0) }
    }

    /// Goes on after a pause, slowly.
    private mutating func resume(_ now: Instant) {
        isPaused = false
        backoff.end()
        window.restart()
        rate.resume(now: now)
    }

    // MARK: - Holds and probes

    /// When a probe is to go; `nil` where none is due.
    package var probeDue: Instant? {
        guard !isProbing else { return nil }
        return hold?.nextProbe
    }

    /// Whether someone wants to know if the hub answers at all, though the line is not held.
    package var wantsEvidence: Bool { isDoubted && hold == nil && !isProbing }

    /// Asks for a probe, to tell a fault of the hub from one of a single event.
    package mutating func wantEvidence() {
        isDoubted = true
    }

    /// Holds the line until the hub is seen to answer: what it was sent last may have been taken each time.
    package mutating func doubt(_ reply: HubReply, now: Moment) -> Change? {
        guard hold == nil else { return nil }
        let change = holdLine(.hubUnavailable, reply, now: now)
        hold?.nextProbe = now.instant
        return change
    }

    /// Counts a probe that goes.
    package mutating func probeBegan() {
        isProbing = true
        isDoubted = false
    }

    /// Counts the answer to a probe.
    ///
    /// - Returns: What it changed.
    package mutating func probeEnded(_ reply: HubReply, began: Instant, now: Moment) -> Change? {
        isProbing = false
        noteHealth(reply.verdict)
        switch reply.verdict {
        case .accepted:
            wasAccepted(began: began, now: now.instant)
            return release(now)
        case .throttled(let after):
            // The hub lives but is busy: the line goes on when it takes one, and the release is told then.
            let pause = min(limits.longestPause, max(after ?? .zero, .seconds(1)))
            hold?.nextProbe = now.instant + pause
            return nil
        case .refused where hold?.reason != .refusals:
            // It answers, and for its own part it works.
            return release(now)
        case .notSent:
            hold?.nextProbe = now.instant + .milliseconds(500)
            return nil
        case .refused, .unauthorized, .forbidden, .notFound, .gone, .unavailable, .unknown:
            return HoldReason(reply.verdict).flatMap { probeFailed($0, reply, now: now) }
        }
    }

    private mutating func probeFailed(_ reason: HoldReason, _ reply: HubReply, now: Moment) -> Change? {
        guard var present = hold else { return holdLine(reason, reply, now: now) }
        guard present.reason == reason else {
            var changed = Hold(reason, now: now, detail: reply.detail)
            changed.since = present.since
            changed.began = present.began
            hold = changed
            return .held(changed)
        }
        present.detail = reply.detail
        present.probeFailed(at: now.instant, notBefore: pause(reply))
        hold = present
        return nil
    }

    private mutating func release(_ now: Moment) -> Change? {
        guard let released = hold else { return nil }
        hold = nil
        forgetFailures()
        brake = RefusalBrake()
        window.restart()
        return .released(released.reason, after: now.instant - released.began)
    }

    private mutating func holdLine(_ reason: HoldReason, _ reply: HubReply, now: Moment) -> Change? {
        guard hold == nil else { return nil }
        var hold = Hold(reason, now: now, detail: reply.detail)
        hold.nextProbe = max(hold.nextProbe, now.instant + pause(reply))
        self.hold = hold
        return .held(hold)
    }

    /// The pause that an answer asks for, as far as it is obeyed.
    package func pause(_ reply: HubReply) -> Duration {
        min(limits.longestPause, reply.retryAfter ?? .zero)
    }
}

/// Bounds how much attempts after the first add to the load of a hub that fails: half of what it accepts, and ten a second.
private struct RetryBudget: Sendable {
    private static let perAcceptance = 0.5
    private static let perSecond = 10.0
    private static let most = 100.0

    private var credit = RetryBudget.most
    private var updatedAt: Instant?

    mutating func accepted() {
        credit = min(Self.most, credit + Self.perAcceptance)
    }

    /// When the next retry may go; in the past for at once.
    mutating func opening(now: Instant) -> Instant {
        if let updatedAt { credit = min(Self.most, credit + (now - updatedAt) / .seconds(1) * Self.perSecond) }
        updatedAt = now
        return credit >= 1 ? now : now + .seconds((1 - credit) / Self.perSecond)
    }

    mutating func took() {
        credit = max(0, credit - 1)
    }
}
