import NewsflashBasics
import NewsflashTimestamps
import NotificationHubs

/// All registrations and installations of a hub, with an index by id, by tag and by handle.
///
/// A registration keeps its slot for life; free slots are reused. Lists are ordered by slot.
struct DeviceRegistry {
    /// The registrations with a tag, ignoring case, and its first spelling, which registrations share.
    private struct Tagged {
        let tag: Tag
        var slots = SlotList()
    }

    private(set) var records = Places<DeviceRecord>()
    private(set) var installations = Places<InstallationEntry>()
    private(set) var templates = TemplateTable()
    private(set) var firebase = FirebaseHandles()
    private var slotByName: [RegistrationName: UInt32] = [:]
    private var slotsByHandle: [String: SlotList] = [:]
    private var tagged: [String: Tagged] = [:]
    /// The numbers of installations by id in lower case. Ids are ASCII.
    private var numbers: [String: UInt32] = [:]

    /// The number of registrations, including those of installations.
    var registrationCount: Int { slotByName.count }

    /// The number of installations.
    var installationCount: Int { numbers.count }

    /// The number of different tags.
    var tagCount: Int { tagged.count }

    // MARK: Looking up

    func slot(of name: RegistrationName) -> UInt32? { slotByName[name] }

    subscript(slot: UInt32) -> DeviceRecord? { records[slot] }

    func slots(ofHandle handle: String) -> [UInt32] { slotsByHandle[handle]?.slots ?? [] }

    /// The registrations with a tag, ignoring case.
    func slots(of tag: Tag) -> SlotList {
        if let id = tag.installationID { return SlotList(installation(id)?.slots ?? []) }
        return tagged[tag.description.lowercased()]?.slots ?? SlotList()
    }

    func number(ofInstallation id: String) -> UInt32? { numbers[id.lowercased()] }

    func installation(_ id: String) -> InstallationEntry? { number(ofInstallation: id).flatMap { installations[$0] } }

    /// The id of the installation that a registration belongs to.
    func installationID(of record: DeviceRecord) -> String? {
        record.installation.flatMap { installations[$0] }?.installation.id
    }

    /// Expands a record to a registration as clients see it.
    func registration(_ record: DeviceRecord) -> Registration {
        let installation = installationID(of: record).flatMap { try? Tag.installation($0) }
        return Registration(
            id: record.name.description,
            etag: record.etag,
            expiration: record.expiration,
            description: RegistrationDescription(
                channel: record.channel,
                tags: [installation].compactMap(\.self) + record.tags,
                pushVariables: record.pushVariables,
                secondaryTileName: record.secondaryTileName,
                template: record.template?.description
            )
        )
    }

    /// Generates an unused name. With a fixed seed, a hub that restored devices generates their names again, so it must check.
    func unusedName(using generator: inout SeededRandom) -> RegistrationName {
        var name = RegistrationName(using: &generator)
        while slot(of: name) != nil { name = RegistrationName(using: &generator) }
        return name
    }

    // MARK: Registrations

    /// Creates a registration, or replaces it and increments its ETag.
    ///
    /// - Returns: Its slot.
    @discardableResult
    mutating func put(
        _ prepared: PreparedRegistration,
        name: RegistrationName,
        etag: Int64? = nil,
        expiration: Timestamp? = nil,
        installation: UInt32? = nil
    ) -> UInt32 {
        let description = prepared.description
        var template: CompiledTemplate?
        if let described = description.template, let compiled = prepared.template {
            template = templates.retain(described, platform: description.channel.platform, compiled: compiled)
        }
        let before = slotByName[name]
        let previous = before.flatMap { records[$0] }
        let record = DeviceRecord(
            name: name,
            etag: etag ?? (previous?.etag ?? 0) &+ 1,
            expiration: expiration,
            channel: description.channel,
            tags: shared(description.tags),
            template: template,
            installation: installation,
            pushVariables: description.pushVariables,
            secondaryTileName: description.secondaryTileName
        )
        let slot: UInt32
        if let before, let previous {
            unlink(previous, slot: before)
            // Otherwise the installation would adopt the next registration in this slot.
            if previous.installation != installation { leaveInstallation(previous, slot: before) }
            records.update(before) { $0 = record }
            slot = before
        } else {
            slot = records.insert(record)
        }
        slotByName[name] = slot
        slotsByHandle[record.channel.handle, default: SlotList()].insert(slot)
        for tag in record.tags { tagged[tag.description.lowercased(), default: Tagged(tag: tag)].slots.insert(slot) }
        firebase.insert(record.channel)
        return slot
    }

    /// Removes a registration, also from its installation.
    @discardableResult
    mutating func remove(slot: UInt32) -> DeviceRecord? {
        guard let record = records[slot] else { return nil }
        leaveInstallation(record, slot: slot)
        unlink(record, slot: slot)
        records.remove(slot)
        return record
    }

    /// Removes expired installations and registrations.
    mutating func removeExpired(now: Timestamp) -> (installations: [String], registrations: [RegistrationName]) {
        var gone: (installations: [String], registrations: [RegistrationName]) = ([], [])
        for slot in 0..<UInt32(records.count) where records[slot]?.isExpired(at: now) == true {
            if let record = remove(slot: slot) { gone.registrations.append(record.name) }
        }
        for number in 0..<UInt32(installations.count) {
            guard let installation = installations[number]?.installation, installation.isExpired(at: now) else {
                continue
            }
            removeInstallation(installation.id)
            gone.installations.append(installation.id)
        }
        return gone
    }

    /// The tags that a registration stores: without that of its installation, which is derived, and only the first of several
    /// spellings that differ in case.
    private func shared(_ tags: [Tag]) -> [Tag] {
        var seen: Set<String> = []
        return tags.compactMap { tag in
            let folded = tag.description.lowercased()
            guard tag.installationID == nil, seen.insert(folded).inserted else { return nil }
            // An equal tag shares its text.
            guard let known = tagged[folded]?.tag, known == tag else { return tag }
            return known
        }
    }

    private mutating func unlink(_ record: DeviceRecord, slot: UInt32) {
        slotByName[record.name] = nil
        slotsByHandle[record.channel.handle]?.remove(slot)
        if slotsByHandle[record.channel.handle]?.isEmpty == true { slotsByHandle[record.channel.handle] = nil }
        for tag in record.tags {
            let folded = tag.description.lowercased()
            tagged[folded]?.slots.remove(slot)
            if tagged[folded]?.slots.isEmpty == true { tagged[folded] = nil }
        }
        if let template = record.template { templates.release(template, platform: record.channel.platform) }
        firebase.remove(record.channel)
    }

    private mutating func leaveInstallation(_ record: DeviceRecord, slot: UInt32) {
        guard let number = record.installation else { return }
        installations.update(number) { entry in entry.slots.removeAll { $0 == slot } }
    }

    // MARK: Installations

    /// Returns the installation that a registration keeps when it is written by its own id: the one named in its tags.
    ///
    /// - Parameters:
    ///   - name: The registration's id.
    ///   - tags: The new tags of the registration.
    /// - Returns: `nil` if the registration is, or becomes, independent of an installation.
    func installation(keeping name: RegistrationName, tags: [Tag]) -> UInt32? {
        guard let number = slot(of: name).flatMap({ self[$0]?.installation }),
            tags.contains(where: { $0.installationID.map { self.number(ofInstallation: $0) == number } ?? false })
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
            if let other = names.updateValue(record.name, forKey: RegistrationRole(record)) { removed.append(other) }
        }
        let number = restore(prepared.installation)
        var slots: [UInt32] = []
        for registration in prepared.registrations {
            let name =
                names.removeValue(forKey: RegistrationRole(registration.description)) ?? unusedName(using: &generator)
            slots.append(
                put(registration, name: name, expiration: prepared.installation.expiration, installation: number)
            )
        }
        removed += names.values
        for name in removed {
            if let slot = slot(of: name) { remove(slot: slot) }
        }
        // Equal texts share their storage.
        var bodies: [String: String] = [:]
        for case let template? in slots.map({ self[$0]?.template?.description }) {
            bodies[template.name ?? ""] = template.body
        }
        installations.update(number) { entry in
            entry.slots = slots
            for index in entry.installation.templates.indices {
                let template = entry.installation.templates[index]
                guard let body = bodies[template.name], body.hasSameBytes(as: template.body) else { continue }
                entry.installation.templates[index].body = body
            }
        }
        return (slots, removed)
    }

    /// Removes an installation with its registrations.
    mutating func removeInstallation(_ id: String) {
        guard let number = number(ofInstallation: id), let entry = installations[number] else { return }
        // With the list emptied first, removing a slot does not search it.
        installations.update(number) { $0.slots = [] }
        for slot in entry.slots { remove(slot: slot) }
        installations.remove(number)
        numbers[id.lowercased()] = nil
    }

    /// Creates or replaces an installation without registrations. The registrations of a restored one follow with
    /// ``adopt(_:into:)``.
    @discardableResult
    mutating func restore(_ installation: Installation) -> UInt32 {
        // Most ids are already in lower case; the key then shares the storage of the id.
        let lowercased = installation.id.lowercased()
        let key = lowercased == installation.id ? installation.id : lowercased
        let entry = InstallationEntry(installation: installation, slots: [])
        if let number = numbers[key] {
            installations.update(number) { $0 = entry }
            return number
        }
        let number = installations.insert(entry)
        numbers[key] = number
        return number
    }

    /// Adds a restored registration to an installation.
    mutating func adopt(_ slot: UInt32, into number: UInt32) {
        installations.update(number) { $0.slots.append(slot) }
    }

    /// Removes all registrations of a handle that a push service rejected, and marks the installations that use it.
    mutating func drop(
        handle: String,
        of platform: PushPlatform
    ) -> (removed: [RegistrationName], expired: [Installation]) {
        var removed: [RegistrationName] = []
        var owners: [UInt32] = []
        for slot in slots(ofHandle: handle) where self[slot]?.channel.platform == platform {
            guard let record = remove(slot: slot) else { continue }
            removed.append(record.name)
            if let owner = record.installation, !owners.contains(owner) { owners.append(owner) }
        }
        var expired: [Installation] = []
        // An installation may have another channel by now.
        for owner in owners where installations[owner]?.installation.channel.handle == handle {
            installations.update(owner) { entry in
                entry.installation.isChannelExpired = true
                expired.append(entry.installation)
            }
        }
        return (removed, expired)
    }
}

/// An installation with its registrations, the native one first.
struct InstallationEntry {
    var installation: Installation
    var slots: [UInt32]
}

/// A registration.
struct DeviceRecord {
    var name: RegistrationName
    var etag: Int64
    var expiration: Timestamp?
    var channel: PushChannel
    /// The tags in their original order, without `$InstallationId:{…}`.
    var tags: [Tag]
    /// The template that renders its notifications; `nil` for a native registration.
    var template: CompiledTemplate?
    /// The number of the installation that it belongs to, if any.
    var installation: UInt32?
    var pushVariables: [NamedValue]
    var secondaryTileName: String?

    func isExpired(at now: Timestamp) -> Bool { expiration.map { $0 <= now } ?? false }
}

extension Installation {
    func isExpired(at now: Timestamp) -> Bool { expiration.map { $0 <= now } ?? false }
}

/// The role of a registration within its installation.
private struct RegistrationRole: Hashable {
    /// `nil` for the native registration.
    var template: String?
    var tile: String?

    init(_ record: DeviceRecord) {
        template = record.template?.description.name
        tile = record.secondaryTileName
    }

    init(_ description: RegistrationDescription) {
        template = description.template?.name
        tile = description.secondaryTileName
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
