import NewsflashEvents
import NewsflashPlanning
import NewsflashRendering
import NewsflashRouting
import NotificationHubs

extension HubSettings {
    /// Reports conflicts between hubs, and between hubs and the newsroom's rules.
    ///
    /// - Parameters:
    ///   - hubs: All hubs.
    ///   - news: The newsroom's rules.
    ///   - isOfFeeds: Whether a source is a feed. Items of feeds have more codes than events.
    ///   - root: The root section of the file.
    static func check(_ hubs: [HubSettings], news: NewsSettings, isOfFeeds: Bool, _ root: ConfigurationSection) {
        var checked: [AudiencePlanner] = []
        for hub in hubs where !checked.contains(hub.audiences) {
            checked.append(hub.audiences)
            for problem in hub.audiences.problems(
                categories: news.categories.categories,
                locales: news.locales.offered
            ) {
                root.context.report(problem)
            }
        }
        let codes = isOfFeeds ? SourceRules.mostSubjects : SourceRules.mostCategories
        for hub in hubs { hub.check(news, codes: codes, root) }
        checkForDoubles(hubs, root)
    }

    /// Warns if the forms and tags of the hub would notify subscribers in the wrong language, twice, or not at all.
    private func check(_ news: NewsSettings, codes: Int, _ root: ConfigurationSection) {
        for (rule, category) in news.categories.longestOfFamilies {
            for problem in audiences.problems(categories: [category], locales: news.locales.offered) {
                let message =
                    "makes tags longer than \(Tag.maximumLength) characters from its longest codes; shorten the tag"
                guard problem.path == "categories.\(category)" else { continue }
                root.context.report(ValidationProblem(path: "categories.\(rule).tag", message: message))
            }
        }
        func warn(_ key: String, _ message: String) {
            // A key that the hub does not have comes from `send`.
            let own = ["hubs", label, key].joined(separator: ".")
            let isOwn = root.section("hubs").section(label).node(key) != nil
            root.context.warn(ValidationProblem(path: isOwn ? own : "send.\(key)", message: message))
        }
        let native = forms.filter(\.hasOneLanguage).map(\.rawValue)
        if !native.isEmpty, !audiences.hasLocale, news.locales.offered.count > 1, mode == .live {
            warn(
                "tags",
                "has no {locale}, and a payload for \(native.joined(separator: ", ")) contains one language: all subscribers get "
                    + "\(news.locales.default)"
            )
        }
        let most = news.categories.mostCategories(ofCodes: codes)
        if mode == .live, audiences.splits(most) {
            warn(
                "tags",
                "may make \(most) tags from one event, more than one request can have: a device with tags of two requests is "
                    + "notified twice, and only its collapse id hides this"
            )
        }
        if !native.isEmpty, forms.contains(.template) {
            warn(
                "as",
                "contains template and platforms: a device that is registered both ways is notified twice"
            )
        }
    }

    /// Reports test hubs that may be the same as a live hub: no test event may reach subscribers.
    private static func checkForDoubles(_ hubs: [HubSettings], _ root: ConfigurationSection) {
        for (index, hub) in hubs.enumerated() {
            for other in hubs[..<index] {
                let place = ["hubs", hub.label]
                switch (hub.isSame(as: other), hub.mode == other.mode) {
                case (.different, _), (.unknown, true): continue
                case (.same, true):
                    root.context.warn(
                        ValidationProblem(
                            path: place.joined(separator: "."),
                            message: "is the same hub as hubs.\(other.label): its devices may be notified twice"
                        )
                    )
                case (.same, false), (.unknown, false):
                    let test = hub.mode == .test ? hub : other
                    let live = hub.mode == .test ? other : hub
                    root.context.report(
                        ValidationProblem(
                            path: "hubs.\(test.label).name",
                            message:
                                "is the name of the live hub hubs.\(live.label), probably in the same "
                                + "namespace: tests would reach subscribers. Use a separate hub for tests"
                        )
                    )
                }
            }
        }
    }

    /// Whether two hubs are the same.
    private enum MatchResult {
        case same, different, unknown
    }

    private func isSame(as other: HubSettings) -> MatchResult {
        // Hub names are not case-sensitive.
        guard name.lowercased() == other.name.lowercased() else { return .different }
        if let credentials, credentials == other.credentials { return .same }
        guard let mine = authority, let others = other.authority else { return .unknown }
        return mine == others ? .same : .different
    }

    /// The host and port of the namespace; `nil` if the connection string cannot be read here.
    private var authority: String? {
        (try? credentials?.read())?.endpoint.authority
    }
}
