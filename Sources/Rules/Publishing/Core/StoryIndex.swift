/// Finds the stories that are at hand, by the hashes of their names.
///
/// The hashes are seeded (``ByteHash``), so they need not be hashed again as a dictionary would. Slots are found by trying one
/// after the other.
struct StoryIndex {
    private struct Entry {
        var hash: UInt64 = 0
        /// One more than the story's slot; 0 where nothing lies.
        var number: Int32 = 0
    }

    private var entries = [Entry](repeating: Entry(), count: 16)
    private var count = 0

    /// The slot of a story.
    ///
    /// - Parameters:
    ///   - hash: The hash of its name.
    ///   - isMeant: Whether a slot of that hash is the story's.
    /// - Returns: `nil` where it is not at hand.
    func slot(of hash: UInt64, where isMeant: (Int32) -> Bool) -> Int32? {
        let entries = entries.span
        var place = home(of: hash)
        while entries[place].number != 0 {
            let entry = entries[place]
            if entry.hash == hash, isMeant(entry.number - 1) { return entry.number - 1 }
            place = next(place)
        }
        return nil
    }

    /// Takes up a story that is not here.
    mutating func insert(_ slot: Int32, hash: UInt64) {
        count += 1
        if count * 4 > entries.count * 3 { grow() }
        fill(Entry(hash: hash, number: slot + 1))
    }

    /// Forgets a story.
    mutating func remove(_ slot: Int32, hash: UInt64) {
        var hole = home(of: hash)
        while entries[hole].number != slot + 1 {
            guard entries[hole].number != 0 else { return }
            hole = next(hole)
        }
        count -= 1
        close(hole)
    }

    private func home(of hash: UInt64) -> Int { Int(truncatingIfNeeded: hash) & (entries.count - 1) }

    private func next(_ place: Int) -> Int { (place + 1) & (entries.count - 1) }

    private mutating func fill(_ entry: Entry) {
        var place = home(of: entry.hash)
        while entries[place].number != 0 { place = next(place) }
        entries[place] = entry
    }

    private mutating func grow() {
        let old = entries
        entries = [Entry](repeating: Entry(), count: old.count * 2)
        for entry in old where entry.number != 0 { fill(entry) }
    }

    /// Empties a place and moves those behind it up, so that no search ends too early.
    private mutating func close(_ emptied: Int) {
        var hole = emptied
        var place = next(hole)
        while entries[place].number != 0 {
            let distance = (place - home(of: entries[place].hash)) & (entries.count - 1)
            if distance >= (place - hole) & (entries.count - 1) {
                entries[hole] = entries[place]
                hole = place
            }
            place = next(place)
        }
        entries[hole] = Entry()
    }
}
