import NewsflashBasics
import NewsflashTimestamps
import NotificationHubs

/// All registrations and installations of a hub, with an index by id, by tag and by handle.
///
/// A registration keeps its slot for life; free slots are reused. Lists are ordered by slot.
struct DeviceRegistry {
    private(set) var records: [DeviceRecord?] = []
    var installations = InstallationTable()
    private(set) var templates = TemplateTable()
    private(set) var tags = TagTable()
    private(set) var firebase = FirebaseHandles()
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
        firebase.insert(record.channel)
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

    /// Removes expired installations, and expired registrations without an installation.
    mutating func removeExpired(now: Timestamp) -> (installations: [String], registrations: [RegistrationName]) {
        var gone: (installations: [String], registrations: [RegistrationName]) = ([], [])
        for slot in records.indices {
            guard let record = records[slot], record.isExpired(at: now) else { continue }
            remove(slot: UInt32(slot))
            gone.registrations.append(record.name)
        }
        for number in 0..<installations.places {
            guard let installation = installations[UInt32(number)]?.installation,
                let end = installation.expiration, end <= now
            else { continue }
            removeInstallation(installation.id)
            gone.installations.append(installation.id)
        }
        return gone
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
        firebase.remove(record.channel)
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

/// A registration in a compact form, because a hub may keep a million of them.
struct DeviceRecord {
    var name: RegistrationName
    var etag: Int64
    var expiration: Timestamp?
    var channel: PushChannel
    /// The spellings of its tags in their original order, without `$InstallationId:{…}`.
    var tags: [TagTable.Spelling]
    /// The template that renders its notifications; `nil` for a native registration.
    var template: TemplateTable.Number?
    /// The installation that it belongs to, if any.
    var installation: InstallationTable.Number?
    /// Properties that few registrations have.
    var rare: Rare?

    /// Shared between copies and immutable.
    final class Rare: Sendable {
        let pushVariables: [NamedValue]
        let secondaryTileName: String?

        init(pushVariables: [NamedValue], secondaryTileName: String?) {
            self.pushVariables = pushVariables
            self.secondaryTileName = secondaryTileName
        }
    }

    var pushVariables: [NamedValue] { rare?.pushVariables ?? [] }

    func isExpired(at now: Timestamp) -> Bool {
        expiration.map { $0 <= now } ?? false
    }
}

/// A device's registration with its template compiled: all work that needs no lock.
struct PreparedRegistration {
    let description: RegistrationDescription
    let template: NotificationTemplate?

    /// Uses a template that is already compiled.
    init(_ description: RegistrationDescription, template: NotificationTemplate?) {
        self.description = description
        self.template = template
    }

    init(_ description: RegistrationDescription) throws(TemplateError) {
        self.description = description
        if let template = description.template {
            self.template = try NotificationTemplate(template, platform: description.channel.platform)
        } else {
            self.template = nil
        }
    }
}

/// An installation with the registrations that it consists of.
struct PreparedInstallation {
    let installation: Installation
    let registrations: [PreparedRegistration]

    /// A copy with the expiration that its hub sets on each write; clients cannot set one.
    func ending(_ end: Timestamp?) -> PreparedInstallation {
        var installation = installation
        installation.expiration = end
        return PreparedInstallation(installation, registrations: registrations)
    }

    private init(_ installation: Installation, registrations: [PreparedRegistration]) {
        self.installation = installation
        self.registrations = registrations
    }

    init(_ installation: Installation) throws(TemplateError) {
        self.installation = installation
        var registrations: [PreparedRegistration] = []
        for description in installation.registrations() {
            // An expired channel reaches nobody until the installation is written with another one.
            if installation.isChannelExpired, description.secondaryTileName == nil { continue }
            registrations.append(try PreparedRegistration(description))
        }
        self.registrations = registrations
    }
}

/// Installations and the registrations that they consist of.
extension DeviceRegistry {
    /// Returns the installation that a registration keeps when it is written by its own id: the one named in its tags.
    ///
    /// - Parameters:
    ///   - name: The registration's id.
    ///   - tags: The new tags of the registration.
    /// - Returns: `nil` if the registration is, or becomes, independent of an installation.
    func installation(keeping name: RegistrationName, tags: [Tag]) -> InstallationTable.Number? {
        guard let number = slot(of: name).flatMap({ self[$0]?.installation }),
            tags.contains(where: { $0.installationID.map { installations.number(of: $0) == number } ?? false })
        else { return nil }
        return number
    }

    /// Creates or replaces an installation. Its existing registrations keep their ids.
    ///
    /// - Parameters:
    ///   - prepared: The installation.
    ///   - generator: Generates new ids.
    /// - Returns: The slots of its registrations, and the registrations that were removed.
    mutating func put(
        _ prepared: PreparedInstallation,
        using generator: inout SeededRandom
    ) -> (slots: [UInt32], removed: [RegistrationName]) {
        var names: [RegistrationRole: RegistrationName] = [:]
        var removed: [RegistrationName] = []
        for slot in installation(prepared.installation.id)?.slots ?? [] {
            guard let record = self[slot] else { continue }
            // Two registrations may have the same role after one was written by its own id.
            if let other = names.updateValue(record.name, forKey: role(of: record)) { removed.append(other) }
        }
        let number = installations.set(prepared.installation)
        var slots: [UInt32] = []
        for registration in prepared.registrations {
            let name =
                names.removeValue(forKey: RegistrationRole(registration.description))
                ?? unusedName(using: &generator)
            slots.append(
                put(registration, name: name, expiration: prepared.installation.expiration, installation: number)
            )
        }
        removed += names.values
        for name in removed {
            if let slot = slot(of: name) { remove(slot: slot) }
        }
        installations.setSlots(slots, of: number)
        shareTemplates(of: slots, with: number)
        return (slots, removed)
    }

    /// Removes an installation with its registrations.
    ///
    /// - Returns: Whether the installation existed.
    @discardableResult
    mutating func removeInstallation(_ id: String) -> Bool {
        guard let number = installations.number(of: id), let entry = installations[number] else { return false }
        // With the list emptied first, removing a slot does not search it.
        installations.setSlots([], of: number)
        for slot in entry.slots { remove(slot: slot) }
        installations.remove(number)
        return true
    }

    /// Restores an installation from storage. Its registrations follow one by one with ``adopt(_:into:)``.
    mutating func restore(_ installation: Installation) -> InstallationTable.Number {
        installations.set(installation)
    }

    /// Adds a restored registration to an installation. Both come from storage, where they share the texts of templates.
    mutating func adopt(_ slot: UInt32, into number: InstallationTable.Number) {
        installations.append(slot, to: number)
    }

    /// Makes an installation share the template texts of its registrations.
    private mutating func shareTemplates(of slots: [UInt32], with number: InstallationTable.Number) {
        var bodies: [String: String] = [:]
        for slot in slots {
            guard let template = self[slot]?.template.flatMap({ templates.description($0) }), let name = template.name
            else { continue }
            bodies[name] = template.body
        }
        if !bodies.isEmpty { installations.share(bodies, in: number) }
    }

    private func role(of record: DeviceRecord) -> RegistrationRole {
        RegistrationRole(
            template: record.template.flatMap { templates.description($0)?.name },
            tile: record.rare?.secondaryTileName
        )
    }
}

/// The role of a registration within its installation.
private struct RegistrationRole: Hashable {
    /// `nil` for the native registration.
    var template: String?
    var tile: String?

    init(template: String?, tile: String?) {
        self.template = template
        self.tile = tile
    }

    init(_ description: RegistrationDescription) {
        self.init(template: description.template?.name, tile: description.secondaryTileName)
    }
}
