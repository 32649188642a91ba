package import NewsflashEvents
import NewsflashHTTPTransport
package import NewsflashPublishing
package import NewsflashRendering
import NewsflashRouting
package import NewsflashTimestamps
import NotificationHubs

/// Plans the requests of an event: categories become tags, texts become properties and payloads.
///
/// Live events and test events have no audience in common: each mode has its own hubs, and the audiences of an event are only
/// looked up among the hubs of its mode.
package struct EventPlanner: EventPlanning {
    private let news: NewsSettings
    private let renderer: Renderer
    let tokens: SecureTokens
    private let live: AudienceFinder
    private let test: AudienceFinder

    /// Makes a planner.
    ///
    /// - Parameters:
    ///   - news: The newsroom's rules.
    ///   - hubs: The hubs in the order of the configuration.
    ///   - tokens: Makes the tokens of secure events.
    package init(news: NewsSettings, hubs: [HubRules], tokens: SecureTokens) {
        self.news = news
        self.renderer = Renderer(locales: news.locales, rules: news.text, limits: news.limits)
        self.tokens = tokens
        self.live = AudienceFinder(to: hubs.filter { $0.mode == .live })
        self.test = AudienceFinder(to: hubs.filter { $0.mode == .test })
    }

    package func plan(
        _ event: NewsEvent,
        for addressees: Addressees,
        story: StoryFacts?,
        deadline: Timestamp,
        loudness: Audibility,
        now: Timestamp
    ) -> EventPlan {
        if let tag = event.replay?.onlyTag {
            return plan(event, onlyFor: tag, story: story, deadline: deadline, now: now)
        }
        let finder: AudienceFinder
        switch event.mode {
        case .live: finder = live
        case .test where test.isEmpty:
            return .end(EventVerdict(.suppressed, "suppressed.no_test_hub", "no hub has mode test"), stage: .gate)
        case .test: finder = test
        case .backfill: return .end(EventVerdict(.shadow, "shadow.backfill"), stage: .gate)
        }
        // A withdrawal is sent to everyone who was notified, in any language.
        let own = event.readers == .own && event.kind != .kill ? renderer.ownLocales(of: event) : nil
        let render = { (kind: TextKind, audiences: [FormattedAudience], warnings: [String]) in
            self.render(
                event,
                story: story,
                as: kind,
                to: audiences,
                deadline: deadline,
                loudness: loudness,
                now: now,
                warnings: warnings
            )
        }
        switch addressees {
        case .nobody(let verdict):
            return .end(verdict, stage: .gate)
        case .categories:
            if let own, own.isEmpty { return .end(Self.verdict(ofNoReadersOf: event), stage: .map) }
            var audiences: [FormattedAudience] = []
            var warnings: [String] = []
            if !event.categories.isEmpty || event.users.isEmpty {
                switch finder.audiences(of: event, by: news) {
                case .none(let detail):
                    return .end(EventVerdict(invalid: .unmapped, detail), stage: .map)
                case .found(let found, let labels):
                    audiences = found.keeping(own)
                    warnings = labels
                }
            }
            if !event.users.isEmpty, let verdict = add(event, story, finder, to: &audiences, &warnings) {
                return .end(verdict, stage: .map)
            }
            // If nobody was notified of the story, its correction is sent as an alert.
            return render(event.kind == .correction ? .alert : TextKind(event.kind) ?? .alert, audiences, warnings)
        case .notified(let facts, let owed):
            // Kills and corrections are sent to the notified audiences, not to those of the current mapping.
            let audiences = finder.audiences(of: facts, by: news.users).keeping(own)
            let others = finder.audiences(of: owed, by: news.users).keeping(own)
            if own != nil, audiences.isEmpty, others.isEmpty {
                // Other languages have their own items, so this one is new to its subscribers.
                return plan(event, for: .categories, story: story, deadline: deadline, loudness: loudness, now: now)
            }
            let removed = Set((facts + owed).map(\.hub).filter { !live.knows($0) && !test.knows($0) }).sorted()
            let warnings = removed.isEmpty ? [] : ["hub.removed"]
            guard !audiences.isEmpty || !others.isEmpty else {
                let detail =
                    "its story was sent to \(removed.joined(separator: ", ")), which is not in the configuration: put the hub "
                    + "back under its key and send the event again"
                return .end(EventVerdict(.failed, "failed.hub_removed", detail), stage: .map)
            }
            let plan = render(TextKind(event.kind) ?? .alert, audiences, warnings)
            guard !others.isEmpty, case .send(let sends, let labels) = plan else { return plan }
            guard case .send(let alerts, _) = render(.alert, others, []) else { return plan }
            return .send(sends + alerts, warnings: labels)
        }
    }

    /// The outcome of an event for subscribers of its own language, if no offered locale has that language.
    private static func verdict(ofNoReadersOf event: NewsEvent) -> EventVerdict {
        let languages = event.text.map(\.language)
        guard languages != ["und"] else {
            let detail = "/language: is missing, and items of the source are only for subscribers of their language"
            return EventVerdict(invalid: .unmapped, detail)
        }
        let detail = "no offered locale matches a language of the item: \(languages.joined(separator: ", "))"
        return EventVerdict(.suppressed, "suppressed.not_offered", detail)
    }

    /// Whether subscribers have a tag, so that a replay command must not name it.
    ///
    /// - Returns: Whether a category leads to it at a live hub. Of families, only the categories named in the rules are known.
    package func hasReaders(_ tag: String) -> Bool { live.hasReaders(tag, by: news) }

    /// Plans an event that a replay command sends to one tag alone, with the texts that its subscribers would get now.
    private func plan(
        _ event: NewsEvent,
        onlyFor tag: String,
        story: StoryFacts?,
        deadline: Timestamp,
        now: Timestamp
    ) -> EventPlan {
        var categories: Set<String> = []
        var isForReaders = hasReaders(tag)
        if !event.categories.isEmpty || event.users.isEmpty {
            switch live.audiences(of: event, by: news) {
            case .none(let detail):
                return .end(EventVerdict(invalid: .unmapped, detail), stage: .map)
            case .found(let audiences, warnings: _):
                categories = Set(audiences.flatMap(\.planned.categories))
                isForReaders = isForReaders || audiences.contains { $0.planned.expression.hasTag(tag) }
            }
        }
        guard !isForReaders else {
            let detail =
                "newsflash-replay-only-tag: \(tag) is a tag of subscribers; use one that no category leads to"
            return .end(EventVerdict(invalid: .replay, detail), stage: .map)
        }
        do throws(ValidationProblem) {
            let names = categories.sorted()
            let audiences = try live.audiences(onlyFor: tag, categories: names)
            return render(
                event,
                story: story,
                as: TextKind(event.kind) ?? .alert,
                to: audiences + (try test.audiences(onlyFor: tag, categories: names)),
                deadline: deadline,
                loudness: .usual,
                now: now
            )
        } catch {
            return .end(EventVerdict(invalid: .replay, error.description), stage: .map)
        }
    }

    private func render(
        _ event: NewsEvent,
        story: StoryFacts?,
        as kind: TextKind,
        to audiences: [FormattedAudience],
        deadline: Timestamp,
        loudness: Audibility,
        now: Timestamp,
        warnings: [String] = []
    ) -> EventPlan {
        let isSecure = event.delivery == .secure || story?.isSecure == true
        if isSecure, news.text.notice == nil {
            let detail = "/delivery: secure, but text.secure has no notice to show instead of the texts"
            return .end(EventVerdict(invalid: .noSecureText, detail), stage: .render)
        }
        // A kill without texts uses the texts that subscribers received.
        var rendered: RenderedNews?
        if event.kind == .kill, event.text.isEmpty {
            rendered = renderer.render(event.speaking(from: story), as: kind)
        } else {
            rendered = renderer.render(event, as: kind)
        }
        // Secure content that cannot be fetched is not announced. A withdrawal has no content to fetch.
        if isSecure, rendered != nil || event.kind == .kill { rendered = news.text.notice?.news }
        guard let rendered else {
            return .end(EventVerdict(invalid: .noText, "/text: no headline has anything to show"), stage: .render)
        }
        let interruption = loudness == .silent ? .passive : news.interruption[event.urgency]
        let push = PushTraits(of: event, deadline: deadline, now: now, interruption: interruption)
        do {
            let notice = isSecure ? news.text.notice : nil
            var common = CommonParts(of: audiences.count)
            var sends: [PlannedSend] = []
            sends.reserveCapacity(audiences.count)
            for place in audiences.indices {
                sends.append(
                    try send(event, rendered, notice, push, to: audiences[place], kind: kind, common: &common)
                )
            }
            return .send(sends, warnings: warnings)
        } catch {
            return .end(EventVerdict(invalid: .tooLarge, "\(error)"), stage: .render)
        }
    }

    private func send(
        _ event: NewsEvent,
        _ rendered: RenderedNews,
        _ notice: SecureNotice?,
        _ push: PushTraits,
        to formatted: FormattedAudience,
        kind: TextKind,
        common: inout CommonParts
    ) throws -> PlannedSend {
        let audience = formatted.planned
        let place = rendered.place(forReadersOf: audience.locale)
        let message: HubMessage
        var isTruncated = false
        let clockPart: Range<Int>
        switch formatted.form {
        case .template:
            let payload =
                if let notice {
                    try news.properties.payload(
                        forSecure: common.token(of: event, by: tokens),
                        notice: notice,
                        push: push,
                        locale: audience.locale
                    )
                } else {
                    try news.properties.payload(
                        for: event,
                        from: common.sends == 1 ? nil : common.draft(of: event, rendered, push, by: news.properties),
                        news: rendered,
                        push: push,
                        category: audience.categoryText,
                        locale: audience.locale
                    )
                }
            clockPart = payload.clockPart
            isTruncated = payload.isShortened || rendered.isTruncated
            message = try HubMessage(template: payload.body, replacing: common.headers(of: push))
        case .apns, .fcmv1, .wns, .adm, .browser:
            let payload =
                if notice != nil {
                    try NativePayload(
                        formatted.form,
                        ofSecure: common.token(of: event, by: tokens),
                        notice: rendered.locales[place],
                        push: push
                    )
                } else {
                    try NativePayload(
                        formatted.form,
                        of: event,
                        text: rendered.locales[place],
                        push: push,
                        category: audience.categoryText,
                        ellipsis: news.limits.headline.ellipsis
                    )
                }
            clockPart = payload.clockPart
            isTruncated = payload.isShortened || rendered.locales[place].isTruncated
            message = try HubMessage(native: payload, formatted.form, push)
        }
        return PlannedSend(
            message,
            to: formatted.audience,
            textFrom: rendered.locales[place].textFrom,
            template: notice == nil ? kind.rawValue : SecureNotice.template,
            isTruncated: isTruncated,
            interruption: push.interruption,
            clockPart: clockPart
        )
    }

    /// Adds the users whom an event names.
    ///
    /// - Returns: The reason why they cannot be notified; `nil` if they were added to the audiences.
    private func add(
        _ event: NewsEvent,
        _ story: StoryFacts?,
        _ finder: AudienceFinder,
        to audiences: inout [FormattedAudience],
        _ warnings: inout [String]
    ) -> EventVerdict? {
        do throws(ValidationProblem) {
            let users = try finder.audiences(ofUsers: event.users, by: news.users)
            if !audiences.isEmpty { warnings.append("audience.overlap") }
            audiences += users
            let facts = story ?? StoryFacts(awaiting: event, digest: ContentDigest(value: 0), now: event.published)
            guard !facts.hasRoom(for: users.map(\.audience)) else { return nil }
            let detail =
                "/audience/users: with those of earlier revisions more than the ledger can store for a correction; continue "
                + "under another story"
            return EventVerdict(invalid: .audienceFull, detail)
        } catch {
            return EventVerdict(invalid: .unmapped, error.description)
        }
    }
}

/// The common parts of the requests of one event, made when first needed.
private struct CommonParts {
    /// The number of requests. A single request needs no draft.
    let sends: Int
    private var knownDraft: TemplateDraft?
    private var knownHeaders: HTTPHeaders?
    private var knownToken: String?

    init(of sends: Int) { self.sends = sends }

    mutating func draft(
        of event: NewsEvent,
        _ rendered: RenderedNews,
        _ push: PushTraits,
        by properties: TemplateProperties
    ) -> TemplateDraft {
        if let knownDraft { return knownDraft }
        let made = properties.draft(of: event, news: rendered, push: push)
        knownDraft = made
        return made
    }

    mutating func token(of event: NewsEvent, by tokens: SecureTokens) -> String {
        if let knownToken { return knownToken }
        let made = tokens.token(for: event)
        knownToken = made
        return made
    }

    /// - Throws: `HubValueError`, which these headers cannot cause.
    mutating func headers(of push: PushTraits) throws -> HTTPHeaders {
        if let knownHeaders { return knownHeaders }
        let made = try HTTPHeaders.replacing(
            collapseID: push.collapseID,
            expires: push.expires,
            timeToLive: push.timeToLive,
            priority: push.interruption.isQuiet ? 5 : nil
        )
        knownHeaders = made
        return made
    }
}

extension [FormattedAudience] {
    /// Returns the audiences of some locales and those without a locale; all if `locales` is `nil`.
    fileprivate func keeping(_ locales: Set<String>?) -> [FormattedAudience] {
        guard let locales else { return self }
        return filter { $0.planned.locale.map(locales.contains) ?? true }
    }
}

extension NewsEvent {
    /// The event with the texts that subscribers received.
    fileprivate func speaking(from story: StoryFacts?) -> NewsEvent {
        guard let words = story?.text, !words.isEmpty else { return self }
        var event = self
        event.text = words
        return event
    }
}

extension HubMessage {
    /// Makes a native message with the headers of its platform for replacement and expiration.
    ///
    /// - Throws: `HubValueError`, which these payloads cannot cause.
    fileprivate init(native payload: NativePayload, _ form: PayloadFormat, _ push: PushTraits) throws {
        var headers: HTTPHeaders = []
        let format: PushFormat
        switch form {
        case .apns:
            format = .apple
            headers = try .apns(
                pushType: "alert",
                priority: push.interruption.isQuiet ? 5 : 10,
                expiration: push.expires,
                collapseID: push.collapseID
            )
        case .wns:
            format = .windows
            headers = .wns(type: "wns/toast", timeToLive: push.timeToLive, tag: push.collapseID, group: "newsflash")
            // Shown only in the notification center.
            if push.interruption.isQuiet { headers.append("X-WNS-SuppressPopup", "true") }
        case .fcmv1: format = .fcmv1
        case .adm: format = .adm
        case .browser: format = .browser
        case .template: format = .template
        }
        try self.init(rendered: payload.body, format: format, headers: headers)
    }
}
