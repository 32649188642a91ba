import NotificationHubs

/// The installations with their registrations. Ids are ASCII and compared case-insensitively, as in ``DeviceSchema``.
struct InstallationTable {
    typealias Number = UInt32

    struct Entry {
        var installation: Installation
        /// The registrations, the native one first.
        var slots: [UInt32]
    }

    private var numbers: [String: Number] = [:]
    private var entries: [Entry?] = []
    private var free: [Number] = []

    var count: Int { numbers.count }

    /// The number of places for installations, including free ones.
    var places: Int { entries.count }

    func number(of id: String) -> Number? { numbers[id.lowercased()] }

    subscript(number: Number) -> Entry? { entries[Int(number)] }

    /// Creates or replaces an installation; its registrations follow with ``setSlots(_:of:)``.
    mutating func set(_ installation: Installation) -> Number {
        // Most ids are already in lower case; the key then shares the storage of the id.
        let lowercased = installation.id.lowercased()
        let key = lowercased == installation.id ? installation.id : lowercased
        let number = numbers[key] ?? free.popLast() ?? Number(entries.count)
        numbers[key] = number
        let entry = Entry(installation: installation, slots: [])
        if Int(number) == entries.count { entries.append(entry) } else { entries[Int(number)] = entry }
        return number
    }

    mutating func setSlots(_ slots: [UInt32], of number: Number) {
        entries[Int(number)]?.slots = slots
    }

    /// Replaces the texts of templates by equal texts, to share their storage.
    ///
    /// - Parameters:
    ///   - bodies: Texts by template name.
    ///   - number: The installation.
    mutating func share(_ bodies: [String: String], in number: Number) {
        guard var entry = entries[Int(number)] else { return }
        // Removed during the change, to avoid a copy.
        entries[Int(number)] = nil
        for index in entry.installation.templates.indices {
            let template = entry.installation.templates[index]
            guard let body = bodies[template.name], body.hasSameBytes(as: template.body) else { continue }
            entry.installation.templates[index].body = body
        }
        entries[Int(number)] = entry
    }

    /// Marks an installation's channel as expired.
    ///
    /// - Returns: The changed installation; `nil` if it has another channel by now.
    mutating func expire(channel handle: String, of number: Number) -> Installation? {
        guard entries[Int(number)]?.installation.channel.handle == handle else { return nil }
        entries[Int(number)]?.installation.isChannelExpired = true
        return entries[Int(number)]?.installation
    }

    /// Adds a registration to an installation.
    mutating func append(_ slot: UInt32, to number: Number) {
        entries[Int(number)]?.slots.append(slot)
    }

    mutating func remove(_ number: Number) {
        guard let entry = entries[Int(number)] else { return }
        numbers[entry.installation.id.lowercased()] = nil
        entries[Int(number)] = nil
        free.append(number)
    }
}

extension String {
    /// Whether two texts have the same bytes. `==` also treats canonically equivalent texts as equal, such as two spellings of
    /// é.
    func hasSameBytes(as other: String) -> Bool {
        utf8.count == other.utf8.count && utf8.elementsEqual(other.utf8)
    }
}

extension TemplateDescription {
    func hasSameBytes(as other: TemplateDescription) -> Bool {
        body.hasSameBytes(as: other.body) && headers.count == other.headers.count
            && zip(headers, other.headers).allSatisfy {
                $0.name.hasSameBytes(as: $1.name) && $0.value.hasSameBytes(as: $1.value)
            }
            && zip([name, expiry, priority], [other.name, other.expiry, other.priority]).allSatisfy { text, other in
                switch (text, other) {
                case (let text?, let other?): text.hasSameBytes(as: other)
                case (nil, nil): true
                default: false
                }
            }
    }
}
