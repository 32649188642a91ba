import Synchronization

/// A number that rises and falls, such as a lag or a limit.
///
/// Safe on any thread. If the value is stored elsewhere, let the registry query it at scrape time instead.
package final class Gauge: Sendable {
    private let number = AtomicDouble()

    init() {}

    /// Replaces the number.
    package func set(_ value: Double) { number.store(value) }

    /// Adds to the number.
    ///
    /// - Parameter amount: The amount; may be negative.
    package func add(_ amount: Double) { number.add(amount) }

    /// The current number.
    package var value: Double { number.load() }
}

/// A number that several threads can add to.
struct AtomicDouble: ~Copyable {
    private let bits = Atomic<UInt64>(0)

    func load() -> Double { Double(bitPattern: bits.load(ordering: .relaxed)) }

    func store(_ value: Double) { bits.store(value.bitPattern, ordering: .relaxed) }

    func add(_ amount: Double) {
        var old = bits.load(ordering: .relaxed)
        while true {
            let new = (Double(bitPattern: old) + amount).bitPattern
            let (exchanged, original) = bits.weakCompareExchange(expected: old, desired: new, ordering: .relaxed)
            if exchanged { return }
            old = original
        }
    }
}
