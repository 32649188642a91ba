/// Detects that the hub refuses more payloads than faulty events can explain.
///
/// One bad payload concerns one event. Many refusals mean that we deployed a fault, and writing them to the dead letters would
/// drain the topic.
package struct RefusalBreaker: Sendable {
    /// The number of consecutive refusals that opens the circuit.
    private static let consecutiveLimit = 20
    /// The number of latest decisions that count for the share; if half of them are refusals, the circuit opens.
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
    /// - Returns: Whether the circuit must open. Then this refusal does not decide about its event.
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
