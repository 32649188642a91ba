package import Timestamps

/// How fast requests may go to a hub: without bound until the hub says that it is too fast, then at the pace that it took.
///
/// What the hub took is the best guess at what it allows. The pace stays close below it for a while, then tries more, slowly
/// at first, and is forgotten where the hub does not mind (the curve of CUBIC, RFC 9438, section 4.2). A few refusals are the
/// price of knowing the limit. Refusals that go on however slow it goes have another reason, and do not slow it down.
package struct SendRate: Sendable {
    private enum Phase {
        case free
        /// Little is known: the pace grows from here, at first doubling each second, then by a tenth.
        case seeking(Seeking, from: Double, since: Instant)
        /// The hub said no at about this pace.
        case keeping(Double, since: Instant)
    }

    private enum Seeking {
        case coarse, fine

        /// Doublings in a second.
        var growth: Double {
            switch self {
            case .coarse: 1
            case .fine: 0.1375
            }
        }
    }

    /// Steps down in a row: what was sent a second before the first, and the share of it that was refused.
    private struct Descent {
        var rate: Double
        var share: Double
        var latest: Instant
    }

    /// The share of refusals that is no reason to go slower.
    private static let usualShare = 0.02
    /// The least number of refusals in a second that is.
    private static let leastRefusals = 3.0
    /// How far below the pace at which the hub said no it goes on.
    private static let step = 0.03
    /// How long it takes to come back to that pace.
    private static let plateau = Duration.seconds(10)
    /// The least time between two steps down.
    private static let interval = Duration.seconds(1)
    /// The least pace from which it seeks.
    private static let least = 20.0
    /// What a pace that grows by a tenth a second has in its latest second, as a share of what it has reached.
    private static let meanOfFine = 0.95
    /// From here on a pace is no bound.
    private static let unbounded = 20_000.0
    /// How far express may be ahead of the pace; what follows waits until the pace has caught up.
    private static let expressLead = Duration.milliseconds(250)
    /// How far the others may be, since timers are coarse.
    private static let lead = Duration.milliseconds(2)
    /// How long it is remembered that refusals have another reason.
    private static let noiseMemory = Duration.seconds(60)

    private var phase = Phase.free
    private var accepted = RateMeter()
    private var refused = RateMeter()
    private var descent: Descent?
    /// The share of refusals that have another reason than the pace.
    private var noise: (share: Double, until: Instant)?
    /// When the next request goes at an even pace.
    private var nextFree: Instant?

    package init() {}

    // MARK: - The pace

    /// Requests a second; `nil` for no bound.
    package func perSecond(at now: Instant) -> Double? {
        switch phase {
        case .free: nil
        case .seeking(let how, let from, let since): from * Self.doublings((now - since) / .seconds(1) * how.growth)
        case .keeping(let ceiling, let since):
            ceiling * (1 + Self.step * Self.cube((now - since - Self.plateau) / Self.plateau))
        }
    }

    /// When a request of a lane may go; in the past for at once.
    package func opening(for lane: Lane, now: Instant) -> Instant {
        guard let nextFree else { return now }
        return nextFree - (lane == .express ? Self.expressLead : Self.lead)
    }

    /// Counts a request that goes.
    package mutating func took(now: Instant) {
        guard let rate = perSecond(at: now) else { return }
        guard rate < Self.unbounded, !isFarAbove(now) else { return free() }
        nextFree = min(max(nextFree ?? now, now) + .seconds(1 / rate), now + .seconds(5))
    }

    /// Whether the pace has left what the hub once refused so far behind that it is no bound any more.
    private func isFarAbove(_ now: Instant) -> Bool {
        guard case .keeping(_, let since) = phase else { return false }
        return now - since > Self.plateau * 11
    }

    private mutating func free() {
        phase = .free
        nextFree = nil
        descent = nil
    }

    // MARK: - What the hub says

    /// Counts a request that the hub took.
    package mutating func wasAccepted(now: Instant) {
        accepted.count(at: now)
    }

    /// Counts a request that the hub refused because there are too many.
    package mutating func wasRefused(now: Instant) {
        refused.count(at: now)
    }

    /// Decides after a refusal whether to go slower.
    ///
    /// - Returns: Whether the pace is taken back.
    package mutating func isTooFast(began: Instant, now: Instant) -> Bool {
        let refusals = refused.perSecond(at: now)
        let taken = accepted.perSecond(at: now)
        let share = refusals / max(1, refusals + taken)
        guard refusals >= Self.leastRefusals, share > bearableShare(now) else { return false }
        let present = perSecond(at: now) ?? 0
        switch phase {
        case .free:
            phase = .seeking(.coarse, from: max(Self.least, taken), since: now)
        case .seeking(let how, _, let since):
            // The hub may still count what went before.
            guard began > since, now - since > Self.interval / 4 else { return false }
            switch how {
            case .coarse: phase = .seeking(.fine, from: max(Self.least, taken, present * 0.75), since: now)
            case .fine: keep(min(max(taken / Self.meanOfFine, present * 0.4), present * 0.98), now)
            }
        case .keeping(_, let since):
            guard began > since, now - since > Self.interval else { return false }
            guard !isInVain(sent: refusals + taken, share: share, now) else { return false }
            keep(min(max(taken, present * 0.7), present * 0.98), now)
        }
        return true
    }

    /// Whether going slower has not made the refusals fewer, though it went slower by more than was refused at first.
    private mutating func isInVain(sent: Double, share: Double, _ now: Instant) -> Bool {
        guard let first = descent, now - first.latest < Self.interval * 5 else {
            descent = Descent(rate: sent, share: share, latest: now)
            return false
        }
        descent?.latest = now
        guard first.share <= 0.3, sent <= first.rate * (1 - first.share) * 0.9 else { return false }
        noise = (share, now + Self.noiseMemory)
        free()
        return true
    }

    private func bearableShare(_ now: Instant) -> Double {
        guard let noise, noise.until > now else { return Self.usualShare }
        return max(Self.usualShare, noise.share * 1.5 + 0.01)
    }

    private mutating func keep(_ ceiling: Double, _ now: Instant) {
        phase = .keeping(max(1, ceiling), since: now)
    }

    /// Goes on after a pause that the hub asked for: at the pace that it took, the pause counted in, and faster each second.
    package mutating func resume(now: Instant) {
        nextFree = nil
        let taken = accepted.perSecond(at: now)
        switch phase {
        case .free: phase = .seeking(.coarse, from: max(Self.least, taken), since: now)
        case .seeking(let how, let from, _):
            phase = .seeking(how, from: max(Self.least, from / 2, taken), since: now)
        case .keeping: break
        }
    }

    private static func cube(_ number: Double) -> Double { number * number * number }

    /// Two to that power; between two whole ones in a straight line.
    private static func doublings(_ exponent: Double) -> Double {
        let whole = Int(min(max(0, exponent), 30))
        return Double(1 << whole) * (1 + min(1, max(0, exponent - Double(whole))))
    }
}
