import NewsEvents
import NotificationHubs
import Publishing
import Rendering
import Routing

/// The subscribers that one request of an event is for. A class, because lists of destinations are cached and passed on.
final class Destination: Sendable {
    let form: PayloadFormat
    let recipients: Recipients

    /// Makes the destination of an audience at a hub with this label.
    init(hub: String, form: PayloadFormat, audience: PlannedAudience) {
        self.form = form
        self.recipients = Recipients(hub: hub, format: form.rawValue, audience: audience)
    }

    var audience: PlannedAudience { recipients.audience }
}

/// The destinations of events at some hubs.
struct AudienceRoutes: Sendable {
    /// The destinations of a list of categories.
    enum Way: Sendable {
        case to([Destination], warnings: [String])
        /// No destination, with the reason for the outcome.
        case nowhere(String)
    }

    let hubs: [HubRules]
    private let cache = WayCache()

    init(to hubs: [HubRules]) { self.hubs = hubs }

    /// Whether there are no hubs.
    var isEmpty: Bool { hubs.isEmpty }

    /// Whether a hub with this label is one of these.
    func knows(_ hub: String) -> Bool { hubs.contains { $0.label == hub } }

    /// Finds the destinations of an event's categories. The rules are the same in all calls.
    func way(of categories: [String], by news: NewsSettings) -> Way {
        cache.way(of: categories) { find(categories, news) }
    }

    /// The destination of an audience that was notified before; `nil` if its hub is not one of these.
    private func destination(hub: String, form: String, audience: PlannedAudience) -> Destination? {
        guard knows(hub), let form = PayloadFormat(rawValue: form) else { return nil }
        return Destination(hub: hub, form: form, audience: audience)
    }

    private func find(_ categories: [String], _ news: NewsSettings) -> Way {
        switch news.categories.route(categories) {
        case .unmapped(let route):
            return .nowhere("/categories: none is mapped to a tag: " + route.unknown.prefix(8).joined(separator: ", "))
        case .routed(let route):
            var destinations: [Destination] = []
            for hub in hubs {
                do throws(ValidationProblem) {
                    let audiences = try hub.audiences.plan(
                        categories: route.categories,
                        locales: news.locales.offered
                    )
                    Self.add(audiences, at: hub, to: &destinations)
                } catch {
                    return .nowhere(error.description)
                }
            }
            return .to(destinations, warnings: Set(route.warnings.map(\.label)).sorted())
        }
    }
}

extension AudienceRoutes {
    /// The destinations of an event's categories. If none of them is mapped, the event's spare categories are used.
    func way(of event: NewsEvent, by news: NewsSettings) -> Way {
        let way = way(of: event.categories, by: news)
        guard case .nowhere = way, !event.spareCategories.isEmpty else { return way }
        let route = news.categories.route(event.categories).route
        guard route.categories.isEmpty, case .to(let found, let labels) = self.way(of: event.spareCategories, by: news)
        else { return way }
        return .to(found, warnings: Set(labels + route.warnings.map(\.label)).sorted())
    }

    /// The destinations of devices with one tag, which a replay command names instead of all subscribers. The event's texts may
    /// contain its categories.
    ///
    /// - Throws: ``ValidationProblem`` for an invalid tag.
    func destinations(onlyFor tag: String, categories: [String]) throws(ValidationProblem) -> [Destination] {
        let expression: TagExpression
        do {
            expression = try TagExpression.any(of: [try Tag(tag)])
        } catch {
            throw ValidationProblem(path: "only-tag", message: "\(error)")
        }
        return destinations(of: [PlannedAudience(expression: expression, locale: nil, categories: categories)])
    }

    /// Whether lists of categories lead to a tag, ignoring case, so that subscribers have it. Of families, only the categories
    /// named in the rules are known.
    func hasReaders(_ tag: String, by news: NewsSettings) -> Bool {
        hubs.contains { hub in
            let audiences =
                (try? hub.audiences.plan(categories: news.categories.categories, locales: news.locales.offered)) ?? []
            return audiences.contains { $0.expression.hasTag(tag) }
        }
    }

    /// The destinations of users whom an event names.
    ///
    /// - Throws: ``ValidationProblem`` for a name that cannot be part of a tag.
    func destinations(of users: [String], by planner: UserPlanner) throws(ValidationProblem) -> [Destination] {
        destinations(of: try planner.plan(users: users))
    }

    /// The destinations of audiences at each hub, in each of its forms.
    private func destinations(of audiences: [PlannedAudience]) -> [Destination] {
        var destinations: [Destination] = []
        for hub in hubs { Self.add(audiences, at: hub, to: &destinations) }
        return destinations
    }

    /// Adds audiences at a hub, in each of its forms.
    private static func add(_ audiences: [PlannedAudience], at hub: HubRules, to destinations: inout [Destination]) {
        for audience in audiences {
            for form in hub.forms { destinations.append(Destination(hub: hub.label, form: form, audience: audience)) }
        }
    }

    /// The destinations of audiences that were notified before, at these hubs. Each user is included once, even if several
    /// requests named the user.
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
                if let known = destination(hub: fact.hub, form: fact.format, audience: audience) {
                    destinations.append(known)
                }
                continue
            }
            if let place = users.firstIndex(where: { $0.hub == fact.hub && $0.format == fact.format }) {
                users[place].tags += fact.expression.tags
            } else {
                users.append((fact.hub, fact.format, fact.expression.tags))
            }
        }
        for (hub, format, tags) in users {
            // These tags come from expressions, so they are valid and few.
            let audiences = (try? planner.plan(tags: tags)) ?? []
            destinations += audiences.compactMap { destination(hub: hub, form: format, audience: $0) }
        }
        return destinations
    }
}

extension TagExpression {
    /// Whether it contains a tag, ignoring case.
    func hasTag(_ tag: String) -> Bool {
        tags.contains { $0.description.lowercased() == tag.lowercased() }
    }
}
