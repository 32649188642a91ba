package import NewsflashTimestamps

/// The rate of requests to a hub: without bound until the hub answers that it is too high, then at the rate that it accepted.
///
/// The rate that the hub accepted is the best estimate of its limit. The rate stays close below it for a while, then grows,
/// slowly at first, and the bound is dropped if the hub does not refuse (the curve of CUBIC, RFC 9438, section 4.2). A few
/// refusals are needed to find the limit. Refusals that continue at any rate have another reason, and do not reduce the rate.
package struct SendRate: Sendable {
    private enum Phase {
        case free
        /// Little is known: the rate grows from here, at first doubling each second, then by a tenth a second.
        case seeking(Seeking, from: Double, since: Instant)
        /// The hub refused requests at about this rate.
        case keeping(Double, since: Instant)
    }

    private enum Seeking {
        case coarse, fine

        /// The growth in doublings per second.
        var growth: Double {
            switch self {
            case .coarse: 1
            case .fine: 0.1375
            }
        }
    }

    /// Consecutive reductions: the requests per second before the first, and the share of them that was refused.
    private struct Reductions {
        var rate: Double
        var share: Double
        var latest: Instant
    }

    /// The share of refusals up to which the rate is not reduced.
    private static let usualShare = 0.02
    /// The minimum number of refusals per second for a reduction.
    private static let leastRefusals = 3.0
    /// The initial distance below the rate at which the hub refused, as a share.
    private static let step = 0.03
    /// The time until the rate reaches that value again.
    private static let plateau = Duration.seconds(10)
    /// The minimum time between two reductions.
    private static let interval = Duration.seconds(1)
    /// The lowest initial rate of the search.
    private static let least = 20.0
    /// The mean over the last second of a rate that grows by a tenth a second, as a share of its current value.
    private static let meanOfFine = 0.95
    /// The rate at which the bound is dropped.
    private static let unbounded = 20_000.0
    /// How far express may be ahead of the rate; later requests wait until the rate has caught up.
    private static let expressLead = Duration.milliseconds(250)
    /// How far the other lanes may be ahead, because timers are coarse.
    private static let lead = Duration.milliseconds(2)
    /// How long the share of refusals with another reason is kept.
    private static let noiseMemory = Duration.seconds(60)

    private var phase = Phase.free
    private var accepted = RateMeter()
    private var refused = RateMeter()
    private var reductions: Reductions?
    /// The share of refusals that have another reason than the rate.
    private var noise: (share: Double, until: Instant)?
    /// When the next request may be sent at an even rate.
    private var nextFree: Instant?

    package init() {}

    // MARK: - The rate

    /// The bound in requests per second; `nil` if absent.
    package func perSecond(at now: Instant) -> Double? {
        switch phase {
        case .free: nil
        case .seeking(let how, let from, let since): from * Self.doublings((now - since) / .seconds(1) * how.growth)
        case .keeping(let ceiling, let since):
            ceiling * (1 + Self.step * Self.cube((now - since - Self.plateau) / Self.plateau))
        }
    }

    /// When a request of a lane may be sent; in the past if at once.
    package func opening(for lane: Lane, now: Instant) -> Instant {
        guard let nextFree else { return now }
        return nextFree - (lane == .express ? Self.expressLead : Self.lead)
    }

    /// Counts a request that is sent.
    package mutating func took(now: Instant) {
        guard let rate = perSecond(at: now) else { return }
        guard rate < Self.unbounded, !isFarAbove(now) else { return free() }
        nextFree = min(max(nextFree ?? now, now) + .seconds(1 / rate), now + .seconds(5))
    }

    /// Whether the rate is so far above the rate at which the hub refused that the bound can be dropped.
    private func isFarAbove(_ now: Instant) -> Bool {
        guard case .keeping(_, let since) = phase else { return false }
        return now - since > Self.plateau * 11
    }

    private mutating func free() {
        phase = .free
        nextFree = nil
        reductions = nil
    }

    // MARK: - Answers of the hub

    /// Counts a request that the hub accepted.
    package mutating func wasAccepted(now: Instant) {
        accepted.count(at: now)
    }

    /// Counts a request that the hub refused because there are too many.
    package mutating func wasRefused(now: Instant) {
        refused.count(at: now)
    }

    /// Decides after a refusal whether to reduce the rate.
    ///
    /// - Returns: Whether the rate is reduced.
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
            // The hub may still count earlier requests.
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

    /// Whether reducing the rate did not reduce the share of refusals, although the reduction was greater than the initial
    /// share.
    private mutating func isInVain(sent: Double, share: Double, _ now: Instant) -> Bool {
        guard let first = reductions, now - first.latest < Self.interval * 5 else {
            reductions = Reductions(rate: sent, share: share, latest: now)
            return false
        }
        reductions?.latest = now
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

    /// Goes on after a pause that the hub asked for: at the accepted rate, averaged over the pause too, and faster each second.
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

    /// Two to the power of `exponent`; linear between two whole exponents.
    private static func doublings(_ exponent: Double) -> Double {
        let whole = Int(min(max(0, exponent), 30))
        return Double(1 << whole) * (1 + min(1, max(0, exponent - Double(whole))))
    }
}
