import NewsEvents
import NotificationHubs
import Rendering
import Routing

extension AudienceWays {
    /// Where devices with one tag are, which an order names in place of all readers: at each hub, in each of its forms.
    ///
    /// - Parameters:
    ///   - tag: The one.
    ///   - categories: The newsroom's categories that the event is of, which its words may name.
    /// - Returns: The destinations.
    /// - Throws: ``RuleProblem`` for a tag that cannot be.
    func destinations(onlyFor tag: String, categories: [String]) throws(RuleProblem) -> [Destination] {
        let expression: TagExpression
        do {
            expression = try TagExpression.any(of: [try Tag(tag)])
        } catch {
            throw RuleProblem(path: "only-tag", message: "\(error)")
        }
        let audience = PlannedAudience(expression: expression, locale: nil, categories: categories)
        return hubs.flatMap { hub in
            hub.forms.map { Destination(hub: hub.label, form: $0, audience: audience) }
        }
    }

    /// Whether a tag is one that lists of categories lead to, so that who has it is a reader.
    ///
    /// - Parameters:
    ///   - tag: Any, with regard to case as hubs have none.
    ///   - news: The rules.
    /// - Returns: Whether it is. Of families only the categories are known that the rules name.
    func hasReaders(_ tag: String, by news: NewsSettings) -> Bool {
        hubs.contains { hub in
            let audiences =
                (try? hub.audiences.plan(categories: news.categories.categories, locales: news.locales.offered)) ?? []
            return audiences.contains { $0.expression.hasTag(tag) }
        }
    }
}

extension TagExpression {
    /// Whether a tag stands in it, in whatever case.
    func hasTag(_ tag: String) -> Bool {
        tags.contains { $0.description.lowercased() == tag.lowercased() }
    }
}
