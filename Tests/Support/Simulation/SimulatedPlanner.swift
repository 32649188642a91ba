import NewsflashEvents
import NewsflashPublishing
import NewsflashRendering
import NewsflashRouting
import NewsflashTimestamps
import NotificationHubs

/// The hubs, locales and mapping of categories in a configuration of the simulated fleet.
struct SimRouting: Sendable, Equatable {
    var hubs: [String]
    var locales: [String]
    var mapping = 0
    /// The addresses of hubs whose labels mean other hubs than at the start.
    var otherAddresses: [String: String] = [:]
    /// The earlier addresses that the configuration confirms, by label.
    var replaced: [String: [String]] = [:]

    /// The maximum number of users in one request.
    static let usersPerRequest = 20

    func address(of hub: String) -> String { otherAddresses[hub] ?? "\(hub).example/news" }

    /// The addresses of hubs, in the form of a worker's configuration.
    func addresses(of hubs: [String]) -> HubAddresses {
        HubAddresses(Dictionary(hubs.map { ($0, address(of: $0)) }) { first, _ in first }, replaced: replaced)
    }

    /// The tags of categories; empty if none is mapped.
    func tags(of categories: [String]) -> [[String]] {
        let known = ["world", "politics", "sports", "science"]
        return categories.filter { known.contains($0) }.flatMap { category -> [[String]] in
            let tag = category.prefix(1).uppercased() + category.dropFirst() + (mapping == 0 ? "" : "-\(mapping)")
            return locales.isEmpty ? [[tag]] : locales.map { ["\(tag).\($0)"] }
        }
    }

    /// The tags of users, grouped by request.
    func tags(ofUsers users: [String]) -> [[String]] {
        stride(from: 0, to: users.count, by: Self.usersPerRequest).map { start in
            users[start..<min(start + Self.usersPerRequest, users.count)].map { "user:\($0)" }
        }
    }

    /// All audiences that an event itself names, such as `a/World`.
    func units(of event: SimEvent, testHub: String) -> [String] {
        let hubs = event.mode == .test ? [testHub] : hubs
        let tags = (tags(of: event.categories) + tags(ofUsers: event.userNames)).flatMap(\.self)
        return hubs.flatMap { hub in tags.map { "\(hub)/\($0)" } }
    }
}

/// Plans requests like the worker's planner. A message contains the identifiers of its event.
struct SimulatedPlanner: EventPlanning {
    static let testHub = "t"

    let routing: SimRouting
    let hasTestHub: Bool

    func plan(
        _ event: NewsEvent,
        for addressees: Addressees,
        story: StoryFacts?,
        deadline: Timestamp,
        loudness: Audibility,
        now: Timestamp
    ) -> EventPlan {
        let hubs: [String]
        switch event.mode {
        case .live: hubs = routing.hubs
        case .test where hasTestHub: hubs = [Self.testHub]
        case .test: return .end(EventVerdict(.suppressed, "suppressed.no_test_hub"), stage: .gate)
        case .backfill: return .end(EventVerdict(.shadow, "shadow.backfill"), stage: .gate)
        }
        if event.kind == .kill, event.text.isEmpty, story?.text.isEmpty ?? true {
            return .end(EventVerdict(.invalid, "invalid.no_text"), stage: .render)
        }
        switch addressees {
        case .nobody(let verdict): return .end(verdict, stage: .gate)
        case .notified(let facts, let owed):
            let sends = requests(event, to: facts + owed, at: hubs, loudness)
            if sends.isEmpty { return .end(EventVerdict(.failed, "failed.hub_removed"), stage: .map) }
            return .send(sends, warnings: [])
        case .categories: break
        }
        let tags = routing.tags(of: event.categories)
        guard !tags.isEmpty || !event.users.isEmpty else {
            return .end(EventVerdict(.invalid, "invalid.unmapped"), stage: .map)
        }
        let sends = hubs.flatMap { hub in
            tags.compactMap { tags in
                audience(tags, isForUsers: false).flatMap { send(event, $0, to: hub, loudness) }
            } + planned(event, event.users, to: hub, loudness)
        }
        return .send(sends, warnings: [])
    }

    /// Requests to audiences that were notified before; users are grouped again.
    private func requests(
        _ event: NewsEvent,
        to facts: [AudienceFact],
        at hubs: [String],
        _ loudness: Audibility
    ) -> [PlannedSend] {
        var sends = facts.filter { !$0.isForUsers && hubs.contains($0.hub) }.compactMap {
            send(event, $0.audience.planned, to: $0.hub, loudness)
        }
        for hub in hubs {
            var users: [String] = []
            for fact in facts where fact.isForUsers && fact.hub == hub {
                for tag in fact.expression.tags.map(\.description) where !users.contains(tag) { users.append(tag) }
            }
            sends += planned(event, users.map { String($0.dropFirst("user:".count)) }, to: hub, loudness)
        }
        return sends
    }

    private func planned(_ event: NewsEvent, _ users: [String], to hub: String, _ loudness: Audibility) -> [PlannedSend]
    {
        routing.tags(ofUsers: users).compactMap { tags in
            audience(tags, isForUsers: true).flatMap { send(event, $0, to: hub, loudness) }
        }
    }

    private func audience(_ tags: [String], isForUsers: Bool) -> PlannedAudience? {
        let tags = tags.compactMap { try? Tag($0) }
        guard let expression = try? TagExpression.any(of: tags) else { return nil }
        let categories = isForUsers ? [] : tags.map { $0.description.lowercased() }
        return PlannedAudience(expression: expression, locale: nil, categories: categories, isForUsers: isForUsers)
    }

    private func send(
        _ event: NewsEvent,
        _ audience: PlannedAudience,
        to hub: String,
        _ loudness: Audibility
    ) -> PlannedSend? {
        let body = "\(event.id)|\(event.kind.rawValue)|\(event.revision)|\(event.storyKey)|\(event.act)|\(event.source)"
        guard let message = try? HubMessage(rendered: Array(body.utf8)) else { return nil }
        return PlannedSend(
            message,
            to: Audience(hub: hub, format: "template", planned: audience),
            template: event.kind.rawValue,
            interruption: loudness == .silent ? .passive : .active
        )
    }

    /// Reads a message of ``plan(_:story:deadline:loudness:now:)``.
    static func content(of message: HubMessage) -> SimRequest.Content? {
        let parts = String(decoding: message.body, as: UTF8.self).split(separator: "|").map(String.init)
        guard parts.count == 6, let revision = Int64(parts[2]), let number = UInt64(parts[4]) else { return nil }
        return SimRequest.Content(
            event: parts[0],
            kind: parts[1],
            source: parts[5],
            revision: revision,
            story: parts[3],
            actNumber: number
        )
    }
}
