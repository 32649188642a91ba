import NotificationHubs

/// Elements in numbered places. A place is reused after its element is removed.
struct Places<Element> {
    private(set) var elements: [Element?] = []
    private var free: [UInt32] = []

    /// The number of places, including free ones.
    var count: Int { elements.count }

    subscript(place: UInt32) -> Element? { Int(place) < elements.count ? elements[Int(place)] : nil }

    mutating func insert(_ element: Element) -> UInt32 {
        if let place = free.popLast() {
            elements[Int(place)] = element
            return place
        }
        elements.append(element)
        return UInt32(elements.count - 1)
    }

    /// Changes an element in place.
    mutating func update(_ place: UInt32, _ change: (inout Element) -> Void) {
        // Removed during the change, to avoid a copy.
        guard Int(place) < elements.count, var element = elements[Int(place)].take() else { return }
        change(&element)
        elements[Int(place)] = element
    }

    mutating func remove(_ place: UInt32) {
        guard self[place] != nil else { return }
        elements[Int(place)] = nil
        free.append(place)
    }
}

extension Places: Sendable where Element: Sendable {}

/// Slots of registrations in ascending order. A change moves at most the slots after it: for 100,000 slots some microseconds.
struct SlotList {
    private(set) var slots: [UInt32] = []

    var isEmpty: Bool { slots.isEmpty }

    init(_ slots: [UInt32] = []) {
        self.slots = slots.sortedAndUnique()
    }

    func contains(_ slot: UInt32) -> Bool {
        let index = index(of: slot)
        return index < slots.count && slots[index] == slot
    }

    mutating func insert(_ slot: UInt32) {
        // New registrations nearly always have the greatest slot.
        guard let last = slots.last, last >= slot else { return slots.append(slot) }
        let index = index(of: slot)
        if slots[index] != slot { slots.insert(slot, at: index) }
    }

    mutating func remove(_ slot: UInt32) {
        let index = index(of: slot)
        if index < slots.count, slots[index] == slot { slots.remove(at: index) }
    }

    /// The index of the first slot that is not less, by binary search.
    private func index(of slot: UInt32) -> Int {
        var (low, high) = (0, slots.count)
        while low < high {
            let middle = (low + high) / 2
            if slots[middle] < slot { low = middle + 1 } else { high = middle }
        }
        return low
    }
}

extension [UInt32] {
    /// The elements in ascending order without duplicates.
    func sortedAndUnique() -> [UInt32] {
        guard !zip(self, dropFirst()).allSatisfy({ $0 < $1 }) else { return self }
        var unique: [UInt32] = []
        for slot in sorted() where slot != unique.last { unique.append(slot) }
        return unique
    }
}

/// Finds the registrations that match a tag expression. Valid until the registry changes.
struct TargetQuery {
    private let expression: TagExpression?
    private let slots: [Tag: SlotList]

    /// Prepares a query.
    ///
    /// - Parameters:
    ///   - expression: The tag expression; `nil` matches all registrations.
    ///   - registry: The registry in its current state.
    init(_ expression: TagExpression?, in registry: DeviceRegistry) {
        self.expression = expression
        var slots: [Tag: SlotList] = [:]
        for tag in expression?.tags ?? [] { slots[tag] = registry.slots(of: tag) }
        self.slots = slots
    }

    /// The smallest set of candidates that the index can determine, in ascending order; `nil` for every slot.
    var candidates: [UInt32]? {
        guard let expression, let anchors = expression.anchors(cost: { slots[$0]?.slots.count ?? 0 }) else {
            return nil
        }
        return anchors.flatMap { slots[$0]?.slots ?? [] }.sortedAndUnique()
    }

    /// Whether the registration in a slot matches.
    func matches(_ slot: UInt32) -> Bool {
        expression?.isTrue { slots[$0]?.contains(slot) ?? false } ?? true
    }
}

/// A template with its compiled form, shared by all registrations that have it.
final class CompiledTemplate: Sendable {
    let description: TemplateDescription
    let template: NotificationTemplate

    init(_ description: TemplateDescription, _ template: NotificationTemplate) {
        self.description = description
        self.template = template
    }
}

/// The distinct templates of all registrations, compiled once each, because many devices share few templates.
struct TemplateTable {
    private struct Key: Hashable {
        var description: TemplateDescription
        var platform: PushPlatform

        static func == (left: Key, right: Key) -> Bool {
            left.platform == right.platform && left.description.hasSameBytes(as: right.description)
        }
    }

    private var templates: [Key: (shared: CompiledTemplate, uses: Int)] = [:]

    /// Adds one use of a template; pair each call with ``release(_:platform:)``.
    mutating func retain(
        _ description: TemplateDescription,
        platform: PushPlatform,
        compiled: NotificationTemplate
    ) -> CompiledTemplate {
        let key = Key(description: description, platform: platform)
        let shared = templates[key]?.shared ?? CompiledTemplate(description, compiled)
        templates[key, default: (shared, 0)].uses += 1
        return shared
    }

    mutating func release(_ template: CompiledTemplate, platform: PushPlatform) {
        let key = Key(description: template.description, platform: platform)
        templates[key]?.uses -= 1
        if templates[key]?.uses == 0 { templates[key] = nil }
    }

    /// The compiled form of a template, if a registration of the platform already uses it.
    func compiled(_ description: TemplateDescription, platform: PushPlatform) -> NotificationTemplate? {
        templates[Key(description: description, platform: platform)]?.shared.template
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
