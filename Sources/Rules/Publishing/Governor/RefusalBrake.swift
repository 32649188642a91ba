/// Notices that the hub refuses too much to be the events' own fault.
///
/// One bad payload is bad news for one event. A burst of refusals is a bad deploy of ours, and dead-lettering it would
/// drain the topic.
package struct RefusalBrake: Sendable {
    /// Refusals in a row that pull the brake.
    package var consecutiveLimit: Int
    /// How many of the latest decisions count for the share; half of them refused pulls the brake.
    package var window: Int

    private var consecutive = 0
    private var latest: RingQueue<Bool> = RingQueue()
    private var refusedInWindow = 0

    package init(consecutiveLimit: Int = 20, window: Int = 100) {
        self.consecutiveLimit = consecutiveLimit
        self.window = window
    }

    /// Counts an accepted request.
    package mutating func accepted() {
        consecutive = 0
        push(false)
    }

    /// Counts a refusal.
    ///
    /// - Returns: Whether the brake is pulled by it: this refusal is then no decision about its event.
    package mutating func refused() -> Bool {
        if consecutive + 1 >= consecutiveLimit { return true }
        if latest.count >= window, (refusedInWindow + 1) * 2 > window { return true }
        consecutive += 1
        push(true)
        return false
    }

    /// Starts anew, after the line was released.
    package mutating func reset() {
        self = RefusalBrake(consecutiveLimit: consecutiveLimit, window: window)
    }

    private mutating func push(_ isRefusal: Bool) {
        latest.append(isRefusal)
        if isRefusal { refusedInWindow += 1 }
        if latest.count > window, latest.popFirst() == true { refusedInWindow -= 1 }
    }
}
