import NotificationHubs

/// Numbers for tags, so that a million registrations need only a few bytes for each tag.
///
/// Spellings keep their case; comparison ignores it, as in the sets of the .NET SDK. A number is valid while a registration
/// has the tag; it may be reused afterwards.
struct TagTable {
    /// The number of one spelling of a tag.
    typealias Spelling = UInt32
    /// The number of a tag regardless of case.
    typealias Folded = UInt32

    private struct Entry {
        var tag: Tag
        var folded: Folded
        /// The number of registrations with this spelling.
        var uses: Int
    }

    private var spellings: [Tag: Spelling] = [:]
    private var entries: [Entry] = []
    private var freeSpellings: [Spelling] = []
    private var foldedByText: [String: Folded] = [:]
    /// The number of spellings of each tag.
    private var spellingCounts: [Int] = []
    private var freeFolded: [Folded] = []

    /// The number of case-insensitive tag numbers, including free ones.
    var foldedCount: Int { spellingCounts.count }

    /// Returns the number of a tag for one more registration and creates it if needed; pair each call with ``release(_:)``.
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

    /// Releases a tag of a registration.
    ///
    /// - Returns: The case-insensitive number of the tag if no registration has it any more.
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

    /// The case-insensitive number of a tag; `nil` if no registration has it.
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
