import ASCII
import StrictJSON
import Timestamps

/// Which item it is, of which story and which revision.
extension NinjsItem {
    /// The item's name. In a source that has other items too it is made of the `uri` if there is one, so that an item and a
    /// withdrawal that has less of it have one name.
    var identity: String? {
        guard flavour == .ap else { return text(of: .story) }
        let itemID = item.alternative("itemid") ?? item.present(anyCase: "itemid")?.word
        let uri = item.present(anyCase: "uri")?.string.flatMap { $0.isEmpty ? nil : Self.itemID(ofURI: $0) }
        return isNamedByItemID ? itemID ?? uri : uri ?? itemID
    }

    /// The story by the rules of the source; otherwise a rewrite of Superdesk's is another item on the same story.
    var story: String? {
        rules.story.lazy.compactMap { $0.story(of: item, named: identity) }.first ?? rewritten ?? identity
    }

    var rewritten: String? {
        FeedPlaces.places(of: .rewritten, in: flavour).lazy.compactMap { item.atAnyCase($0)?.storyName }.first
    }

    /// The place at which the item should name its story and has something that is not a name; `nil` if there is none.
    var unreadableStory: String? {
        if let rule = rules.story.first(where: { $0.isUnreadable(in: item) }) { return rule.place }
        return FeedPlaces.places(of: .rewritten, in: flavour).first { item.atAnyCase($0)?.isUnreadableName ?? false }
    }

    /// AP's URIs have the version in their query, and the item's id as the last part of their path; its URNs end with the id.
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
        // A hold is another act each time it is written; a kill is not.
        let time = act.kind == .hold ? writtenAt.map { String($0.milliseconds) } : nil
        return FeedName.id(identity, number: time, act: word)
    }

    /// Whether the revision is the time at which the version was made.
    ///
    /// The versions of Superdesk's rewrites begin at 1 again, so that only the time shows which is newer.
    var takesTime: Bool { (rules.revision ?? (flavour == .superdesk ? .versionCreated : .version)) == .versionCreated }

    /// The revision, its text for the id, and whether it is the story's first.
    ///
    /// All items of a source are numbered by their versions or all by their times, as the newsroom says. Without its word, an
    /// item whose version is not a whole number is numbered by its time.
    ///
    /// - Parameter writtenAt: The time that stands for a time of the item that is missing or cannot be read; `nil` for none.
    /// - Returns: No revision if the item has none.
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

    /// The revision of a withdrawal or a hold. Without a version it has no time for a revision, nor the time of its record:
    /// versions that come later would be below it.
    var revisionOfOrder: Int64 { takesTime || version != nil ? number(writtenAt: nil).revision ?? 1 : 1 }

    /// Adds the version to a time that is a whole second, as many systems write it: two versions of one second are in order.
    private func inSecond(_ milliseconds: Int64) -> Int64 {
        milliseconds % 1000 == 0 ? milliseconds + min(writtenVersion ?? 0, 999) : milliseconds
    }

    /// The version as a revision, which begins at 1: AP counts from 0, and others may have a 0 before their first.
    var version: Int64? {
        writtenVersion.map { flavour == .ap ? $0 + 1 : max($0, 1) }
    }

    /// The version as the item has it: `3`, `"3"` and `3.0` are one.
    private var writtenVersion: Int64? {
        guard let value = item.present("version") else { return nil }
        let text = value.string ?? ""
        let written = value.int64 ?? Int64(digits: text) ?? (text.utf8.count <= 20 ? JSONNumber(text)?.int64 : nil)
        return written.flatMap { (0..<EventSchemaReader.largestRevision).contains($0) ? $0 : nil }
    }
}

extension JSONValue {
    /// Whether a bare item is AP's: by its URI, or by an id that only AP has.
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
