import Locks
import NewsEvents
import Publishing
import Rendering
import Routing

/// Readers whom one request of an event is for. An object, since lists of them are remembered and handed on.
final class Destination: Sendable {
    let form: SendForm
    let recipients: Recipients

    /// - Parameters:
    ///   - hub: As the ledger calls it.
    ///   - form: In what form news goes there.
    ///   - audience: Who they are.
    init(hub: String, form: SendForm, audience: PlannedAudience) {
        self.form = form
        self.recipients = Recipients(hub: hub, format: form.rawValue, audience: audience)
    }

    var audience: PlannedAudience { recipients.audience }
}

/// Remembers where lists of categories lead, since a newsroom writes few different ones.
final class AudienceWays: Sendable {
    /// Where a list of categories leads.
    enum Way: Sendable {
        case to([Destination], warnings: [String])
        /// To nobody, with the reason for the outcome.
        case nowhere(String)
    }

    /// How many are remembered before all are forgotten: nobody can fill memory with lists of categories.
    private static let limit = 1024

    let hubs: [HubSettings]
    private let known = Locked<[[String]: Way]>([:])

    /// - Parameter hubs: All that lists of categories lead to, and no others.
    init(to hubs: [HubSettings]) { self.hubs = hubs }

    /// Whether they lead anywhere.
    var isEmpty: Bool { hubs.isEmpty }

    /// Whether a hub, as the ledger calls it, is one of these.
    func knows(_ hub: String) -> Bool { hubs.contains { $0.label == hub } }

    /// Where the categories of an event lead.
    ///
    /// - Parameters:
    ///   - categories: As the event writes them.
    ///   - news: The rules; always the same.
    /// - Returns: The destinations, or why there are none.
    func way(of categories: [String], by news: NewsSettings) -> Way {
        if let way = known.withLock({ $0[categories] }) { return way }
        let way = find(categories, news)
        known.withLock { known in
            if known.count >= Self.limit { known = [:] }
            known[categories] = way
        }
        return way
    }

    /// Where those are who were told before; nothing of hubs that are not among these.
    ///
    /// - Parameters:
    ///   - hub: As the ledger calls it.
    ///   - form: The form of what they were told, as the ledger calls it.
    ///   - audience: Who they are.
    /// - Returns: Where that is.
    func destination(hub: String, form: String, audience: PlannedAudience) -> Destination? {
        guard knows(hub), let form = SendForm(rawValue: form) else { return nil }
        return Destination(hub: hub, form: form, audience: audience)
    }

    private func find(_ categories: [String], _ news: NewsSettings) -> Way {
        switch news.categories.route(categories) {
        case .unmapped(let route):
            return .nowhere("/categories: none is mapped to a tag: " + route.unknown.prefix(8).joined(separator: ", "))
        case .routed(let route):
            var destinations: [Destination] = []
            for hub in hubs {
                do throws(RuleProblem) {
                    let audiences = try hub.audiences.plan(
                        categories: route.categories,
                        locales: news.locales.offered
                    )
                    for audience in audiences {
                        for form in hub.forms {
                            destinations.append(Destination(hub: hub.label, form: form, audience: audience))
                        }
                    }
                } catch {
                    return .nowhere(error.description)
                }
            }
            return .to(destinations, warnings: Set(route.warnings.map(\.label)).sorted())
        }
    }
}
