import Timestamps

/// So many requests a second, and so many at once.
package struct RequestRate: Sendable, Equatable {
    /// On average.
    package var perSecond: Double
    /// At once after a quiet time; at least one.
    package var burst: Double

    /// Makes a rate.
    ///
    /// - Parameters:
    ///   - perSecond: On average; more than nothing.
    ///   - burst: At once after a quiet time.
    package init(perSecond: Double, burst: Double) {
        self.perSecond = perSecond
        self.burst = max(1, burst)
    }
}

/// Tokens that fill up with time; each request takes one.
struct TokenBucket: Sendable {
    private var tokens: Double
    private var filledAt: Instant

    /// Makes a full bucket.
    init(_ rate: RequestRate, now: Instant) {
        tokens = rate.burst
        filledAt = now
    }

    /// Takes a token.
    ///
    /// - Returns: Nothing where there was one, else how long until there is.
    mutating func take(_ rate: RequestRate, now: Instant) -> Duration? {
        if let wait = wait(rate, now: now) { return wait }
        tokens -= 1
        return nil
    }

    /// Gives a token back that was taken.
    mutating func giveBack(_ rate: RequestRate, now: Instant) {
        fill(rate, now: now)
        tokens = min(rate.burst, tokens + 1)
    }

    /// Whether all tokens are there.
    mutating func isFull(_ rate: RequestRate, now: Instant) -> Bool {
        fill(rate, now: now)
        return tokens >= rate.burst
    }

    /// How long until there is a token; `nil` if there is one.
    mutating func wait(_ rate: RequestRate, now: Instant) -> Duration? {
        fill(rate, now: now)
        return tokens >= 1 ? nil : .seconds((1 - tokens) / rate.perSecond)
    }

    private mutating func fill(_ rate: RequestRate, now: Instant) {
        guard now > filledAt else { return }
        tokens = min(rate.burst, tokens + rate.perSecond * ((now - filledAt) / .seconds(1)))
        filledAt = now
    }
}
