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
