import NewsEvents
import NotificationHubs
import Publishing
import Rendering
import Routing

extension AudienceWays {
    /// Where readers are whom an event names: at each hub, in each of its forms.
    ///
    /// - Parameters:
    ///   - users: Their names.
    ///   - planner: Makes their tags.
    /// - Returns: The destinations; none without users.
    /// - Throws: ``RuleProblem`` for a name that makes no tag.
    func destinations(of users: [String], by planner: UserPlanner) throws(RuleProblem) -> [Destination] {
        let audiences = try planner.plan(users: users)
        return hubs.flatMap { hub in
            audiences.flatMap { audience in
                hub.forms.map { Destination(hub: hub.label, form: $0, audience: audience) }
            }
        }
    }

    /// Returns the destinations of audiences that were notified before. Each user is named once, whichever request named the
    /// user last.
    ///
    /// - Parameters:
    ///   - facts: The facts of the audiences.
    ///   - planner: Puts users into as few requests as there can be.
    /// - Returns: The destinations; nothing of hubs that are not among these.
    func destinations(of facts: [AudienceFact], by planner: UserPlanner) -> [Destination] {
        guard !facts.isEmpty else { return [] }
        var destinations: [Destination] = []
        var users: [(hub: String, format: String, tags: [Tag])] = []
        for fact in facts {
            guard fact.isForUsers else {
                let audience = PlannedAudience(
                    expression: fact.expression,
                    locale: fact.locale,
                    categories: fact.audience.audience.categories
                )
                let place = destination(hub: fact.hub, form: fact.format, audience: audience)
                destinations += [place].compactMap(\.self)
                continue
            }
            if let place = users.firstIndex(where: { $0.hub == fact.hub && $0.format == fact.format }) {
                users[place].tags += fact.expression.tags
            } else {
                users.append((fact.hub, fact.format, fact.expression.tags))
            }
        }
        for (hub, format, tags) in users {
            // Tags that were in expressions are tags, and few enough.
            let audiences = (try? planner.plan(tags: tags)) ?? []
            destinations += audiences.compactMap { destination(hub: hub, form: format, audience: $0) }
        }
        return destinations
    }
}
