package import NewsEvents

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
