import NewsEvents
import NotificationHubs
import Rendering
import Routing

extension HubSettings {
    /// Reports what is wrong with hubs in the light of each other and of the newsroom's rules.
    ///
    /// - Parameters:
    ///   - hubs: All of them.
    ///   - news: The rules.
    ///   - isOfFeeds: Whether there are items of feeds, which have more codes than events.
    ///   - root: The document.
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

    /// What a hub's forms and tags make of readers who are told in the wrong language, twice, or not at all.
    private func check(_ news: NewsSettings, codes: Int, _ root: ConfigurationSection) {
        for (rule, category) in news.categories.longestOfFamilies {
            for problem in audiences.problems(categories: [category], locales: news.locales.offered) {
                let message =
                    "makes tags of more than \(Tag.maximumLength) characters of its longest codes; shorten the tag"
                guard problem.path == "categories.\(category)" else { continue }
                root.context.report(RuleProblem(path: "categories.\(rule).tag", message: message))
            }
        }
        func warn(_ key: String, _ message: String) {
            // Where the hub does not say it, `send` does.
            let own = ["hubs", label, key].joined(separator: ".")
            let isOwn = root.section("hubs").section(label).node(key) != nil
            root.context.warn(RuleProblem(path: isOwn ? own : "send.\(key)", message: message))
        }
        let native = forms.filter(\.hasOneLanguage).map(\.rawValue)
        if !native.isEmpty, !audiences.hasLocale, news.locales.offered.count > 1, mode == .live {
            warn(
                "tags",
                "has no {locale}, and a payload for \(native.joined(separator: ", ")) holds one language: all readers get "
                    + "\(news.locales.default)"
            )
        }
        let most = news.categories.mostCategories(ofCodes: codes)
        if mode == .live, audiences.splits(most) {
            warn(
                "tags",
                "may make \(most) tags of one event, which is more than one request takes: a device with tags of two requests "
                    + "is told twice, and only its collapse id hides it"
            )
        }
        if !native.isEmpty, forms.contains(.template) {
            warn(
                "as",
                "names template beside platforms: a device that is registered both ways is told twice"
            )
        }
    }

    /// No event may reach readers by way of a test hub.
    private static func checkForDoubles(_ hubs: [HubSettings], _ root: ConfigurationSection) {
        for (index, hub) in hubs.enumerated() {
            for other in hubs[..<index] {
                let place = ["hubs", hub.label]
                switch (hub.isSame(as: other), hub.mode == other.mode) {
                case (.different, _), (.unknown, true): continue
                case (.same, true):
                    root.context.warn(
                        RuleProblem(
                            path: place.joined(separator: "."),
                            message: "is the same hub as hubs.\(other.label): its devices may be told everything twice"
                        )
                    )
                case (.same, false), (.unknown, false):
                    let test = hub.mode == .test ? hub : other
                    let live = hub.mode == .test ? other : hub
                    root.context.report(
                        RuleProblem(
                            path: "hubs.\(test.label).name",
                            message:
                                "is the name of the live hub hubs.\(live.label), in the same namespace for all that is "
                                + "known: tests would reach readers. Give tests a hub of their own"
                        )
                    )
                }
            }
        }
    }

    /// What is known of two hubs being one.
    private enum Likeness {
        case same, different, unknown
    }

    private func isSame(as other: HubSettings) -> Likeness {
        // Hubs' names ignore case.
        guard name.lowercased() == other.name.lowercased() else { return .different }
        if let credentials, credentials == other.credentials { return .same }
        guard let mine = authority, let others = other.authority else { return .unknown }
        return mine == others ? .same : .different
    }

    /// Where the namespace answers; `nil` where the connection string cannot be read here.
    private var authority: String? {
        (try? credentials?.read())?.endpoint.authority
    }
}
