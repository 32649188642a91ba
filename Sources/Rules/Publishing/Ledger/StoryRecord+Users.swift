import NotificationHubs

extension StoryRecord {
    /// The most bytes that the users of one story may take in the ledger. A record of Kafka has a megabyte; of this there may
    /// be twice as much, where all who were told may have been told again, and what waits of the story needs the rest.
    package static let mostBytesOfUsers = 384 << 10

    /// What an entry takes beside its tags and its hub's name.
    private static let bytesOfEntry = 160
    /// What joins a tag to the next.
    private static let bytesOfOperator = 4

    /// Whether users can be told and be remembered, every one of them, for a correction and for a kill.
    ///
    /// - Parameter requests: To users; of one that is told already nothing is added.
    /// - Returns: `false` where the ledger's record could become too large to be written.
    package func hasRoom(for requests: [Sent]) -> Bool {
        var tags: [[String]: Set<Tag>] = [:]
        var bytes = 0
        for entry in told + requests where entry.isForUsers {
            let place = [entry.hub, entry.format]
            bytes += Self.bytesOfEntry + entry.hub.utf8.count
            for tag in entry.expression.tags where tags[place, default: []].insert(tag).inserted {
                bytes += tag.description.utf8.count + Self.bytesOfOperator
            }
        }
        return bytes <= Self.mostBytesOfUsers
    }
}

extension StoryRecord.Sent {
    /// What is left of it without some tags; `nil` where that is nobody.
    fileprivate func without(_ tags: Set<Tag>) -> StoryRecord.Sent? {
        let left = expression.tags.filter { !tags.contains($0) }
        guard let rest = try? TagExpression.any(of: left) else { return nil }
        return StoryRecord.Sent(
            hub: hub,
            format: format,
            expression: rest,
            locale: locale,
            categories: categories,
            isForUsers: isForUsers,
            revision: revision,
            at: at
        )
    }
}

extension [StoryRecord.Sent] {
    /// Forgets in other entries of the same hub and format the users whom a new one names.
    ///
    /// - Parameters:
    ///   - new: To users.
    ///   - isOlder: Whether an entry has to give way.
    mutating func removeUsers(of new: StoryRecord.Sent, where isOlder: (StoryRecord.Sent) -> Bool) {
        func isMeant(_ entry: StoryRecord.Sent) -> Bool {
            entry.isForUsers && entry.hub == new.hub && entry.format == new.format && isOlder(entry)
                && !entry.hasSameTarget(as: new)
        }
        guard contains(where: isMeant) else { return }
        let tags = Set(new.expression.tags)
        self = compactMap { entry in
            guard isMeant(entry), entry.expression.tags.contains(where: tags.contains) else { return entry }
            return entry.without(tags)
        }
    }
}
