package import NewsflashTimestamps

/// The number of requests that may be in flight to a hub.
///
/// It grows with each answer until the hub slows down, and slowly from then on. It shrinks when answers take longer than this
/// hub usually needs, when they come too late, and when the hub answers that there are too many requests. Answers to requests
/// that are in flight when it shrinks do not count.
package struct ConcurrencyWindow: Sendable {
    /// The number of answers after which latencies are evaluated; fewer are not significant on a link with much jitter.
    private static let roundLength = 64
    /// The minimum duration of a round. A machine that stops for some milliseconds delays all requests in flight, which is not
    /// the hub's latency.
    private static let roundTime = Duration.milliseconds(50)
    /// The initial size.
    private static let start = 8.0
    /// Answers are slow if their upper quartile exceeds the baseline both by this factor and by this margin. Smaller
    /// differences may be noise of this process and this machine, if the hub answers quickly.
    private static let slowFactor = 1.6
    private static let slowMargin = Duration.milliseconds(15)

    package let maximum: Int
    private var size: Double
    /// Whether it grows by one for each answer, as after the start and each pause; otherwise by one for ``roundLength``
    /// answers.
    private var growsFast = true
    /// The latencies of this round's answers.
    private var round: [Duration] = []
    private var roundBegan: Instant?
    /// Whether the whole window was used in this round.
    private var wasFull = false
    /// When the whole window was last used.
    private var fullAt: Instant?
    /// The shortest upper quartile of a round: the latency of the hub when it is not crowded.
    private var baseline: Duration?
    /// The number of consecutive slow rounds.
    private var slowRounds = 0
    private var shrankAt: Instant?

    package init(maximum: Int) {
        self.maximum = max(1, maximum)
        size = min(Self.start, Double(self.maximum))
    }

    /// The maximum number of requests in flight.
    package var limit: Int { max(1, Int(size)) }

    /// Counts a request that is sent. `inFlight` includes it.
    package mutating func began(inFlight: Int, now: Instant) {
        if inFlight >= limit { fullAt = now }
    }

    /// Counts an answer that came in time, and how long the hub took, if that is known: a busy process notices the answer
    /// later.
    package mutating func answered(began: Instant, took: Duration? = nil, now: Instant) {
        guard isOfThisSize(began) else { return }
        // A window that is not fully used does not show whether it may grow.
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
            // So few requests cannot crowd the hub: this is its latency now.
            baseline = quartile
            growsFast = true
            slowRounds = 0
            return
        }
        slowRounds += 1
        // A small step at first, because this machine may have paused; if that did not help, a large one.
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

    /// Counts an answer that there are too many requests.
    package mutating func wasThrottled(began: Instant, now: Instant) {
        guard isOfThisSize(began) else { return }
        shrink(to: 0.7, now)
    }

    /// Starts small after a pause, and keeps the baseline.
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
