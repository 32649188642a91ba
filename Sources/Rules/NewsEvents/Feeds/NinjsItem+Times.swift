import StrictJSON
import Timestamps

/// The creation time, the embargo and the expiry of an item; and its language.
extension NinjsItem {
    /// The time of a part as RFC 3339, from the first of its places with a readable time.
    func time(of part: FeedPlaces.Part) -> String? {
        for place in FeedPlaces.places(of: part, in: flavour) {
            if let time = item.at(place).flatMap({ FeedTime.published($0, in: rules.zone) }) { return time }
        }
        return nil
    }

    /// The creation time of the version, otherwise the nearest known time.
    var published: String? { Self.times.lazy.compactMap(time(of:)).first }

    private static let times: [FeedPlaces.Part] = [.created, .firstCreated, .contentCreated]

    /// The place of an unreadable time; `nil` if all are readable.
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

    /// Adds the embargo or the expiry. If the item has several, the strictest counts. An unreadable one takes precedence, so
    /// that the schema rejects it: an item is not sent before its restrictions are understood. A date without a time is
    /// accepted as an embargo only if it has ended at `time`, when the item was published.
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

    /// The time of a limit as RFC 3339; `nil` if it is unreadable.
    private func limit(_ value: JSONValue, latest: Bool, at time: Timestamp?) -> String? {
        guard let text = value.string else {
            // A smaller number cannot be an expiry in any unit.
            guard !latest, let number = value.int64, number >= 100_000_000 else { return nil }
            return FeedTime.published(value, in: rules.zone)
        }
        guard let end = FeedTime.endOfDay(text, in: rules.zone, isLatest: latest) else {
            return FeedTime.rfc3339(text, in: rules.zone, isLatest: latest)
        }
        guard latest, let time, let instant = FeedTime.instant(end) else { return latest ? nil : end }
        return instant <= time ? end : nil
    }

    /// The language as a tag: `en_US` becomes `en-US`, and the first of several counts. `nil` if it is unreadable.
    var language: String? {
        guard let value = item.present("language"), let text = value.string ?? value.array?.first?.string else {
            return nil
        }
        let tag = text.replacing("_", with: "-")
        // No language is registered with a longer code, so this excludes words such as `english`.
        guard FieldMapping.isLanguageTag(tag), tag.prefix(while: { $0 != "-" }).count <= 3 else { return nil }
        return tag
    }
}
