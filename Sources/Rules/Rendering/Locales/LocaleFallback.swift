/// Finds the text that a reader of one language is given.
///
/// In this order: the very tag; its ancestors by CLDR's parents and by cutting; the same language in the same script of
/// another region. Never another script of the language, never a related language: Serbian in Latin letters is not given
/// for Serbian in Cyrillic ones, nor Danish for Norwegian. (The Norwegian of `no` is read for `nb` and `nn`, and `nb` for
/// `no`: they name one language.)
///
/// An object, because each event looks at several and changes none.
package final class LocaleFallback: Sendable {
    let key: LocaleKey
    /// Whether its script runs from right to left.
    let isRightToLeft: Bool
    private let ancestors: [LanguageTag]

    /// Prepares the search for one wanted language.
    ///
    /// - Parameter wanted: What the reader asked for.
    package init(for wanted: LanguageTag) {
        self.key = LocaleKey(wanted)
        self.isRightToLeft = key.isRightToLeft
        self.ancestors = key.ancestors
    }

    /// Chooses among tags.
    ///
    /// - Parameter tags: What there is, in the order in which equals are preferred.
    /// - Returns: The place of the chosen tag; `nil` where none is in a form of the wanted language.
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

    /// How near a key of another region is; the least is taken.
    private func preference(_ other: LocaleKey) -> (Int, String) {
        let description = other.tag.description
        if !other.isSameLanguage(as: key) { return (4, description) }
        if other.region == key.region { return (0, description) }
        if other.region == key.likelyRegion { return (1, description) }
        let sharesParent = ancestors.count > 1 && other.ancestors.dropFirst().first == ancestors[1]
        return (sharesParent ? 2 : 3, description)
    }
}
