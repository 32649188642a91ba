import NewsflashBasics
import NewsflashStrictJSON
import NewsflashTimestamps
import NotificationHubs

/// A device in the list of a hub: an installation with its registrations, or a registration that belongs to none.
struct ListedDevice: Sendable {
    /// The number of its place, from 1; kept for the life of the device, then reused.
    var sequence: Int64
    var installation: Installation?
    var registrations: [Registration]
    /// Probable mistakes.
    var warnings: [String]

    init(_ sequence: Int64, _ installation: Installation?, _ registrations: [Registration], in hub: DeviceRegistry) {
        self.sequence = sequence
        self.installation = installation
        self.registrations = registrations
        let channels = installation?.channels ?? registrations.map(\.description.channel)
        let retired = Set(channels.map(\.platform)).compactMap(\.retirement)
        warnings = Set(retired + channels.compactMap { hub.firebase.warning(about: $0) }).sorted()
    }
}

/// The filters of a list of devices. A device is listed if it matches one value of each given parameter.
struct DeviceFilter {
    private let tags: [Tag]
    private let users: Set<String>
    private let platforms: Set<PushPlatform>
    private let handles: HandleFilter

    /// Parses `tag`, `user`, `platform` and `handle`.
    init(_ target: RequestTarget) throws(InspectionProblem) {
        var tags: [Tag] = []
        for text in target.values(of: "tag") {
            guard let tag = try? Tag(text) else { throw InspectionProblem("the parameter tag must be a valid tag") }
            tags.append(tag)
        }
        var platforms: Set<PushPlatform> = []
        for name in target.values(of: "platform") {
            guard let platform = PushPlatform(name: name) else {
                let known = PushPlatform.allCases.map(\.rawValue).joined(separator: ", ")
                throw InspectionProblem("the parameter platform must be one of \(known)")
            }
            platforms.insert(platform)
        }
        self.tags = tags
        self.platforms = platforms
        users = Set(target.values(of: "user").map { $0.lowercased() })
        handles = HandleFilter(target)
    }

    fileprivate func matches(_ channel: PushChannel) -> Bool {
        (platforms.isEmpty || platforms.contains(channel.platform))
            && (handles.isEmpty || handles.contains(channel.handle, of: channel.platform))
    }

    fileprivate func matches(_ entry: InstallationEntry, tagged: Set<UInt32>) -> Bool {
        let installation = entry.installation
        guard installation.channels.contains(where: matches),
            users.isEmpty || installation.userID.map({ users.contains($0.lowercased()) }) ?? false
        else { return false }
        guard !tags.isEmpty, !entry.slots.contains(where: tagged.contains) else { return true }
        // An installation with an expired channel has no registrations.
        let wanted = Set(tags.map { $0.description.lowercased() })
        return installation.tags.contains { wanted.contains($0.description.lowercased()) }
    }

    fileprivate func matches(_ record: DeviceRecord, in slot: UInt32, tagged: Set<UInt32>, owned: Set<UInt32>) -> Bool {
        matches(record.channel) && (tags.isEmpty || tagged.contains(slot)) && (users.isEmpty || owned.contains(slot))
    }

    /// The registrations with one of the tags, and those with the tag of one of the users.
    fileprivate func slots(in registry: DeviceRegistry) -> (tagged: Set<UInt32>, owned: Set<UInt32>) {
        (
            Set(tags.flatMap { registry.slots(of: $0).slots }),
            Set(users.compactMap { try? Tag.user($0) }.flatMap { registry.slots(of: $0).slots })
        )
    }
}

extension DeviceRegistry {
    /// Returns a page of devices, ordered by place. Takes time proportional to the number of places.
    ///
    /// Installations have odd numbers, registrations without an installation even ones.
    ///
    /// - Returns: The devices that match and have not expired, and the greatest number of a place.
    func devices(
        after: Int64,
        limit: Int,
        where filter: DeviceFilter,
        now: Timestamp
    ) -> (devices: [ListedDevice], last: Int64) {
        let places = max(installations.count, records.count)
        let (tagged, owned) = filter.slots(in: self)
        var found: [ListedDevice] = []
        // A client may pass any number.
        var place = Int(clamping: max(0, after) / 2)
        while place < places, found.count < limit {
            let sequence = Int64(place) * 2 + 1
            if sequence > after, let entry = installations[UInt32(place)], !entry.installation.isExpired(at: now),
                filter.matches(entry, tagged: tagged)
            {
                let registrations = entry.slots.compactMap { self[$0].map(registration) }
                found.append(ListedDevice(sequence, entry.installation, registrations, in: self))
            }
            if found.count < limit, let record = self[UInt32(place)], record.installation == nil,
                !record.isExpired(at: now),
                filter.matches(record, in: UInt32(place), tagged: tagged, owned: owned)
            {
                found.append(ListedDevice(sequence + 1, nil, [registration(record)], in: self))
            }
            place += 1
        }
        return (found, Int64(places) * 2)
    }
}

extension ListedDevice {
    /// Writes the device.
    func write(to writer: inout JSONWriter) {
        let first = registrations.first
        let channel = installation?.channel ?? first?.description.channel
        let expiration = installation == nil ? first?.expiration : installation?.expiration
        let variables = installation?.pushVariables ?? first?.description.pushVariables ?? []
        writer.beginObject()
        writer.member("sequence", sequence)
        writer.text("installationId", installation?.id)
        writer.text("userId", installation?.userID)
        writer.text("platform", channel?.platform.rawValue)
        writer.text("handle", channel?.handle)
        writer.member("tags", (installation?.tags ?? first?.description.tags ?? []).map(\.description))
        if !variables.isEmpty { writer.values("pushVariables", variables) }
        writer.text("expires", expiration?.rfc3339)
        if installation?.isChannelExpired == true { writer.member("pushChannelExpired", true) }
        if !warnings.isEmpty { writer.member("warnings", warnings) }
        writer.member("registrations", each: registrations) { writer, registration in registration.write(to: &writer) }
        writer.endObject()
    }
}

extension Registration {
    fileprivate func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.text("registrationId", id)
        writer.member("tags", description.tags.map(\.description))
        writer.text("secondaryTile", description.secondaryTileName)
        if let template = description.template {
            writer.name("template")
            writer.beginObject()
            writer.text("name", template.name)
            writer.text("body", template.body)
            if !template.headers.isEmpty { writer.values("headers", template.headers) }
            writer.text("expiry", template.expiry)
            writer.text("priority", template.priority)
            writer.endObject()
        }
        writer.endObject()
    }
}

extension JSONWriter {
    /// Writes an object with texts; only the first of each name.
    mutating func values(_ name: String, _ values: [NamedValue]) {
        self.name(name)
        beginObject()
        var seen: Set<String> = []
        for value in values where seen.insert(value.name).inserted { text(value.name, value.value) }
        endObject()
    }
}
