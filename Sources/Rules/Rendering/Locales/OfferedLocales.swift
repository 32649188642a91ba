package import NewsflashEvents

/// The languages that the newsroom offers its subscribers: `locales:` of the configuration.
///
/// An object, because each event uses it and none changes it.
package final class OfferedLocales: Sendable {
    /// The maximum number of languages. More would not leave each a useful share of a template's 64 KB.
    package static let maximumCount = 64

    /// The tags as written in the configuration, in its order: apps registered with these names.
    package let offered: [String]
    /// The index of the default in ``offered``.
    package let defaultIndex: Int
    let fallbacks: [LocaleFallback]
    let ranks: LocaleRanks
    /// The tags as written in template properties: `pt_BR` for `pt-BR`.
    let propertySuffixes: [String]

    /// The language of subscribers who have none of the others.
    package var `default`: String { offered[defaultIndex] }

    /// Checks the languages.
    ///
    /// - Parameters:
    ///   - offered: BCP 47 tags, `_` allowed for `-`; each language once, at most ``maximumCount``.
    ///   - default: One of the offered tags.
    /// - Throws: ``RuleProblems`` with the paths `locales.offered[…]` and `locales.default`.
    package init(offered: [String], default: String) throws(RuleProblems) {
        var problems: [ValidationProblem] = []
        var tags: [LanguageTag] = []
        if offered.isEmpty || offered.count > Self.maximumCount {
            let message = "has \(offered.count) languages; offer at least one and at most \(Self.maximumCount)"
            problems.append(ValidationProblem(path: "locales.offered", message: message))
        }
        for (index, name) in offered.enumerated() {
            let path = "locales.offered[\(index)]"
            guard name != "false", name != "true", let tag = LanguageTag(name, allowingUnderscores: true) else {
                problems.append(ValidationProblem(path: path, message: Self.explanation(of: name)))
                continue
            }
            if tags.contains(tag) {
                problems.append(ValidationProblem(path: path, message: "\"\(name)\" is offered twice, as \(tag)"))
            }
            tags.append(tag)
        }
        let wanted = LanguageTag(`default`, allowingUnderscores: true)
        let defaultIndex = offered.firstIndex(of: `default`) ?? wanted.flatMap { tags.firstIndex(of: $0) }
        if defaultIndex == nil {
            let message = "\"\(`default`)\" is not among locales.offered; add it there or use one of those"
            problems.append(ValidationProblem(path: "locales.default", message: message))
        }
        guard problems.isEmpty, let defaultIndex else { throw RuleProblems(problems) }
        self.offered = offered
        self.defaultIndex = defaultIndex
        self.fallbacks = tags.map(LocaleFallback.init)
        self.ranks = LocaleRanks(fallbacks)
        self.propertySuffixes = offered.map { String($0.map { $0 == "-" ? "_" : $0 }) }
    }

    /// The index of a language by its name in the configuration or in a template property.
    func index(ofName name: some StringProtocol) -> Int? {
        offered.firstIndex { $0 == name } ?? propertySuffixes.firstIndex { $0 == name }
    }

    private static func explanation(of name: String) -> String {
        let isBoolean = name == "false" || name == "true"
        let remedy =
            isBoolean ? "YAML reads a bare no as false: write \"no\" in quotes" : "write it as in pt-BR or zh-Hans"
        return "\"\(name)\" is not a BCP 47 language tag; \(remedy)"
    }
}

extension OfferedLocales {
    /// The offered language that suits a subscriber best.
    ///
    /// - Parameter languages: The subscriber's languages, the preferred first; invalid tags are skipped.
    /// - Returns: The language as written in the configuration; the default one if no form of the subscriber's is offered.
    package func best(for languages: [String]) -> String {
        for language in languages {
            guard let tag = LanguageTag(language, allowingUnderscores: true) else { continue }
            if let place = LocaleFallback(for: tag).choose(among: fallbacks.map(\.key)) { return offered[place] }
        }
        return self.default
    }
}

/// The rank of each offered language for the subscribers of each one, computed once: most events are written in languages
/// that are offered by exactly their names.
struct LocaleRanks: Sendable {
    /// For each wanted language the rank of each available one, 0 for the best; `nil` if it is not a form of the wanted
    /// language.
    private let ranks: [[Int?]]

    init(_ offered: [LocaleFallback]) {
        ranks = offered.map { wanted in
            var ranks = [Int?](repeating: nil, count: offered.count)
            var left = Array(offered.indices)
            // The choice among some languages is also the choice among fewer of them.
            while let best = wanted.choose(among: left.map { offered[$0].key }) {
                ranks[left.remove(at: best)] = offered.count - left.count - 1
            }
            return ranks
        }
    }

    /// Chooses among offered languages as ``LocaleFallback/choose(among:)`` does.
    ///
    /// - Parameters:
    ///   - wanted: The index of the wanted language among those offered.
    ///   - given: The indices of the available languages among those offered.
    /// - Returns: The position of the chosen one in `given`; `nil` if none is a form of the wanted language.
    func choose(for wanted: Int, among given: some Sequence<Int>) -> Int? {
        var best: (rank: Int, index: Int)?
        for (index, place) in given.enumerated() {
            guard let rank = ranks[wanted][place], best.map({ rank < $0.rank }) ?? true else { continue }
            best = (rank, index)
        }
        return best?.index
    }
}

/// The search for the text that subscribers of one language get.
///
/// In this order: the same tag; its ancestors, by CLDR's parents and by cutting subtags; the same language in the same script
/// of another region. Another script of the language or a related language is never used: Serbian in Latin letters does not
/// replace Serbian in Cyrillic letters, and Danish does not replace Norwegian. (The Norwegian of `no` is used for `nb` and
/// `nn`, and `nb` for `no`: they name one language.)
///
/// An object, because each event uses several and changes none.
package final class LocaleFallback: Sendable {
    let key: LocaleKey
    /// Whether its script runs from right to left.
    let isRightToLeft: Bool
    private let ancestors: [LanguageTag]

    /// Prepares the search for one language.
    ///
    /// - Parameter wanted: The language that the subscriber requested.
    package init(for wanted: LanguageTag) {
        self.key = LocaleKey(wanted)
        self.isRightToLeft = key.isRightToLeft
        self.ancestors = key.ancestors
    }

    /// Chooses the best tag.
    ///
    /// - Parameter tags: The available tags, in order of preference among equals.
    /// - Returns: The index of the chosen tag; `nil` if no tag is a form of the wanted language.
    package func choose(among tags: [LanguageTag]) -> Int? {
        choose(among: tags.map(LocaleKey.init))
    }

    func choose(among keys: [LocaleKey]) -> Int? {
        if let exact = keys.firstIndex(where: { $0.tag == key.tag }) { return exact }
        for ancestor in ancestors {
            let equals = keys.indices.filter { keys[$0].plain == ancestor }
            let namesScript = key.tag.script != nil
            if let found = equals.first(where: { (keys[$0].tag.script != nil) == namesScript }) ?? equals.first {
                return found
            }
        }
        return keys.indices.filter { keys[$0].isRead(by: key) }.min { preference(keys[$0]) < preference(keys[$1]) }
    }

    /// The distance of a key of another region; the smallest is chosen.
    private func preference(_ other: LocaleKey) -> (Int, String) {
        let description = other.tag.description
        if !other.isSameLanguage(as: key) { return (4, description) }
        if other.region == key.region { return (0, description) }
        if other.region == key.likelyRegion { return (1, description) }
        let sharesParent = ancestors.count > 1 && other.ancestors.dropFirst().first == ancestors[1]
        return (sharesParent ? 2 : 3, description)
    }
}
