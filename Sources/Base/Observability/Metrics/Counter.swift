import Synchronization

/// A count since the start; never decreases.
///
/// Safe on any thread; costs one atomic addition. Keep the handle, so that counting needs no look-up.
package final class Counter: Sendable {
    private let count = Atomic<UInt64>(0)

    init() {}

    /// Adds to the count.
    ///
    /// - Parameter amount: The amount; negative values are ignored, because a count cannot decrease.
    package func increment(by amount: Int64 = 1) {
        guard amount > 0 else { return }
        count.wrappingAdd(UInt64(amount), ordering: .relaxed)
    }

    /// The current count.
    package var value: UInt64 { count.load(ordering: .relaxed) }
}
