import NotificationHubs

/// Finds registrations by id, by handle and by tag.
struct RegistrationIndex {
    /// Nearly every handle has one registration or two, so a single one needs no array. An installation with thousands of
    /// templates uses a set, so that replacing it takes linear time.
    private enum Slots {
        case one(UInt32)
        case few([UInt32])
        case many(Set<UInt32>)

        private static let fewest = 16

        var all: [UInt32] {
            switch self {
            case .one(let slot): [slot]
            case .few(let slots): slots
            case .many(let slots): slots.sorted()
            }
        }

        mutating func insert(_ slot: UInt32) {
            switch self {
            case .one(let other): self = .few([other, slot])
            case .few(let others) where others.count < Self.fewest: self = .few(others + [slot])
            case .few(let others): self = .many(Set(others).union([slot]))
            case .many(var others):
                // Removed during the change, to avoid a copy.
                self = .few([])
                others.insert(slot)
                self = .many(others)
            }
        }

        /// Removes a slot. Returns whether any are left.
        mutating func remove(_ slot: UInt32) -> Bool {
            switch self {
            case .one(let other): return other != slot
            case .few(let slots):
                let others = slots.filter { $0 != slot }
                self = others.count == 1 ? .one(others[0]) : .few(others)
                return !others.isEmpty
            case .many(var slots):
                self = .few([])
                slots.remove(slot)
                self = slots.count > Self.fewest / 2 ? .many(slots) : .few(slots.sorted())
                return true
            }
        }
    }

    private var byName: [RegistrationName: UInt32] = [:]
    private var byHandle: [String: Slots] = [:]
    /// Postings by the number of the tag.
    private var byTag: [Postings] = []

    var count: Int { byName.count }

    func slot(of name: RegistrationName) -> UInt32? { byName[name] }

    func slots(ofHandle handle: String) -> [UInt32] { byHandle[handle]?.all ?? [] }

    /// The registrations that may have a tag.
    func postings(of tag: TagTable.Folded) -> Postings {
        Int(tag) < byTag.count ? byTag[Int(tag)] : Postings()
    }

    /// Removes the entries of a tag that is no longer used, because its number may be reused.
    mutating func forget(_ tag: TagTable.Folded) {
        byTag[Int(tag)] = Postings()
    }

    mutating func insert(_ record: DeviceRecord, slot: UInt32, tags: TagTable) {
        byName[record.name] = slot
        while byTag.count < tags.foldedCount { byTag.append(Postings()) }
        for spelling in record.tags { byTag[Int(tags.folded(spelling))].insert(slot) }
        if byHandle[record.channel.handle]?.insert(slot) == nil { byHandle[record.channel.handle] = .one(slot) }
    }

    /// Removes a registration.
    ///
    /// - Parameters:
    ///   - record: The record as it was inserted.
    ///   - slot: The slot of the record.
    ///   - tags: The tag table.
    ///   - holds: Whether the registration in a slot has a tag now; called when the postings of a tag are rebuilt.
    mutating func remove(
        _ record: DeviceRecord,
        slot: UInt32,
        tags: TagTable,
        where holds: (UInt32, TagTable.Folded) -> Bool
    ) {
        byName[record.name] = nil
        for spelling in record.tags {
            let folded = tags.folded(spelling)
            byTag[Int(folded)].remove()
            // The record is still in its slot, but must not count.
            guard byTag[Int(folded)].isStale else { continue }
            byTag[Int(folded)].rebuild { other in other != slot && holds(other, folded) }
        }
        if byHandle[record.channel.handle]?.remove(slot) == false { byHandle[record.channel.handle] = nil }
    }
}

/// An index of the registrations with a tag. It may contain stale entries, so each result must be checked.
///
/// Removal leaves the entry in place, because removing a million entries from the middle of an array would take minutes. The
/// owner rebuilds the index when more than half of it may be stale.
struct Postings {
    private(set) var slots: [UInt32] = []
    /// The number of registrations with the tag.
    private(set) var live = 0

    mutating func insert(_ slot: UInt32) {
        slots.append(slot)
        live += 1
    }

    mutating func remove() {
        live -= 1
    }

    /// Whether more than half of the entries may be stale.
    var isStale: Bool { slots.count > 64 && slots.count > 2 * live }

    /// Removes stale and duplicate entries and sorts the rest.
    mutating func rebuild(where holds: (UInt32) -> Bool) {
        slots = slots.filter(holds).sortedAndUnique()
        live = slots.count
    }
}

extension [UInt32] {
    /// The elements in ascending order without duplicates.
    func sortedAndUnique() -> [UInt32] {
        var isAscending = true
        for index in indices.dropFirst() where self[index] <= self[index - 1] {
            isAscending = false
            break
        }
        guard !isAscending else { return self }
        var unique: [UInt32] = []
        unique.reserveCapacity(count)
        for slot in sorted() where slot != unique.last { unique.append(slot) }
        return unique
    }
}

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
