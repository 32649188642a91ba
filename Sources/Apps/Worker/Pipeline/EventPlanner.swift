import HTTPTransport
package import NewsEvents
import NotificationHubs
package import Publishing
import Rendering
import Routing
package import Timestamps

/// Turns an event into template sends: categories to tags, texts to properties.
package struct EventPlanner: EventPlanning {
    private let hub: String
    private let news: NewsSettings
    private let renderer: Renderer

    package init(hub: String, news: NewsSettings) {
        self.hub = hub
        self.news = news
        self.renderer = Renderer(locales: news.locales, rules: news.text, limits: news.limits)
    }

    package func plan(_ event: NewsEvent, story: StoryRecord?, deadline: Timestamp, now: Timestamp) -> EventPlan {
        var event = event
        var warnings: [String] = []
        // A kill and a correction are for those who were told, not for today's mapping.
        let told = event.kind == .kill || event.kind == .correction ? story?.told ?? [] : []
        var audiences = told.map {
            PlannedAudience(expression: $0.expression, locale: $0.locale, categories: $0.categories)
        }
        if audiences.isEmpty {
            switch news.categories.route(event.categories) {
            case .unmapped(let route):
                let verdict = EventVerdict(.invalid, InvalidReason.unmapped.rawValue, Self.detail(of: route.unknown))
                return .end(verdict, stage: .map)
            case .routed(let route):
                warnings = Set(route.warnings.map(\.label)).sorted()
                do throws(RuleProblem) {
                    audiences = try news.audiences.plan(categories: route.categories, locales: news.locales.offered)
                } catch {
                    return .end(EventVerdict(.invalid, InvalidReason.unmapped.rawValue, error.description), stage: .map)
                }
            }
        }
        if event.text.isEmpty, event.kind == .kill { event.text = story?.text ?? [] }
        let kind = Self.textKind(of: event, wasTold: !told.isEmpty)
        guard let rendered = renderer.render(event, as: kind) else {
            return .end(
                EventVerdict(.invalid, InvalidReason.noText.rawValue, "/text: no headline has anything to show"),
                stage: .render
            )
        }
        let push = PushTraits(of: event, deadline: deadline, now: now)
        do {
            let sends = try audiences.map { audience in
                try send(event, rendered, push, to: audience, kind: kind)
            }
            return .send(sends, warnings: warnings)
        } catch {
            return .end(EventVerdict(.invalid, InvalidReason.tooLarge.rawValue, "\(error)"), stage: .render)
        }
    }

    private func send(
        _ event: NewsEvent,
        _ rendered: RenderedNews,
        _ push: PushTraits,
        to audience: PlannedAudience,
        kind: TextKind
    ) throws -> PlannedSend {
        let payload = try news.properties.payload(
            for: event,
            news: rendered,
            push: push,
            category: audience.categories.joined(separator: ","),
            locale: audience.locale
        )
        let text = audience.locale.flatMap { rendered[locale: $0] } ?? rendered.standard
        return PlannedSend(
            hub: hub,
            platform: "template",
            message: try HubMessage(rendered: payload.body, headers: Self.headers(push)),
            expression: audience.expression,
            locale: audience.locale,
            categories: audience.categories,
            textFrom: text.textFrom,
            template: kind.rawValue,
            isTruncated: payload.isShortened || rendered.locales.contains(where: \.isTruncated)
        )
    }

    /// What makes a double replace itself on Apple's and Windows' devices. The others take it from their template's body.
    private static func headers(_ push: PushTraits) throws(HubMessageError) -> HTTPHeaders {
        let apple = try HTTPHeaders.apns(expiration: push.expires, collapseID: push.collapseID)
        let windows = HTTPHeaders.wns(timeToLive: push.timeToLive, tag: push.collapseID, group: "newsflash")
        return HTTPHeaders(apple.fields + windows.fields)
    }

    /// In whose words an event is told: a correction of what was never told is an alert.
    private static func textKind(of event: NewsEvent, wasTold: Bool) -> TextKind {
        guard event.kind != .correction || wasTold else { return .alert }
        return TextKind(event.kind) ?? .alert
    }

    private static func detail(of unknown: [String]) -> String {
        "/categories: none is mapped to a tag: " + unknown.prefix(8).joined(separator: ", ")
    }
}
