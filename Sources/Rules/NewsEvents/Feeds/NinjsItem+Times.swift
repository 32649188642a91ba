import StrictJSON
import Timestamps

/// When an item was made, and when it may be sent; and its language.
extension NinjsItem {
    /// The time of a part as RFC 3339, from the first of its places that can be read.
    func time(of part: FeedPlaces.Part) -> String? {
        for place in FeedPlaces.places(of: part, in: flavour) {
            if let time = item.at(place).flatMap({ FeedTime.published($0, in: rules.zone) }) { return time }
        }
        return nil
    }

    /// When the version was made, otherwise what comes near it.
    var published: String? { Self.times.lazy.compactMap(time(of:)).first }

    private static let times: [FeedPlaces.Part] = [.created, .firstCreated, .contentCreated]

    /// The place of a time that cannot be read.
    var unreadableTime: String? {
        for part in Self.times {
            for place in presentPlaces(of: part) {
                if let value = item.at(place), value.string != "", FeedTime.published(value, in: rules.zone) == nil {
                    return place
                }
            }
        }
        return nil
    }

    /// Adds the embargo or the expiry. Of several that the item names the strictest counts; one that cannot be read goes before
    /// all, for the schema to refuse: an item is not sent before its restrictions are understood.
    func addLimit(_ member: String, _ part: FeedPlaces.Part, latest: Bool, to draft: inout EventDraft) {
        var strictest: (instant: Timestamp, text: String, place: String)?
        for (place, value) in limits(part) {
            let isNone = latest ? FeedTime.isNoEmbargo(value) : value.string.map(FeedTime.isNone) ?? false
            if isNone || value.string?.isEmpty == true { continue }
            let text = value.string.map { FeedTime.rfc3339($0, in: rules.zone, isLatest: latest) }
            guard let text, let instant = EventSchemaReader.instant(of: text) else {
                draft.add(member, value)
                draft.origins[member] = [place]
                return
            }
            let isStricter = strictest.map { latest ? instant > $0.instant : instant < $0.instant } ?? true
            if isStricter { strictest = (instant, text, place) }
        }
        guard let strictest else { return }
        draft.add(member, strictest.text)
        draft.origins[member] = [strictest.place]
    }

    /// Whether an item is no longer of interest when it is published, or when its embargo ends: it is never sent.
    static func isOver(_ draft: EventDraft) -> Bool {
        func instant(_ member: String) -> Timestamp? { draft.text(member).flatMap(EventSchemaReader.instant(of:)) }
        guard let expires = instant("expires") else { return false }
        return [instant("published"), instant("embargo")].contains { $0.map { expires <= $0 } ?? false }
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
