package import Timestamps

/// How many requests may be under way to a hub at once.
///
/// It grows with each answer until something speaks against it, and slowly from then on. It shrinks when answers take longer
/// than this hub needs, when they come too late, and when the hub says that it is asked too much. What is under way when it
/// shrinks says nothing more about it.
package struct ConcurrencyWindow: Sendable {
    /// Answers after which latencies are looked at; fewer say little on a link with much jitter.
    private static let roundLength = 64
    /// How long a round lasts at least. A machine that stands still for some milliseconds delays all that is under way, and
    /// says nothing about the hub.
    private static let roundTime = Duration.milliseconds(50)
    /// Where growth starts.
    private static let start = 8.0
    /// Answers are slow when their upper quartile is this much longer than the hub needs, in share and in time. So much may
    /// be the doing of this process and this machine, where a hub answers at once.
    private static let slowFactor = 1.6
    private static let slowMargin = Duration.milliseconds(15)

    package let maximum: Int
    private var size: Double
    /// Whether it grows by one for each answer, as after the start and each pause; otherwise by one for as many answers as a
    /// round has at least.
    private var growsFast = true
    /// How long the answers of this round took.
    private var round: [Duration] = []
    private var roundBegan: Instant?
    /// Whether all room was used in this round.
    private var wasFull = false
    /// When all room was in use the last time.
    private var fullAt: Instant?
    /// The shortest upper quartile of a round: what the hub needs when it is not crowded.
    private var baseline: Duration?
    /// How many rounds in a row were slow.
    private var slowRounds = 0
    private var shrankAt: Instant?

    package init(maximum: Int) {
        self.maximum = max(1, maximum)
        size = min(Self.start, Double(self.maximum))
    }

    /// Requests that may be under way.
    package var limit: Int { max(1, Int(size)) }

    /// Counts a request that goes, which is one of those in flight.
    package mutating func began(inFlight: Int, now: Instant) {
        if inFlight >= limit { fullAt = now }
    }

    /// Counts an answer that came in time, and how long the hub took, if that is known: a process that is busy notices later.
    package mutating func answered(began: Instant, took: Duration? = nil, now: Instant) {
        guard isOfThisSize(began) else { return }
        // Room that is not used says nothing about more of it.
        let isFull = fullAt.map { $0 >= began } ?? false
        wasFull = wasFull || isFull
        if growsFast, isFull { size = min(size + 1, Double(maximum)) }
        let roundBegan = roundBegan ?? now
        self.roundBegan = roundBegan
        round.append(took ?? now - began)
        guard round.count >= Self.roundLength, now - roundBegan >= Self.roundTime else { return }
        endRound(now)
    }

    private mutating func endRound(_ now: Instant) {
        let quartile = round.sorted()[round.count * 3 / 4]
        let usual = min(baseline ?? quartile, quartile)
        baseline = usual
        let growing = Double(round.count / Self.roundLength)
        defer { forgetRound() }
        guard wasFull else { return }
        guard quartile > max(usual * Self.slowFactor, usual + Self.slowMargin) else {
            slowRounds = 0
            if !growsFast { size = min(size + growing, Double(maximum)) }
            return
        }
        guard limit > Int(Self.start) else {
            // So few requests cannot crowd it: this is what the hub needs by now.
            baseline = quartile
            growsFast = true
            slowRounds = 0
            return
        }
        slowRounds += 1
        // A small step at first, as it may be a pause of this machine's; where that did not help, it is far off.
        shrink(to: slowRounds == 1 ? 0.85 : 0.5, now)
    }

    private mutating func forgetRound() {
        round.removeAll(keepingCapacity: true)
        roundBegan = nil
        wasFull = false
    }

    /// Counts an answer that did not come in time.
    package mutating func wasLate(began: Instant, now: Instant) {
        guard isOfThisSize(began) else { return }
        shrink(to: 0.5, now)
    }

    /// Counts an answer that the hub is asked too much.
    package mutating func wasThrottled(began: Instant, now: Instant) {
        guard isOfThisSize(began) else { return }
        shrink(to: 0.7, now)
    }

    /// Starts small after a pause; what is usual stays known.
    package mutating func restart() {
        size = min(size, Self.start)
        growsFast = true
        forgetRound()
        slowRounds = 0
    }

    private func isOfThisSize(_ began: Instant) -> Bool {
        shrankAt.map { $0 <= began } ?? true
    }

    private mutating func shrink(to share: Double, _ now: Instant) {
        size = max(min(4, Double(maximum)), size * share)
        growsFast = false
        shrankAt = now
        forgetRound()
    }
}
