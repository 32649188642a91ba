package import NewsflashTimestamps
package import NotificationHubs

/// Decides when a request to one hub may be sent.
///
/// One for each hub, shared by all lanes. It is a value whose clock is a parameter. It finds out how many requests in flight
/// (``ConcurrencyWindow``) and how many a second (``SendRate``) the hub accepts, and reserves room for express. If the hub, the
/// network or our credentials fail, it opens the circuit: then only probes are sent, which contain no news.
package struct SendLimiter: Sendable {
    /// The bounds of requests in flight.
    package struct Limits: Sendable, Equatable {
        /// The maximum number of requests in flight, without those of the reserve.
        package var concurrency: Int
        /// Additional requests in flight for express only.
        package var expressReserve: Int
        /// The number of consecutive failures that mean the hub is down.
        package var outageAfter = 5
        /// The longest pause that a hub may ask for; a longer Retry-After is cut to it.
        package var longestPause = Duration.seconds(60)

        package init(concurrency: Int = 64, expressReserve: Int = 8) {
            self.concurrency = concurrency
            self.expressReserve = expressReserve
        }
    }

    /// When a request may be sent.
    package enum Opening: Sendable, Equatable {
        case now
        case at(Instant)
        /// After the next answer.
        case afterAnswer
    }

    /// The effect of an answer.
    package enum Change: Sendable, Equatable {
        indirect case opened(OpenCircuit)
        case closed(CircuitReason, after: Duration)
        case paused(until: Instant)
    }

    /// The number of consecutive late answers that mean the hub is down; each may have been a notification.
    private static let outageAfterLate = 2
    /// How long a request must have been in flight without an answer to be late, rather than cut off.
    private static let late = Duration.seconds(5)
    /// The share of first attempts and probes that a healthy hub accepts.
    private static let healthyShare = 0.7

    package let limits: Limits
    package private(set) var inFlight = 0
    package private(set) var circuit: OpenCircuit?
    /// The number of accepted requests, including probes.
    package private(set) var acceptances: UInt64 = 0
    /// When the latest request was accepted.
    package private(set) var lastAcceptedAt: Instant?
    private var window: ConcurrencyWindow
    private var rate = SendRate()
    /// The waits of all lanes except express, and of express.
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
    private var breaker = RefusalBreaker()

    package init(limits: Limits = Limits()) {
        self.limits = limits
        window = ConcurrencyWindow(maximum: limits.concurrency)
    }

    /// The current bound of requests in flight.
    package var concurrencyLimit: Int { window.limit }

    /// The current bound of requests a second; `nil` if absent.
    package func rateLimit(at now: Instant) -> Double? { rate.perSecond(at: now) }

    /// The end of the pause that the hub asked for; `nil` if absent.
    package var pausedUntil: Instant? { isPaused ? backoff.until : nil }

    /// Whether the hub accepts most first attempts.
    package var isHealthy: Bool { health >= Self.healthyShare }

    // MARK: - Requests

    /// When a request of a lane may be sent.
    package mutating func opening(for lane: Lane, now: Instant) -> Opening {
        guard circuit == nil else { return .afterAnswer }
        if isPaused, backoff.isOver(at: now) { resume(now) }
        guard inFlight < room(for: lane) else { return .afterAnswer }
        var opening = rate.opening(for: lane, now: now)
        if let until = (lane == .express ? expressBackoff : backoff).until { opening = max(opening, until) }
        if lane == .retry { opening = max(opening, retries.opening(now: now)) }
        return opening <= now ? .now : .at(opening)
    }

    /// The reason for which the next request of a lane waits; `nil` if it can be sent.
    func limit(of lane: Lane, now: Instant) -> SendingLimit? {
        guard circuit == nil else { return .circuit }
        if let until = (lane == .express ? expressBackoff : backoff).until, until > now { return .throttling }
        guard inFlight < room(for: lane) else { return .concurrency }
        if rate.opening(for: lane, now: now) > now { return .rate }
        // The question fills up the budget.
        var budget = retries
        return lane == .retry && budget.opening(now: now) > now ? .retries : nil
    }

    /// The bound of requests in flight for a lane. Express has room even if the whole window is used.
    private func room(for lane: Lane) -> Int {
        window.limit + (lane == .express ? limits.expressReserve : 0)
    }

    /// Counts a request that is sent.
    package mutating func began(in lane: Lane, now: Instant) {
        inFlight += 1
        window.began(inFlight: inFlight, now: now)
        rate.took(now: now)
        if lane == .retry { retries.took() }
    }

    /// Counts an answer, and how long the hub took, if that was measured.
    ///
    /// - Returns: The effect of the answer. A refusal that opens the circuit for ``CircuitReason/refusals`` does not decide about
    ///   its event.
    package mutating func ended(_ reply: HubReply, of request: Request, took: Duration? = nil, now: Moment) -> Change? {
        defer { inFlight -= 1 }
        if request.isFirstAttempt { updateHealth(after: reply.verdict) }
        switch reply.verdict {
        case .accepted:
            wasAccepted(began: request.began, now: now.instant)
            window.answered(began: request.began, took: took, now: now.instant)
            breaker.accepted()
            // Requests that were in flight when the circuit opened do not show whether a later deploy is good.
            return circuit?.reason == .refusals ? nil : close(now)
        case .throttled(let after):
            forgetFailures()
            return throttled(after, request, now: now.instant)
        case .refused:
            forgetFailures()
            guard circuit?.reason != .refusals else { return nil }
            return breaker.refused() ? open(.refusals, reply, now: now) : close(now)
        case .unauthorized, .forbidden, .notFound, .gone:
            return CircuitReason(reply.verdict).flatMap { open($0, reply, now: now) }
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
            return open(.hubUnavailable, reply, now: now)
        }
    }

    /// Counts a cancelled request, whose result does not count.
    package mutating func abandoned() {
        inFlight -= 1
    }

    /// The properties of a request that are needed when its answer comes.
    package struct Request: Sendable {
        package var lane: Lane
        package var began: Instant
        /// Whether it is the first attempt.
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

    private mutating func updateHealth(after verdict: HubReply.Verdict) {
        switch verdict {
        case .accepted, .refused: health += (1 - health) * 0.1
        case .unavailable, .unknown: health -= health * 0.1
        case .throttled, .unauthorized, .forbidden, .notFound, .gone, .notSent: break
        }
    }

    // MARK: - Pauses

    private mutating func throttled(_ after: Duration?, _ request: Request, now: Instant) -> Change? {
        if request.lane == .express, expressBackoff.isNews(request.began) {
            // Express tries again soon: it costs the hub little, and the hub did not accept the request.
            expressBackoff.refused(now: now) { Backoff.doubling(.milliseconds(25), $0, atMost: .seconds(5)) }
        }
        // Refusals during a pause do not count for the rate.
        guard !isPaused else { return nil }
        rate.wasRefused(now: now)
        guard backoff.isNews(request.began) else { return nil }
        let isTooFast = rate.isTooFast(began: request.began, now: now)
        if isTooFast { window.wasThrottled(began: request.began, now: now) }
        let longest = limits.longestPause
        let isTakingOthers = lastAcceptedAt.map { now - $0 < .seconds(1) } ?? false
        guard !isTakingOthers || backoff.refusals >= 2 else {
            // The rate is slightly too high, or one of many requests was refused: a short wait, or none, is enough.
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

    /// Goes on slowly after a pause.
    private mutating func resume(_ now: Instant) {
        isPaused = false
        backoff.end()
        window.restart()
        rate.resume(now: now)
    }

    // MARK: - Circuit and probes

    /// When a probe must be sent; `nil` if none is due.
    package var probeDue: Instant? {
        guard !isProbing else { return nil }
        return circuit?.nextProbe
    }

    /// Whether a probe is needed to find out if the hub answers at all, although the circuit is closed.
    package var needsProbe: Bool { isDoubted && circuit == nil && !isProbing }

    /// Asks for a probe, to distinguish a fault of the hub from one of a single event.
    package mutating func wantEvidence() {
        isDoubted = true
    }

    /// Opens the circuit until the hub answers again, because it may have accepted each of the last requests.
    package mutating func doubt(_ reply: HubReply, now: Moment) -> Change? {
        guard circuit == nil else { return nil }
        let change = open(.hubUnavailable, reply, now: now)
        circuit?.nextProbe = now.instant
        return change
    }

    /// Counts a probe that is sent.
    package mutating func probeBegan() {
        isProbing = true
        isDoubted = false
    }

    /// Counts the answer to a probe.
    ///
    /// - Returns: The effect of the answer.
    package mutating func probeEnded(_ reply: HubReply, began: Instant, now: Moment) -> Change? {
        isProbing = false
        updateHealth(after: reply.verdict)
        switch reply.verdict {
        case .accepted:
            wasAccepted(began: began, now: now.instant)
            return close(now)
        case .throttled(let after):
            // The hub works but is busy. The circuit closes, and is reported closed, when a probe is accepted.
            let pause = min(limits.longestPause, max(after ?? .zero, .seconds(1)))
            circuit?.nextProbe = now.instant + pause
            return nil
        case .refused where circuit?.reason != .refusals:
            // The hub answers, so it works.
            return close(now)
        case .notSent:
            circuit?.nextProbe = now.instant + .milliseconds(500)
            return nil
        case .refused, .unauthorized, .forbidden, .notFound, .gone, .unavailable, .unknown:
            return CircuitReason(reply.verdict).flatMap { probeFailed($0, reply, now: now) }
        }
    }

    private mutating func probeFailed(_ reason: CircuitReason, _ reply: HubReply, now: Moment) -> Change? {
        guard var present = circuit else { return open(reason, reply, now: now) }
        guard present.reason == reason else {
            var changed = OpenCircuit(reason, now: now, detail: reply.detail)
            changed.since = present.since
            changed.began = present.began
            circuit = changed
            return .opened(changed)
        }
        present.detail = reply.detail
        present.probeFailed(at: now.instant, notBefore: pause(reply))
        circuit = present
        return nil
    }

    private mutating func close(_ now: Moment) -> Change? {
        guard let closed = circuit else { return nil }
        circuit = nil
        forgetFailures()
        breaker = RefusalBreaker()
        window.restart()
        return .closed(closed.reason, after: now.instant - closed.began)
    }

    private mutating func open(_ reason: CircuitReason, _ reply: HubReply, now: Moment) -> Change? {
        guard circuit == nil else { return nil }
        var circuit = OpenCircuit(reason, now: now, detail: reply.detail)
        circuit.nextProbe = max(circuit.nextProbe, now.instant + pause(reply))
        self.circuit = circuit
        return .opened(circuit)
    }

    /// The pause that an answer asks for, at most ``Limits/longestPause``.
    package func pause(_ reply: HubReply) -> Duration {
        min(limits.longestPause, reply.retryAfter ?? .zero)
    }
}

/// Bounds the load that retries add to a failing hub: half of what it accepts, and ten a second.
private struct RetryBudget: Sendable {
    private static let perAcceptance = 0.5
    private static let perSecond = 10.0
    private static let most = 100.0

    private var credit = RetryBudget.most
    private var updatedAt: Instant?

    mutating func accepted() {
        credit = min(Self.most, credit + Self.perAcceptance)
    }

    /// When the next retry may be sent; in the past if at once.
    mutating func opening(now: Instant) -> Instant {
        if let updatedAt { credit = min(Self.most, credit + (now - updatedAt) / .seconds(1) * Self.perSecond) }
        updatedAt = now
        return credit >= 1 ? now : now + .seconds((1 - credit) / Self.perSecond)
    }

    mutating func took() {
        credit = max(0, credit - 1)
    }
}
