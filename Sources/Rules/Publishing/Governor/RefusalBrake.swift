/// Notices that the hub refuses too much to be the events' own fault.
///
/// One bad payload is bad news for one event. A burst of refusals is a bad deploy of ours, and dead-lettering it would
/// drain the topic.
package struct RefusalBrake: Sendable {
    /// Refusals in a row that pull the brake.
    private static let consecutiveLimit = 20
    /// How many of the latest decisions count for the share; half of them refused pulls the brake.
    private static let window = 100

    private var consecutive = 0
    private var latest = RingQueue<Bool>()
    private var refusedInWindow = 0

    package init() {}

    /// Counts an accepted request.
    package mutating func accepted() {
        consecutive = 0
        push(false)
    }

    /// Counts a refusal.
    ///
    /// - Returns: Whether the brake is pulled by it: this refusal is then no decision about its event.
    package mutating func refused() -> Bool {
        if consecutive + 1 >= Self.consecutiveLimit { return true }
        if latest.count >= Self.window, (refusedInWindow + 1) * 2 > Self.window { return true }
        consecutive += 1
        push(true)
        return false
    }

    private mutating func push(_ isRefusal: Bool) {
        latest.append(isRefusal)
        if isRefusal { refusedInWindow += 1 }
        if latest.count > Self.window, latest.popFirst() == true { refusedInWindow -= 1 }
    }
}
