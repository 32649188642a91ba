import NotificationHubs

/// Finds registrations by id, by handle and by tag.
struct RegistrationIndex {
    /// Nearly every handle has one registration, or two: no array for one.
    private enum Slots {
        case one(UInt32)
        case many([UInt32])

        var all: [UInt32] {
            switch self {
            case .one(let slot): [slot]
            case .many(let slots): slots
            }
        }
    }

    private var byName: [RegistrationName: UInt32] = [:]
    private var byHandle: [String: Slots] = [:]
    /// By the number of the tag.
    private var byTag: [Postings] = []

    /// How many registrations there are.
    var count: Int { byName.count }

    func slot(of name: RegistrationName) -> UInt32? { byName[name] }

    func slots(ofHandle handle: String) -> [UInt32] { byHandle[handle]?.all ?? [] }

    /// What may have a tag.
    func postings(of tag: TagTable.Folded) -> Postings {
        Int(tag) < byTag.count ? byTag[Int(tag)] : Postings()
    }

    /// Drops what is left of a tag that nobody has any more: its number may become another's.
    mutating func forget(_ tag: TagTable.Folded) {
        byTag[Int(tag)] = Postings()
    }

    mutating func insert(_ record: DeviceRecord, slot: UInt32, tags: TagTable) {
        byName[record.name] = slot
        while byTag.count < tags.foldedCount { byTag.append(Postings()) }
        for spelling in record.tags { byTag[Int(tags.folded(spelling))].insert(slot) }
        let handle = record.channel.handle
        switch byHandle[handle] {
        case nil: byHandle[handle] = .one(slot)
        case .one(let other): byHandle[handle] = .many([other, slot])
        case .many(let others): byHandle[handle] = .many(others + [slot])
        }
    }

    /// Takes a registration out.
    ///
    /// - Parameters:
    ///   - record: As it was put in.
    ///   - slot: Where it lies.
    ///   - tags: The numbers of tags.
    ///   - holds: Whether the registration in a slot has a tag now; asked where a tag's postings are rebuilt.
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
            // The record itself is still in its place, but no longer counts.
            guard byTag[Int(folded)].isStale else { continue }
            byTag[Int(folded)].rebuild { other in other != slot && holds(other, folded) }
        }
        let handle = record.channel.handle
        let others = slots(ofHandle: handle).filter { $0 != slot }
        byHandle[handle] = others.isEmpty ? nil : others.count == 1 ? .one(others[0]) : .many(others)
    }
}
