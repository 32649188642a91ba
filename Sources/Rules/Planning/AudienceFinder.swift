import NewsflashEvents
import NewsflashPublishing
import NewsflashRendering
import NewsflashRouting
import NotificationHubs

/// The audience of one request, and the format of its payload. A class, because lists of audiences are cached and passed on.
final class FormattedAudience: Sendable {
    let form: PayloadFormat
    let audience: Audience

    /// Creates the audience of a request to a hub with this label.
    init(hub: String, form: PayloadFormat, planned: PlannedAudience) {
        self.form = form
        self.audience = Audience(hub: hub, format: form.rawValue, planned: planned)
    }

    var planned: PlannedAudience { audience.planned }
}

/// Finds the audiences of events at some hubs.
struct AudienceFinder: Sendable {
    /// The audiences of a list of categories.
    enum Result: Sendable {
        case found([FormattedAudience], warnings: [String])
        /// No audience, with the reason for the outcome.
        case none(String)
    }

    let hubs: [HubRules]
    private let cache = AudienceCache()

    init(to hubs: [HubRules]) { self.hubs = hubs }

    /// Whether there are no hubs.
    var isEmpty: Bool { hubs.isEmpty }

    /// Whether a hub with this label is one of these.
    func knows(_ hub: String) -> Bool { hubs.contains { $0.label == hub } }

    /// Finds the audiences of an event's categories. The rules are the same in all calls.
    func audiences(of categories: [String], by news: NewsSettings) -> Result {
        cache.audiences(of: categories) { find(categories, news) }
    }

    /// The audience of a request that was accepted before; `nil` if its hub is not one of these.
    private func known(hub: String, form: String, planned: PlannedAudience) -> FormattedAudience? {
        guard knows(hub), let form = PayloadFormat(rawValue: form) else { return nil }
        return FormattedAudience(hub: hub, form: form, planned: planned)
    }

    private func find(_ categories: [String], _ news: NewsSettings) -> Result {
        switch news.categories.route(categories) {
        case .unmapped(let route):
            return .none("/categories: none is mapped to a tag: " + route.unknown.prefix(8).joined(separator: ", "))
        case .routed(let route):
            var audiences: [FormattedAudience] = []
            for hub in hubs {
                do throws(ValidationProblem) {
                    let planned = try hub.audiences.plan(
                        categories: route.categories,
                        locales: news.locales.offered
                    )
                    Self.add(planned, at: hub, to: &audiences)
                } catch {
                    return .none(error.description)
                }
            }
            return .found(audiences, warnings: Set(route.warnings.map(\.label)).sorted())
        }
    }
}

extension AudienceFinder {
    /// The audiences of an event's categories. If none of them is mapped, the event's spare categories are used.
    func audiences(of event: NewsEvent, by news: NewsSettings) -> Result {
        let result = audiences(of: event.categories, by: news)
        guard case .none = result, !event.spareCategories.isEmpty else { return result }
        let route = news.categories.route(event.categories).route
        guard route.categories.isEmpty,
            case .found(let found, let labels) = audiences(of: event.spareCategories, by: news)
        else { return result }
        return .found(found, warnings: Set(labels + route.warnings.map(\.label)).sorted())
    }

    /// The audiences of devices with one tag, which a replay command names instead of all subscribers. The event's texts may
    /// contain its categories.
    ///
    /// - Throws: ``ValidationProblem`` for an invalid tag.
    func audiences(onlyFor tag: String, categories: [String]) throws(ValidationProblem) -> [FormattedAudience] {
        let expression: TagExpression
        do {
            expression = try TagExpression.any(of: [try Tag(tag)])
        } catch {
            throw ValidationProblem(path: "only-tag", message: "\(error)")
        }
        return audiences(of: [PlannedAudience(expression: expression, locale: nil, categories: categories)])
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

    /// The audiences of users whom an event names.
    ///
    /// - Throws: ``ValidationProblem`` for a name that cannot be part of a tag.
    func audiences(ofUsers users: [String], by planner: UserPlanner) throws(ValidationProblem) -> [FormattedAudience] {
        audiences(of: try planner.plan(users: users))
    }

    /// The audiences at each hub, in each of its forms.
    private func audiences(of planned: [PlannedAudience]) -> [FormattedAudience] {
        var audiences: [FormattedAudience] = []
        for hub in hubs { Self.add(planned, at: hub, to: &audiences) }
        return audiences
    }

    /// Adds audiences at a hub, in each of its forms.
    private static func add(
        _ planned: [PlannedAudience],
        at hub: HubRules,
        to audiences: inout [FormattedAudience]
    ) {
        for one in planned {
            for form in hub.forms {
                audiences.append(FormattedAudience(hub: hub.label, form: form, planned: one))
            }
        }
    }

    /// The audiences that were notified before, at these hubs. Each user is included once, even if several
    /// requests named the user.
    func audiences(of facts: [AudienceFact], by planner: UserPlanner) -> [FormattedAudience] {
        guard !facts.isEmpty else { return [] }
        var audiences: [FormattedAudience] = []
        var users: [(hub: String, format: String, tags: [Tag])] = []
        for fact in facts {
            guard fact.isForUsers else {
                let planned = PlannedAudience(
                    expression: fact.expression,
                    locale: fact.locale,
                    categories: fact.audience.planned.categories
                )
                if let known = known(hub: fact.hub, form: fact.format, planned: planned) {
                    audiences.append(known)
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
            let planned = (try? planner.plan(tags: tags)) ?? []
            audiences += planned.compactMap { known(hub: hub, form: format, planned: $0) }
        }
        return audiences
    }
}

extension TagExpression {
    /// Whether it contains a tag, ignoring case.
    func hasTag(_ tag: String) -> Bool {
        tags.contains { $0.description.lowercased() == tag.lowercased() }
    }
}
