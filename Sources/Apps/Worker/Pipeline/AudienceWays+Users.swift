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
                hub.forms.map { Destination(hub: hub.identity, form: $0, audience: audience) }
            }
        }
    }

    /// Where those are who were told before: each reader by name once, whichever request told him last.
    ///
    /// - Parameters:
    ///   - told: What was accepted, or may have been.
    ///   - planner: Puts users into as few requests as there can be.
    /// - Returns: The destinations; nothing of hubs that are not among these.
    func destinations(ofTold told: [StoryRecord.Sent], by planner: UserPlanner) -> [Destination] {
        guard !told.isEmpty else { return [] }
        var destinations: [Destination] = []
        var users: [(hub: String, format: String, tags: [Tag])] = []
        for sent in told {
            guard sent.isForUsers else {
                let audience = PlannedAudience(
                    expression: sent.expression,
                    locale: sent.locale,
                    categories: sent.categories
                )
                destinations += [destination(hub: sent.hub, form: sent.format, audience: audience)].compactMap(\.self)
                continue
            }
            if let place = users.firstIndex(where: { $0.hub == sent.hub && $0.format == sent.format }) {
                users[place].tags += sent.expression.tags
            } else {
                users.append((sent.hub, sent.format, sent.expression.tags))
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
