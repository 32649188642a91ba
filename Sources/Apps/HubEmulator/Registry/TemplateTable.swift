import NotificationHubs

/// The distinct templates of all registrations, compiled once each, because many devices share few templates.
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
        /// Never reused, unlike the number.
        var serial: UInt64
        /// The number of registrations that use it; at zero its number is freed for reuse.
        var uses: Int
    }

    private var numbers: [Key: Number] = [:]
    private var entries: [Entry?] = []
    private var free: [Number] = []
    private var lastSerial: UInt64 = 0

    /// Adds one use of a template.
    ///
    /// - Parameters:
    ///   - description: The template as registered by a device.
    ///   - platform: The platform of the device.
    ///   - compiled: The compiled template.
    /// - Returns: Its number; pass it to ``release(_:)`` when the registration is removed.
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

    /// The compiled form of a template, if a registration of the platform already uses it.
    func compiled(_ description: TemplateDescription, platform: PushPlatform) -> NotificationTemplate? {
        numbers[Key(description: description, platform: platform)].flatMap { entries[Int($0)]?.template }
    }

    func description(_ number: Number) -> TemplateDescription? { entries[Int(number)]?.key.description }

    /// The serial number of a template, which distinguishes it from earlier templates with the same number; used as a cache
    /// key.
    func serial(_ number: Number) -> UInt64? { entries[Int(number)]?.serial }

    func template(_ number: Number) -> NotificationTemplate? { entries[Int(number)]?.template }
}
