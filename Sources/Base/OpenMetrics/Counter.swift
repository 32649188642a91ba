import Synchronization

/// Counts what happened since the start; never falls.
///
/// Any thread; one atomic addition. Keep the handle, so that counting needs no look-up.
package final class Counter: Sendable {
    private let count = Atomic<UInt64>(0)

    init() {}

    /// Adds to the count.
    ///
    /// - Parameter amount: What happened; less than zero is ignored, as a count cannot fall.
    package func increment(by amount: Int64 = 1) {
        guard amount > 0 else { return }
        count.wrappingAdd(UInt64(amount), ordering: .relaxed)
    }

    /// The count now.
    package var value: UInt64 { count.load(ordering: .relaxed) }
}
