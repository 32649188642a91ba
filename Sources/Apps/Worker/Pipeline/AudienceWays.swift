import Locks
import NewsEvents
import Rendering
import Routing

/// Remembers which audiences lists of categories lead to, since a newsroom writes few different ones.
final class AudienceWays: Sendable {
    /// Where a list of categories leads.
    enum Way: Sendable {
        case to([PlannedAudience], warnings: [String])
        /// To nobody, with the reason for the outcome.
        case nowhere(String)
    }

    /// How many are remembered before all are forgotten: nobody can fill memory with lists of categories.
    private static let limit = 1024

    private let known = Locked<[[String]: Way]>([:])

    /// Where the categories of an event lead.
    ///
    /// - Parameters:
    ///   - categories: As the event writes them.
    ///   - news: The rules; always the same.
    /// - Returns: The audiences, or why there are none.
    func way(of categories: [String], by news: NewsSettings) -> Way {
        if let way = known.withLock({ $0[categories] }) { return way }
        let way = Self.find(categories, news)
        known.withLock { known in
            if known.count >= Self.limit { known = [:] }
            known[categories] = way
        }
        return way
    }

    private static func find(_ categories: [String], _ news: NewsSettings) -> Way {
        switch news.categories.route(categories) {
        case .unmapped(let route):
            return .nowhere("/categories: none is mapped to a tag: " + route.unknown.prefix(8).joined(separator: ", "))
        case .routed(let route):
            do throws(RuleProblem) {
                let audiences = try news.audiences.plan(
                    categories: route.categories,
                    locales: news.locales.offered
                )
                return .to(audiences, warnings: Set(route.warnings.map(\.label)).sorted())
            } catch {
                return .nowhere(error.description)
            }
        }
    }
}
