import NewsflashRouting
import NotificationHubs

extension StoryFacts {
    /// The maximum size of the users of one story in the ledger, in bytes. A Kafka record has up to a megabyte. Users may take
    /// twice this size if all of them were notified again, and waiting events of the story need the rest.
    package static let mostBytesOfUsers = 384 << 10

    /// The size of an entry without its tags and its hub's name.
    private static let bytesOfEntry = 160
    /// The size of the operator between two tags.
    private static let bytesOfOperator = 4

    /// Whether the users of some requests fit into the ledger, so that a correction and a kill can reach all of them.
    ///
    /// - Parameter requests: Requests to users. Users that are already notified add nothing.
    /// - Returns: `false` if the ledger's record could become too large to be written.
    package func hasRoom(for requests: [Audience]) -> Bool {
        var tags: [[String]: Set<Tag>] = [:]
        var bytes = 0
        for entry in notified.map(\.audience) + requests where entry.planned.isForUsers {
            let place = [entry.hub, entry.format]
            bytes += Self.bytesOfEntry + entry.hub.utf8.count
            for tag in entry.planned.expression.tags where tags[place, default: []].insert(tag).inserted {
                bytes += tag.description.utf8.count + Self.bytesOfOperator
            }
        }
        return bytes <= Self.mostBytesOfUsers
    }
}

extension AudienceFact {
    /// The fact without some tags; `nil` if no tag is left.
    fileprivate func without(_ tags: Set<Tag>) -> AudienceFact? {
        let left = expression.tags.filter { !tags.contains($0) }
        guard let rest = try? TagExpression.any(of: left) else { return nil }
        let users = PlannedAudience(
            expression: rest,
            locale: audience.planned.locale,
            categories: audience.planned.categories,
            isForUsers: true
        )
        return AudienceFact(
            Audience(hub: hub, format: audience.format, planned: users),
            act,
            certainty,
            isFollowUp: isFollowUp
        )
    }
}

extension [AudienceFact] {
    /// Removes the users in a new fact from the other facts of the same hub and format.
    mutating func removeUsers(of new: AudienceFact, where isOlder: (AudienceFact) -> Bool = { _ in true }) {
        func isMeant(_ fact: AudienceFact) -> Bool {
            isOlder(fact) && fact.isForUsers && fact.hub == new.hub && fact.format == new.audience.format
                && !fact.isSameAudience(as: new)
        }
        guard contains(where: isMeant) else { return }
        let tags = Set(new.expression.tags)
        self = compactMap { fact in
            guard isMeant(fact), fact.expression.tags.contains(where: tags.contains) else { return fact }
            return fact.without(tags)
        }
    }

    /// The facts without the users in some requests.
    func withoutUsers(of requests: [Audience]) -> [AudienceFact] {
        var named: [[String]: Set<Tag>] = [:]
        for request in requests where request.planned.isForUsers {
            named[[request.hub, request.format], default: []].formUnion(request.planned.expression.tags)
        }
        guard !named.isEmpty else { return self }
        return compactMap { fact in
            guard fact.isForUsers, let tags = named[[fact.hub, fact.format]],
                fact.expression.tags.contains(where: tags.contains)
            else { return fact }
            return fact.without(tags)
        }
    }
}
