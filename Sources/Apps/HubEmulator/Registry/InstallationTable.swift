import NotificationHubs

/// The installations with the registrations that each was made into. The case of their ids, which are ASCII, does not
/// matter, here as in ``DeviceSchema``.
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

    /// Those there are, in no certain order.
    var ids: some Collection<String> { numbers.keys }

    func number(of id: String) -> Number? { numbers[id.lowercased()] }

    subscript(number: Number) -> Entry? { entries[Int(number)] }

    /// Sets an installation in place of what had its id; the registrations follow with ``setSlots(_:of:)``.
    mutating func set(_ installation: Installation) -> Number {
        // Ids are in lower case already, mostly: then the key is the id itself and takes no memory of its own.
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

    /// Gives a template's text the storage of an equal one.
    mutating func share(body: String, ofTemplate name: String, in number: Number) {
        guard let index = entries[Int(number)]?.installation.templates.firstIndex(where: { $0.name == name }),
            entries[Int(number)]?.installation.templates[index].body == body
        else { return }
        entries[Int(number)]?.installation.templates[index].body = body
    }

    mutating func remove(_ number: Number) {
        guard let entry = entries[Int(number)] else { return }
        numbers[entry.installation.id.lowercased()] = nil
        entries[Int(number)] = nil
        free.append(number)
    }
}
