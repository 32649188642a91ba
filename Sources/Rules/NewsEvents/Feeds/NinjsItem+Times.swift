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
    /// A date without a time is an embargo only if it is over at `time`, when the item was published.
    func addLimit(
        _ member: String,
        _ part: FeedPlaces.Part,
        latest: Bool,
        at time: Timestamp?,
        to draft: inout EventDraft
    ) {
        var strictest: (instant: Timestamp, text: String, place: String)?
        for (place, value) in limits(part) {
            if FeedTime.isNoLimit(value) || latest && FeedTime.isNoEmbargo(value) { continue }
            guard let text = limit(value, latest: latest, at: time), let instant = EventSchemaReader.instant(of: text)
            else {
                draft.origins[member] = [place]
                guard let text = value.string, FeedTime.lacksOffset(text), rules.zone == nil else {
                    return draft.add(member, value)
                }
                return draft.faults.add("/\(member)", "has no offset; set timeZone of the source, or write one")
            }
            let isStricter = strictest.map { latest ? instant > $0.instant : instant < $0.instant } ?? true
            if isStricter { strictest = (instant, text, place) }
        }
        guard let strictest else { return }
        draft.add(member, strictest.text)
        draft.origins[member] = [strictest.place]
    }

    /// The time of a limit as RFC 3339; `nil` if it cannot be read.
    private func limit(_ value: JSONValue, latest: Bool, at time: Timestamp?) -> String? {
        guard let text = value.string else {
            // A smaller number is not the time of an expiry in any unit.
            guard !latest, let number = value.int64, number >= 100_000_000 else { return nil }
            return FeedTime.published(value, in: rules.zone)
        }
        guard let end = FeedTime.endOfDay(text, in: rules.zone, isLatest: latest) else {
            return FeedTime.rfc3339(text, in: rules.zone, isLatest: latest)
        }
        guard latest, let time, let instant = FeedTime.instant(end) else { return latest ? nil : end }
        return instant <= time ? end : nil
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
