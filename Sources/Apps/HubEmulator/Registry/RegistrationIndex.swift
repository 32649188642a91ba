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
