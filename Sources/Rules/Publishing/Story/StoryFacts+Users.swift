import NotificationHubs
import Routing

extension StoryFacts {
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
    package func hasRoom(for requests: [Recipients]) -> Bool {
        var tags: [[String]: Set<Tag>] = [:]
        var bytes = 0
        for entry in notified.map(\.audience) + requests where entry.audience.isForUsers {
            let place = [entry.hub, entry.format]
            bytes += Self.bytesOfEntry + entry.hub.utf8.count
            for tag in entry.audience.expression.tags where tags[place, default: []].insert(tag).inserted {
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
            locale: audience.audience.locale,
            categories: audience.audience.categories,
            isForUsers: true
        )
        return AudienceFact(
            Recipients(hub: hub, format: audience.format, audience: users),
            act,
            certainty,
            isFollowUp: isFollowUp
        )
    }
}

extension [AudienceFact] {
    /// Removes the users whom a new fact names from the other facts of the same hub and format.
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

    /// The facts without the users whom requests name.
    func withoutUsers(of requests: [Recipients]) -> [AudienceFact] {
        var named: [[String]: Set<Tag>] = [:]
        for request in requests where request.audience.isForUsers {
            named[[request.hub, request.format], default: []].formUnion(request.audience.expression.tags)
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
