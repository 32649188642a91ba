import NotificationHubs
import Randomness
import Timestamps

/// All registrations and installations of a hub, with an index by id, by tag and by handle.
///
/// A registration keeps its slot for life; free slots are reused. Lists are ordered by slot.
struct DeviceRegistry {
    private(set) var records: [DeviceRecord?] = []
    var installations = InstallationTable()
    private(set) var templates = TemplateTable()
    private(set) var tags = TagTable()
    private var free: [UInt32] = []
    private var index = RegistrationIndex()

    /// The number of registrations, including those of installations.
    var registrationCount: Int { index.count }

    // MARK: Looking up

    func slot(of name: RegistrationName) -> UInt32? { index.slot(of: name) }

    subscript(slot: UInt32) -> DeviceRecord? {
        Int(slot) < records.count ? records[Int(slot)] : nil
    }

    func slots(ofHandle handle: String) -> [UInt32] { index.slots(ofHandle: handle) }

    /// The number of registrations with a tag.
    func count(of tag: Tag) -> Int {
        if let id = tag.installationID { return installation(id)?.slots.count ?? 0 }
        return tags.folded(tag).map { index.postings(of: $0).live } ?? 0
    }

    /// The slots that may have a tag. Some may no longer have it, and some may occur twice.
    func possibleSlots(of tag: Tag) -> [UInt32] {
        if let id = tag.installationID { return installation(id)?.slots ?? [] }
        return tags.folded(tag).map { index.postings(of: $0).slots } ?? []
    }

    /// Whether a registration has a tag, ignoring case.
    func has(_ tag: Tag, _ record: DeviceRecord) -> Bool {
        if let id = tag.installationID {
            return record.installation != nil && installations.number(of: id) == record.installation
        }
        guard let folded = tags.folded(tag) else { return false }
        return has(folded, record)
    }

    func has(_ folded: TagTable.Folded, _ record: DeviceRecord) -> Bool {
        record.tags.contains { tags.folded($0) == folded }
    }

    func installation(_ id: String) -> InstallationTable.Entry? {
        installations.number(of: id).flatMap { installations[$0] }
    }

    /// Expands a record to a registration as clients see it.
    func registration(_ record: DeviceRecord) -> Registration {
        var tags = record.tags.map { self.tags.tag($0) }
        if let installation = record.installation.flatMap({ installations[$0] })?.installation,
            let tag = try? Tag.installation(installation.id)
        {
            tags.insert(tag, at: 0)
        }
        return Registration(
            id: record.name.description,
            etag: record.etag,
            expiration: record.expiration,
            description: RegistrationDescription(
                channel: record.channel,
                tags: tags,
                pushVariables: record.pushVariables,
                secondaryTileName: record.rare?.secondaryTileName,
                template: record.template.flatMap { templates.description($0) }
            )
        )
    }

    /// Generates an unused name. With a fixed seed, a hub that restored devices generates their names again, so it must check.
    func unusedName(using generator: inout SeededRandom) -> RegistrationName {
        var name = RegistrationName(using: &generator)
        while slot(of: name) != nil { name = RegistrationName(using: &generator) }
        return name
    }

    // MARK: Changing

    /// Creates a registration, or replaces it and increments its ETag.
    ///
    /// - Returns: Its slot.
    @discardableResult
    mutating func put(
        _ prepared: PreparedRegistration,
        name: RegistrationName,
        etag: Int64? = nil,
        expiration: Timestamp? = nil,
        installation: InstallationTable.Number? = nil
    ) -> UInt32 {
        let description = prepared.description
        let before = index.slot(of: name)
        let slot = before ?? free.popLast() ?? UInt32(records.count)
        let previous = before.flatMap { records[Int($0)] }
        let record = DeviceRecord(
            name: name,
            etag: etag ?? (previous?.etag ?? 0) &+ 1,
            expiration: expiration,
            channel: description.channel,
            tags: spellings(description.tags),
            template: retain(prepared),
            installation: installation,
            rare: description.pushVariables.isEmpty && description.secondaryTileName == nil
                ? nil
                : DeviceRecord.Rare(
                    pushVariables: description.pushVariables,
                    secondaryTileName: description.secondaryTileName
                )
        )
        if let previous {
            unlink(previous, slot: slot)
            // Otherwise the installation would adopt the next registration in this slot.
            if previous.installation != installation { leaveInstallation(previous, slot: slot) }
        }
        if Int(slot) == records.count { records.append(record) } else { records[Int(slot)] = record }
        index.insert(record, slot: slot, tags: tags)
        return slot
    }

    /// Removes a registration, also from its installation.
    @discardableResult
    mutating func remove(slot: UInt32) -> DeviceRecord? {
        guard let record = self[slot] else { return nil }
        leaveInstallation(record, slot: slot)
        unlink(record, slot: slot)
        records[Int(slot)] = nil
        free.append(slot)
        return record
    }

    private mutating func leaveInstallation(_ record: DeviceRecord, slot: UInt32) {
        guard let number = record.installation, let entry = installations[number] else { return }
        installations.setSlots(entry.slots.filter { $0 != slot }, of: number)
    }

    // MARK: Indexes

    private mutating func spellings(_ tags: [Tag]) -> [TagTable.Spelling] {
        var spellings: [TagTable.Spelling] = []
        var seen: Set<TagTable.Folded> = []
        // The tag of the installation is derived from the installation.
        for tag in tags where tag.installationID == nil {
            // The first of several spellings that differ only in case is kept.
            if let folded = self.tags.folded(tag), seen.contains(folded) { continue }
            let spelling = self.tags.retain(tag)
            seen.insert(self.tags.folded(spelling))
            spellings.append(spelling)
        }
        return spellings
    }

    private mutating func retain(_ prepared: PreparedRegistration) -> TemplateTable.Number? {
        guard let description = prepared.description.template, let compiled = prepared.template else { return nil }
        return templates.retain(description, platform: prepared.description.channel.platform, compiled: compiled)
    }

    private mutating func unlink(_ record: DeviceRecord, slot: UInt32) {
        removeFromIndex(record, slot: slot)
        for spelling in record.tags {
            if let nobodys = tags.release(spelling) { index.forget(nobodys) }
        }
        if let template = record.template { templates.release(template) }
    }

    /// A separate function, so that the tag table is not copied when tags are released.
    private mutating func removeFromIndex(_ record: DeviceRecord, slot: UInt32) {
        let tags = tags
        index.remove(record, slot: slot, tags: tags) { [records] other, folded in
            Int(other) < records.count && records[Int(other)]?.tags.contains { tags.folded($0) == folded } == true
        }
    }
}

extension Tag {
    /// The text between the braces of `$InstallationId:{…}`.
    var installationID: String? {
        let prefix = "$InstallationId:{"
        guard description.utf8.count > prefix.utf8.count, description.utf8.first == UInt8(ascii: "$"),
            description.prefix(prefix.count).lowercased() == prefix.lowercased()
        else { return nil }
        return String(description.dropFirst(prefix.count).dropLast())
    }
}
