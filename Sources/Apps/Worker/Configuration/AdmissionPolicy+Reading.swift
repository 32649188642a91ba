import NewsflashEvents
import NewsflashPlanning
import NewsflashPublishing
import NewsflashRouting
import NewsflashYAML

extension AdmissionPolicy {
    /// Reads `policy`.
    ///
    /// - Parameters:
    ///   - root: The root section of the file.
    ///   - news: The settings that names in the policy must match; `nil` if they could not be read.
    init(_ root: ConfigurationSection, news: NewsSettings?) {
        self.init()
        let section = root.section("policy")
        readLives(section)
        readApprovals(section)
        quiet = QuietHours(root, section, news: news)
        caps = section.caps(root, categories: news?.categories)
        volumeLimits = VolumeLimitPolicy(section.section("volumeLimits"))
    }

    private mutating func readLives(_ section: ConfigurationSection) {
        let lives = section.section("life")
        for kind in EventKind.allCases {
            life[kind] = lives.duration(kind.rawValue)
        }
        clockSkew = section.duration("clockSkew")
        maximumEmbargo = section.duration("maximumEmbargo")
        embargoDropped = section.choice("embargoDropped", of: DroppedEmbargo.self)
        let asked = section.duration(ifGiven: "maximumLife")
        // An event may also set an `expires` as late as the longest life of a kind allows.
        let longest = life.values.max() ?? .zero
        maximumLife = asked ?? max(maximumLife, longest)
        guard longest > maximumLife, let kind = EventKind.allCases.first(where: { life[$0] == longest }) else { return }
        section.warn(
            "maximumLife",
            "is shorter than policy.life.\(kind.rawValue): such an event lives longer if it has no `expires`"
        )
    }

    /// Holds and kills take effect at once and need no approval.
    private static let approvedKinds: [EventKind] = [.flash, .alert, .update, .correction]

    private mutating func readApprovals(_ section: ConfigurationSection) {
        let numbers = section.section("approvals")
        for kind in Self.approvedKinds {
            let count = numbers.integer(kind.rawValue)
            if count > 0 { approvals[kind] = count }
        }
        approvalWait = section.duration("approvalWait")
    }
}

extension VolumeLimitPolicy {
    fileprivate init(_ section: ConfigurationSection) {
        self.init(
            sameText: section.rate("sameText"),
            perSource: section.rate("perSource"),
            all: section.rate("all")
        )
    }
}

extension ConfigurationSection {
    /// `policy.caps`: rates by category, or `*` for all categories.
    fileprivate func caps(_ root: ConfigurationSection, categories: CategoryMap?) -> [AudibleLimit] {
        let section = section("caps")
        return section.keys.flatMap { category in
            let rates = section.ratesPerStory(category) ?? []
            if category != "*", let categories, !categories.categories.contains(category),
                !root.section("categories").hasFamily(making: category)
            {
                section.warn(category, "is not a category, so nothing is counted; write one of categories: or *")
            }
            return rates.map { configured in
                AudibleLimit(
                    category: category == "*" ? nil : category,
                    rate: configured.rate,
                    scope: configured.isPerStory ? .story : .all
                )
            }
        }
    }

    /// Whether a rule such as `{ each: …, tag: "geo.{code}" }` may produce a category of that name.
    private func hasFamily(making category: String) -> Bool {
        keys.contains { name in
            guard let node = node(name), case .mapping = node.kind, let tag = section(name).node("tag")?.scalarText
            else {
                return false
            }
            let ends = tag.split(separator: "{code}", omittingEmptySubsequences: false)
            return ends.count == 2 && category.hasPrefix(ends[0]) && category.hasSuffix(ends[1])
                && category.utf8.count > ends[0].utf8.count + ends[1].utf8.count
        }
    }
}
