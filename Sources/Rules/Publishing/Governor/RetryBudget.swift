import Timestamps

/// Bounds how much attempts after the first add to the load of a hub that fails: half of what it accepts, and ten a second.
struct RetryBudget: Sendable {
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
