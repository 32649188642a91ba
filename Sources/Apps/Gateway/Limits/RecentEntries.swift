/// The entries that were written most recently, in bounded memory.
///
/// Two generations: when the young one is full it becomes the old one, and the old one is dropped. So the entries that were
/// not written for longest go first, and each step takes the same short time except for that one.
struct RecentEntries<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private struct Entry {
        var value: Value
        var weight: Int
    }

    private let capacity: Int
    private var young: [Key: Entry] = [:]
    private var old: [Key: Entry] = [:]
    private var youngWeight = 0

    /// Makes an empty table.
    ///
    /// - Parameter capacity: The most weight that is kept: a number of entries if each weighs 1.
    init(capacity: Int) {
        self.capacity = max(2, capacity)
    }

    /// How many entries are kept.
    var count: Int { young.count + old.count }

    subscript(key: Key) -> Value? { (young[key] ?? old[key])?.value }

    /// Writes an entry.
    ///
    /// - Parameters:
    ///   - value: Replaces the one under this key.
    ///   - key: Any.
    ///   - weight: How much of the capacity it takes.
    mutating func keep(_ value: Value, for key: Key, weight: Int = 1) {
        old[key] = nil
        youngWeight += weight - (young.updateValue(Entry(value: value, weight: weight), forKey: key)?.weight ?? 0)
        guard youngWeight >= capacity / 2 else { return }
        old = young
        young = [:]
        youngWeight = 0
    }

    /// Drops an entry.
    mutating func remove(_ key: Key) {
        old[key] = nil
        youngWeight -= young.removeValue(forKey: key)?.weight ?? 0
    }
}
