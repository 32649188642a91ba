import StrictJSON
import Timestamps

/// When an item was made, and when it may be sent; and its language.
extension NinjsItem {
    /// When the version was made, else what comes near it.
    var times: [String] {
        [FeedPlaces.Part.created, .firstCreated].compactMap { text(of: $0).map(FeedTime.rfc3339) }
    }

    /// Adds the embargo or the expiry. Of several that the item names the strictest counts; one that cannot be read goes before
    /// all, for the schema to refuse: an item is not sent before its restrictions are understood.
    func addLimit(_ member: String, _ part: FeedPlaces.Part, latest: Bool, to draft: inout EventDraft) {
        var strictest: (instant: Timestamp, text: String, place: String)?
        for (place, value) in limits(part) {
            if let text = value.string, FeedTime.isNone(text) { continue }
            guard let text = value.string, let instant = FeedTime.instant(text) else {
                draft.add(member, value)
                draft.origins[member] = [place]
                return
            }
            let isStricter = strictest.map { latest ? instant > $0.instant : instant < $0.instant } ?? true
            if isStricter { strictest = (instant, FeedTime.rfc3339(text), place) }
        }
        guard let strictest else { return }
        draft.add(member, strictest.text)
        draft.origins[member] = [strictest.place]
    }

    /// The language as a tag: `en_US` is `en-US`, and of several the first counts. `nil` if it cannot be read.
    var language: String? {
        guard let value = item.present("language"), let text = value.string ?? value.array?.first?.string else {
            return nil
        }
        let tag = text.replacing("_", with: "-")
        // No language is registered under a longer word, such as `english`.
        guard FieldMapping.isLanguageTag(tag), tag.prefix(while: { $0 != "-" }).count <= 3 else { return nil }
        return tag
    }
}
