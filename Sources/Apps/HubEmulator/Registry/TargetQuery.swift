import NotificationHubs

/// Finds the registrations that match a tag expression. Valid until the registry changes, because numbers of tags and
/// installations are reused.
struct TargetQuery {
    private enum Meaning {
        case folded(TagTable.Folded)
        case installation(InstallationTable.Number)
        case nobody
    }

    /// The registrations to check.
    enum Candidates {
        /// Every slot.
        case all
        /// These slots, ascending and without duplicates; each must still be matched.
        case slots([UInt32])
    }

    private let expression: TagExpression?
    private let meanings: [Tag: Meaning]

    /// Prepares a query.
    ///
    /// - Parameters:
    ///   - expression: The tag expression; `nil` matches all registrations.
    ///   - registry: The registry in its current state. Unknown tags and installations match nothing.
    init(_ expression: TagExpression?, in registry: DeviceRegistry) {
        self.expression = expression
        var meanings: [Tag: Meaning] = [:]
        for tag in expression?.tags ?? [] {
            if let id = tag.installationID {
                meanings[tag] = registry.installations.number(of: id).map { .installation($0) } ?? .nobody
            } else {
                meanings[tag] = registry.tags.folded(tag).map { .folded($0) } ?? .nobody
            }
        }
        self.meanings = meanings
    }

    /// The smallest set of candidates that the index can determine.
    func candidates(in registry: DeviceRegistry) -> Candidates {
        guard let expression else { return .all }
        var counts: [Tag: Int] = [:]
        for tag in expression.tags { counts[tag] = registry.count(of: tag) }
        guard let anchors = expression.anchors(cost: { counts[$0] ?? 0 }) else { return .all }
        var slots: [UInt32] = []
        for tag in anchors { slots += registry.possibleSlots(of: tag) }
        return .slots(slots.sortedAndUnique())
    }

    /// Whether a registration matches.
    func matches(_ record: DeviceRecord, in registry: DeviceRegistry) -> Bool {
        guard let expression else { return true }
        var isMeant = false
        let tags = registry.tags
        isMeant = expression.isTrue { tag in
            switch meanings[tag] {
            case .folded(let folded): record.tags.contains { tags.folded($0) == folded }
            case .installation(let number): record.installation == number
            case .nobody, nil: false
            }
        }
        return isMeant
    }
}
