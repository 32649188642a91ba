import NotificationHubs

/// The different templates of all registrations, compiled, each once: many devices share few.
struct TemplateTable {
    typealias Number = UInt32

    private struct Key: Hashable {
        var description: TemplateDescription
        var platform: PushPlatform

        static func == (left: Key, right: Key) -> Bool {
            left.platform == right.platform && left.description.hasSameBytes(as: right.description)
        }
    }

    private struct Entry {
        var key: Key
        var template: NotificationTemplate
        /// Never given again, unlike its number.
        var serial: UInt64
        /// How many registrations use it; without one its number is given anew.
        var uses: Int
    }

    private var numbers: [Key: Number] = [:]
    private var entries: [Entry?] = []
    private var free: [Number] = []
    private var lastSerial: UInt64 = 0

    /// Takes a template into use.
    ///
    /// - Parameters:
    ///   - description: As a device registered it.
    ///   - platform: The device's.
    ///   - compiled: The same, compiled.
    /// - Returns: Its number; ``release(_:)`` it when the registration goes.
    mutating func retain(
        _ description: TemplateDescription,
        platform: PushPlatform,
        compiled: NotificationTemplate
    ) -> Number {
        let key = Key(description: description, platform: platform)
        if let number = numbers[key] {
            entries[Int(number)]?.uses += 1
            return number
        }
        lastSerial += 1
        let entry = Entry(key: key, template: compiled, serial: lastSerial, uses: 1)
        let number = free.popLast() ?? Number(entries.count)
        if Int(number) == entries.count { entries.append(entry) } else { entries[Int(number)] = entry }
        numbers[key] = number
        return number
    }

    mutating func release(_ number: Number) {
        guard var entry = entries[Int(number)] else { return }
        entry.uses -= 1
        if entry.uses == 0 {
            numbers[entry.key] = nil
            entries[Int(number)] = nil
            free.append(number)
        } else {
            entries[Int(number)] = entry
        }
    }

    /// The compiled form of a template that some registration of the platform has already.
    func compiled(_ description: TemplateDescription, platform: PushPlatform) -> NotificationTemplate? {
        numbers[Key(description: description, platform: platform)].flatMap { entries[Int($0)]?.template }
    }

    func description(_ number: Number) -> TemplateDescription? { entries[Int(number)]?.key.description }

    /// What tells a template from those that had its number before, for whoever remembers something of it.
    func serial(_ number: Number) -> UInt64? { entries[Int(number)]?.serial }

    func template(_ number: Number) -> NotificationTemplate? { entries[Int(number)]?.template }
}
