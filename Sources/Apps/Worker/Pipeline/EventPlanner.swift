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
    private let ways = AudienceWays()

    package init(hub: String, news: NewsSettings) {
        self.hub = hub
        self.news = news
        self.renderer = Renderer(locales: news.locales, rules: news.text, limits: news.limits)
    }

    package func plan(_ event: NewsEvent, story: StoryRecord?, deadline: Timestamp, now: Timestamp) -> EventPlan {
        var warnings: [String] = []
        // A kill and a correction are for those who were told, not for today's mapping.
        let told = event.kind == .kill || event.kind == .correction ? story?.told ?? [] : []
        var audiences = told.map {
            PlannedAudience(expression: $0.expression, locale: $0.locale, categories: $0.categories)
        }
        if audiences.isEmpty {
            switch ways.way(of: event.categories, by: news) {
            case .nowhere(let detail):
                return .end(EventVerdict(.invalid, InvalidReason.unmapped.rawValue, detail), stage: .map)
            case .to(let planned, let labels):
                audiences = planned
                warnings = labels
            }
        }
        if event.kind == .kill, event.text.isEmpty, let words = story?.text, !words.isEmpty {
            var speaking = event
            speaking.text = words
            return sends(speaking, to: audiences, wasTold: !told.isEmpty, warnings, deadline: deadline, now: now)
        }
        return sends(event, to: audiences, wasTold: !told.isEmpty, warnings, deadline: deadline, now: now)
    }

    private func sends(
        _ event: NewsEvent,
        to audiences: [PlannedAudience],
        wasTold: Bool,
        _ warnings: [String],
        deadline: Timestamp,
        now: Timestamp
    ) -> EventPlan {
        let kind = Self.textKind(of: event, wasTold: wasTold)
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
            category: audience.categoryText,
            locale: audience.locale
        )
        let text = audience.locale.flatMap { rendered[locale: $0] } ?? rendered.standard
        return PlannedSend(
            hub: hub,
            platform: "template",
            message: try HubMessage(
                template: payload.body,
                replacing: push.collapseID,
                expires: push.expires,
                timeToLive: push.timeToLive
            ),
            expression: audience.expression,
            locale: audience.locale,
            categories: audience.categories,
            textFrom: text.textFrom,
            template: kind.rawValue,
            isTruncated: payload.isShortened || rendered.locales.contains(where: \.isTruncated)
        )
    }

    /// In whose words an event is told: a correction of what was never told is an alert.
    private static func textKind(of event: NewsEvent, wasTold: Bool) -> TextKind {
        guard event.kind != .correction || wasTold else { return .alert }
        return TextKind(event.kind) ?? .alert
    }
}
