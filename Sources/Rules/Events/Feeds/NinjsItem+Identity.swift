import NewsflashBasics
import NewsflashStrictJSON
import NewsflashTimestamps

/// The identity of an item: its name, its story and its revision.
extension NinjsItem {
    /// The item's name. In a source that also has other items, it is made from the `uri` if there is one, so that an item and
    /// its withdrawal, which may have fewer members, have the same name.
    var identity: String? {
        guard flavour == .ap else { return text(of: .story) }
        let itemID = item.alternative("itemid") ?? item.present(anyCase: "itemid")?.word
        let uri = item.present(anyCase: "uri")?.string.flatMap { $0.isEmpty ? nil : Self.itemID(ofURI: $0) }
        return isNamedByItemID ? itemID ?? uri : uri ?? itemID
    }

    /// The story by the rules of the source; otherwise the story that a rewrite in Superdesk continues; otherwise the item's
    /// name.
    var story: String? {
        rules.story.lazy.compactMap { $0.story(of: item, named: identity) }.first ?? rewritten ?? identity
    }

    var rewritten: String? {
        FeedPlaces.places(of: .rewritten, in: flavour).lazy.compactMap { item.atAnyCase($0)?.storyName }.first
    }

    /// The place of the story's name if its value is not a name; `nil` otherwise.
    var unreadableStory: String? {
        if let rule = rules.story.first(where: { $0.isUnreadable(in: item) }) { return rule.place }
        return FeedPlaces.places(of: .rewritten, in: flavour).first { item.atAnyCase($0)?.isUnreadableName ?? false }
    }

    /// AP's URIs have the version in the query and the item's id as the last part of the path; its URNs end with the id.
    private static func itemID(ofURI uri: String) -> String {
        let path = uri.prefix { $0 != "?" && $0 != "#" }
        guard uri.isOfAP, let last = path.split(whereSeparator: { $0 == "/" || $0 == ":" }).last else {
            return String(path)
        }
        return String(last)
    }

    /// The id of the event.
    ///
    /// - Returns: `nil` for news without a revision.
    func id(_ number: String?, _ act: Act?, _ writtenAt: Timestamp?) -> String? {
        guard let identity = identity ?? story else { return nil }
        guard number == nil else { return FeedName.id(identity, number: number, act: act?.word) }
        guard let act, let word = act.word else { return nil }
        // Each record of a hold is another act; repeated kills are the same act.
        let time = act.kind == .hold ? writtenAt.map { String($0.milliseconds) } : nil
        return FeedName.id(identity, number: time, act: word)
    }

    /// Whether the revision is the creation time of the version.
    ///
    /// The versions of Superdesk's rewrites begin at 1 again, so only the time shows which is newer.
    var takesTime: Bool { (rules.revision ?? (flavour == .superdesk ? .versionCreated : .version)) == .versionCreated }

    /// The revision, its text for the id, and whether it is the story's first.
    ///
    /// The newsroom configures whether all items of a source are numbered by version or by time. If it does not, an item
    /// whose version is not a whole number is numbered by its time.
    ///
    /// - Parameter writtenAt: The time used if a time of the item is missing or unreadable; `nil` for none.
    /// - Returns: The revision is `nil` if the item has none.
    func number(writtenAt: Timestamp?) -> (revision: Int64?, text: String?, isFirst: Bool) {
        let version = version
        let isFirst = version.map { $0 == 1 } ?? false
        if let version, !takesTime { return (version, writtenVersion.map { String($0) }, isFirst && rewritten == nil) }
        guard takesTime || rules.revision == nil else { return (nil, nil, false) }
        let created = time(of: .created).flatMap { FeedTime.milliseconds(.string($0)) }
        let first = time(of: .firstCreated).flatMap { FeedTime.milliseconds(.string($0)) }
        let isCreation = created != nil && created == first
        let revision = created.map(inSecond) ?? writtenAt.flatMap { $0.milliseconds > 0 ? $0.milliseconds : nil }
        return (revision, revision.map { String($0) }, (isFirst || isCreation) && rewritten == nil)
    }

    /// The revision of a withdrawal or a hold. If versions count and the item has none, it is 1 and not a time; the time of
    /// the record is never used. Later versions would be below such a revision.
    var revisionOfOrder: Int64 { takesTime || version != nil ? number(writtenAt: nil).revision ?? 1 : 1 }

    /// Adds the version to a time in whole seconds, as in many systems, so that two versions of one second are in order.
    private func inSecond(_ milliseconds: Int64) -> Int64 {
        milliseconds % 1000 == 0 ? milliseconds + min(writtenVersion ?? 0, 999) : milliseconds
    }

    /// The version as a revision, which begins at 1: AP counts from 0, and other systems may write 0 before the first
    /// version.
    var version: Int64? {
        writtenVersion.map { flavour == .ap ? $0 + 1 : max($0, 1) }
    }

    /// The version as written in the item: `3`, `"3"` and `3.0` are equal.
    private var writtenVersion: Int64? {
        guard let value = item.present("version") else { return nil }
        let text = value.string ?? ""
        let written = value.int64 ?? Int64(digits: text) ?? (text.utf8.count <= 20 ? JSONNumber(text)?.int64 : nil)
        return written.flatMap { (0..<EventSchemaReader.largestRevision).contains($0) ? $0 : nil }
    }
}

extension JSONValue {
    /// Whether a bare item comes from AP, by its URI or by an id that only AP has.
    var isOfAP: Bool {
        let uri = present(anyCase: "uri")?.string
        if let uri, uri.isOfAP { return true }
        guard let ids = present(anyCase: "altids"), ids.present("itemid") != nil else { return false }
        if uri == nil, present(anyCase: "guid") == nil { return true }
        return ids.present("etag") != nil || ids.present("friendlykey") != nil
    }
}

extension String {
    fileprivate var isOfAP: Bool {
        ["https://api.ap.org/", "http://api.ap.org/", "urn:publicid:ap.org:"].contains(where: hasPrefix)
    }
}

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
                return draft.violations.add("/\(member)", "has no offset; set timeZone of the source, or write one")
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
