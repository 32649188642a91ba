import NotificationHubs

/// Numbers for tags, so that a million registrations hold a few bytes for each of theirs.
///
/// Spellings keep their case; whether two tags are the same ignores it, as the sets of the .NET SDK do. A number is good
/// for as long as a registration has the tag, and is another tag's afterwards.
struct TagTable {
    /// A spelling of a tag.
    typealias Spelling = UInt32
    /// A tag whatever the case of its letters.
    typealias Folded = UInt32

    private struct Entry {
        var tag: Tag
        var folded: Folded
        /// How many registrations have it in this spelling.
        var uses: Int
    }

    private var spellings: [Tag: Spelling] = [:]
    private var entries: [Entry] = []
    private var freeSpellings: [Spelling] = []
    private var foldedByText: [String: Folded] = [:]
    /// How many spellings each has.
    private var spellingCounts: [Int] = []
    private var freeFolded: [Folded] = []

    /// How many numbers there are for tags whatever their case, those that are free included.
    var foldedCount: Int { spellingCounts.count }

    /// The number of a tag for one more registration, a new one where it has none yet; ``release(_:)`` it with it.
    mutating func retain(_ tag: Tag) -> Spelling {
        if let known = spellings[tag] {
            entries[Int(known)].uses += 1
            return known
        }
        let entry = Entry(tag: tag, folded: retainFolded(tag), uses: 1)
        let spelling = freeSpellings.popLast() ?? Spelling(entries.count)
        if Int(spelling) == entries.count { entries.append(entry) } else { entries[Int(spelling)] = entry }
        spellings[tag] = spelling
        return spelling
    }

    /// Lets a registration's tag go.
    ///
    /// - Returns: The number of the tag whatever its case, where nobody has it any more.
    mutating func release(_ spelling: Spelling) -> Folded? {
        entries[Int(spelling)].uses -= 1
        guard entries[Int(spelling)].uses == 0 else { return nil }
        let tag = entries[Int(spelling)].tag
        let folded = entries[Int(spelling)].folded
        spellings[tag] = nil
        freeSpellings.append(spelling)
        spellingCounts[Int(folded)] -= 1
        guard spellingCounts[Int(folded)] == 0 else { return nil }
        foldedByText[tag.description.lowercased()] = nil
        freeFolded.append(folded)
        return folded
    }

    func tag(_ spelling: Spelling) -> Tag { entries[Int(spelling)].tag }

    func folded(_ spelling: Spelling) -> Folded { entries[Int(spelling)].folded }

    /// The number of a tag that someone has; nothing for one that nobody has.
    func folded(_ tag: Tag) -> Folded? {
        if let spelling = spellings[tag] { return folded(spelling) }
        return foldedByText[tag.description.lowercased()]
    }

    private mutating func retainFolded(_ tag: Tag) -> Folded {
        let text = tag.description.lowercased()
        let folded = foldedByText[text] ?? freeFolded.popLast() ?? Folded(spellingCounts.count)
        foldedByText[text] = folded
        if Int(folded) == spellingCounts.count { spellingCounts.append(0) }
        spellingCounts[Int(folded)] += 1
        return folded
    }
}
