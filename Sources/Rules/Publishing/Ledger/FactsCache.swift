/// Facts of the stories that were used latest, within a number of bytes.
struct FactsCache: Sendable {
    private struct Item: Sendable {
        var name: String
        var facts: StoryFacts
        var byteCount: Int
        /// The neighbours in the order of their last use.
        var older: StoryIndex.Key?
        var newer: StoryIndex.Key?
    }

    private var items: [StoryIndex.Key: Item] = [:]
    private var oldest: StoryIndex.Key?
    private var newest: StoryIndex.Key?
    private(set) var byteCount = 0

    /// The bytes that a story takes in addition to its facts.
    private static let overhead = 160

    /// The facts of a story; `nil` if they are not cached.
    func facts(of key: StoryIndex.Key, _ name: String) -> StoryFacts? {
        guard let item = items[key], item.name == name else { return nil }
        return item.facts
    }

    /// Stores facts as the latest.
    mutating func store(_ facts: StoryFacts, of key: StoryIndex.Key, _ name: String) {
        remove(key)
        let byteCount = facts.byteCount + name.utf8.count + Self.overhead
        items[key] = Item(name: name, facts: facts, byteCount: byteCount, older: newest)
        if let newest { items[newest]?.newer = key }
        newest = key
        oldest = oldest ?? key
        self.byteCount += byteCount
    }

    mutating func remove(_ key: StoryIndex.Key) {
        guard let item = items.removeValue(forKey: key) else { return }
        if let older = item.older { items[older]?.newer = item.newer } else { oldest = item.newer }
        if let newer = item.newer { items[newer]?.older = item.older } else { newest = item.older }
        byteCount -= item.byteCount
    }

    /// Removes the oldest until the rest fits.
    mutating func shrink(to limit: Int) {
        while byteCount > limit, let oldest { remove(oldest) }
    }
}
