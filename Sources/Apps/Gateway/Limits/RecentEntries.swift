/// The most recently written entries, with a memory limit.
///
/// Has two generations: when the young one is full, it replaces the old one. So the entries that were not written for the
/// longest
/// time are dropped first, and each operation is fast, except for the one that drops a generation.
struct RecentEntries<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private struct Entry {
        var value: Value
        var weight: Int
    }

    private let capacity: Int
    private var young: [Key: Entry] = [:]
    private var old: [Key: Entry] = [:]
    private var youngWeight = 0

    /// Creates an empty table.
    ///
    /// - Parameter capacity: The maximum total weight; equals the number of entries if each weighs 1.
    init(capacity: Int) {
        self.capacity = max(2, capacity)
    }

    /// The number of entries.
    var count: Int { young.count + old.count }

    subscript(key: Key) -> Value? { (young[key] ?? old[key])?.value }

    /// Writes an entry.
    ///
    /// - Parameters:
    ///   - value: The value; replaces the previous value of the key.
    ///   - key: The key.
    ///   - weight: The weight of the entry.
    mutating func keep(_ value: Value, for key: Key, weight: Int = 1) {
        old[key] = nil
        youngWeight += weight - (young.updateValue(Entry(value: value, weight: weight), forKey: key)?.weight ?? 0)
        guard youngWeight >= capacity / 2 else { return }
        old = young
        young = [:]
        youngWeight = 0
    }

    /// Removes an entry.
    mutating func remove(_ key: Key) {
        old[key] = nil
        youngWeight -= young.removeValue(forKey: key)?.weight ?? 0
    }
}
