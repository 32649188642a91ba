/// A cache of the facts of the most recently used stories, bounded in bytes.
struct FactsCache: Sendable {
    /// An object outside of the list, whose free slots would otherwise be as large.
    private final class Content: Sendable {
        let name: String
        let facts: StoryFacts

        init(_ facts: consuming StoryFacts, of name: String) {
            self.name = name
            self.facts = facts
        }
    }

    private struct Item: Sendable {
        let key: StoryIndex.Key
        let content: Content
        let byteCount: Int
        /// The indexes of the neighbours in the order of their last use; below zero if absent.
        var older: Int
        var newer = -1
    }

    private var places: [StoryIndex.Key: Int] = [:]
    private var items: [Item?] = []
    private var freePlaces: [Int] = []
    private var oldest = -1
    private var newest = -1
    private(set) var byteCount = 0

    /// The memory of a story in addition to its facts, in bytes.
    private static let overhead = 240

    /// The facts of a story; `nil` if they are not cached.
    func facts(of key: StoryIndex.Key, _ name: String) -> StoryFacts? {
        guard let place = places[key], let content = items[place]?.content, content.name == name else { return nil }
        return content.facts
    }

    /// Stores facts as the most recently used.
    mutating func store(_ facts: consuming StoryFacts, of key: StoryIndex.Key, _ name: String) {
        remove(key)
        let byteCount = facts.byteCount + name.utf8.count + Self.overhead
        let item = Item(key: key, content: Content(facts, of: name), byteCount: byteCount, older: newest)
        let place = freePlaces.popLast() ?? items.count
        if place == items.count { items.append(item) } else { items[place] = item }
        places[key] = place
        if newest >= 0 { items[newest]?.newer = place }
        newest = place
        if oldest < 0 { oldest = place }
        self.byteCount += byteCount
    }

    mutating func remove(_ key: StoryIndex.Key) {
        guard let place = places.removeValue(forKey: key), let item = items[place] else { return }
        if item.older >= 0 { items[item.older]?.newer = item.newer } else { oldest = item.newer }
        if item.newer >= 0 { items[item.newer]?.older = item.older } else { newest = item.older }
        items[place] = nil
        freePlaces.append(place)
        byteCount -= item.byteCount
    }

    /// Removes the least recently used facts until the rest fits.
    mutating func shrink(to limit: Int) {
        while byteCount > limit, oldest >= 0, let key = items[oldest]?.key { remove(key) }
    }
}
