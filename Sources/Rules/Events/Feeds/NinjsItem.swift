import NewsflashBasics
import NewsflashStrictJSON
import NewsflashTimestamps

/// An item of ninjs 1.x to 3.x, of Superdesk or of AP, decoded as an event.
///
/// The generations differ in the spelling of names and in whether several texts are in arrays. Both are detected from the
/// names themselves, so an item that mixes them, as providers' extensions do, is also decoded. IPTC's schemas are not
/// enforced. Identity, act and times are in extensions; ``FeedPlaces`` lists the places of all parts.
struct NinjsItem {
    let item: JSONValue
    let flavour: NinjsFlavour
    let rules: SourceRules
    /// A member with its name in lower case.
    struct Member {
        let name: String
        let place: String
        let value: JSONValue
    }

    /// The members that are not null, including those next to an item of AP.
    let members: [Member]
    /// Whether the name of an AP item is its id even if it has a uri: in a source of AP items only, and in AP's envelopes.
    let isNamedByItemID: Bool
    /// The path of the item in its document, as a JSON Pointer.
    private let place: String
    /// Whether the document has more items than this one.
    private var isPage = false

    /// Creates a reader for one document.
    ///
    /// - Parameters:
    ///   - document: An object.
    ///   - format: The format of its source; an item of another flavour is recognized and read as such.
    ///   - rules: The settings of the source.
    init(_ document: JSONValue, format: SourceFormat, rules: SourceRules) {
        self.rules = rules
        if let page = document[member: "data"]?.present("items")?.array, let entry = page.first {
            item = entry.present("item") ?? entry
            isPage = page.count > 1
            flavour = .ap
            isNamedByItemID = true
            place = "/data/items/0" + (entry.present("item") == nil ? "" : "/item")
            members = Self.members(of: item) + Self.members(of: entry, besides: "item") + Self.outer(document)
            return
        }
        if let found = Self.enveloped(in: document) {
            item = found.item
            isPage = found.isPage
            flavour = .ap
            isNamedByItemID = true
            place = found.place
            members = Self.members(of: item) + Self.outer(document)
            return
        }
        item = document
        isNamedByItemID = format == .ap
        members = Self.members(of: document)
        place = ""
        switch format {
        case .ap: flavour = .ap
        case .superdesk: flavour = .superdesk
        case .ninjs, .event, .fields:
            if document.isOfAP {
                flavour = .ap
            } else {
                let isNamedSo = document.present("guid") != nil && document.present("uri") == nil
                flavour = isNamedSo || Self.isRewrite(members) ? .superdesk : .ninjs
            }
        }
    }

    /// Whether the item names the item it rewrites, as only Superdesk's items do.
    private static func isRewrite(_ members: [Member]) -> Bool {
        let names = FeedPlaces.places(of: .rewritten, in: .superdesk).map { $0.dropFirst() }
        return members.contains { member in
            names.contains(member.name[...]) && (member.value.storyName != nil || member.value.isUnreadableName)
        }
    }

    /// The item in an envelope of AP: `data.item`, or only `item`; also as an array of one.
    ///
    /// - Returns: `nil` if the document has no envelope, or is an item itself: it has a name, and `data.item` is empty or
    ///   absent.
    private static func enveloped(in document: JSONValue) -> (item: JSONValue, isPage: Bool, place: String)? {
        let isNamed = document.present("uri") != nil || document.present("guid") != nil
        if let inner = document[member: "data"]?.present("item") {
            let item = inner.array?.first ?? inner
            let isEmpty = item.object?.isEmpty ?? true
            if isEmpty, isNamed { return nil }
            return (item, (inner.array?.count ?? 1) > 1, inner.array == nil ? "/data/item" : "/data/item/0")
        }
        guard !isNamed, let inner = document.present("item") else { return nil }
        return (inner.array?.first ?? inner, (inner.array?.count ?? 1) > 1, inner.array == nil ? "/item" : "/item/0")
    }

    private static func members(of value: JSONValue, besides name: String? = nil) -> [Member] {
        (value.object ?? []).compactMap { member in
            guard !member.value.isNull, member.name != name else { return nil }
            return Member(name: member.name.lowercasedASCII, place: "/" + member.name, value: member.value)
        }
    }

    /// The restrictions outside an item of AP. Other members there describe the response of the service.
    private static func outer(_ document: JSONValue) -> [Member] {
        let found = members(of: document) + (document[member: "data"].map { members(of: $0) } ?? [])
        return found.filter { $0.name == "pubstatus" || FeedPlaces.isEmbargo($0.name) }
    }

    /// Makes the draft of an event from the item.
    ///
    /// - Parameters:
    ///   - envelope: The event's envelope, so that the draft needs no id; `nil` if absent.
    ///   - writtenAt: The record's time, used for a withdrawal that has none.
    /// - Returns: The draft, which must be checked against the schema of events.
    func draft(in envelope: CloudEvent?, writtenAt: Timestamp?) -> EventDraft {
        var draft = EventDraft()
        let story = story
        draft.holdRevision = revisionOfOrder
        draft.add("story", story.map { FeedName.shaped($0, most: EventSchemaReader.longestStory) })
        var limits = EventDraft()
        let time = published.flatMap(EventSchemaReader.instant(of:)) ?? writtenAt
        addLimit("embargo", .embargo, latest: true, at: time, to: &limits)
        do throws(DecodeError) {
            if isPage {
                throw DecodeError(
                    .schema,
                    "/data/items: has several items; only the first is used; write each as a separate record"
                )
            }
            let urgency = urgency
            let isFirst = number(writtenAt: nil).isFirst
            var act = try act(urgency: urgency, isFirst: isFirst, ordered: envelope?.order, &draft.oddities)
            if let order = act.order { draft.warnings.append(order.warning) }
            if act.kind.isNews, isOfPushedType {
                addLimit("expires", .expires, latest: false, at: time, to: &limits)
                if limits.isOver(publishedAt: time) {
                    act = Act(kind: .hold, word: "over")
                    draft.warnings.append(.over(limits.origins["expires"]?.first ?? "/expires"))
                    draft.add("embargo", limits.text("embargo"))
                }
            }
            // With the time of the record, the revision of a withdrawal would be above later versions.
            let number = number(writtenAt: act.kind.isNews ? writtenAt : nil)
            let id = id(number.text, act, writtenAt)
            if envelope == nil { draft.add("id", id) }
            draft.add("kind", act.kind.rawValue)
            if act.kind == .update { draft.kindIfFirst = rules.kindOfFirst(urgency) }
            draft.add("language", language)
            draft.add(note: note)
            if !act.kind.isNews {
                // A kill withdraws the text of the latest notification, and a hold has no text.
                draft.add("revision", revisionOfOrder)
                draft.add("published", published ?? (writtenAt ?? Timestamp(seconds: 0)).rfc3339)
                recordOddities(&draft.oddities)
                recordUnreadableStory(in: &draft.oddities)
                return draft
            }
            guard passes(act.kind, urgency: urgency), hasText else {
                withhold(&draft, id: envelope == nil ? id : nil, number.revision, writtenAt)
                // The embargo also applies to waiting news of the story.
                draft.addLimit("embargo", of: limits)
                return draft
            }
            recordUnreadableStory(in: &draft.violations)
            draft.add("revision", number.revision)
            draft.add("published", published ?? writtenAt?.rfc3339 ?? text(of: .created) ?? text(of: .firstCreated))
            draft.add("urgency", urgency.map { Int64($0) })
            draft.addLimit("embargo", of: limits)
            draft.addLimit("expires", of: limits)
            if language == nil, let place = presentPlaces(of: .language).first {
                draft.warnings.append(.unreadableLanguage(place))
            }
            if let place = unreadableTime { draft.warnings.append(.unreadableTime(place)) }
            draft.add(ItemSubjects(item, rules: rules, isOfAP: flavour == .ap, isOfSuperdesk: flavour == .superdesk))
            if let headline { draft.add([(language ?? "und", headline, summary)]) }
            draft.add("url", link: link(story: story ?? "", id: id ?? ""))
            draft.add(
                "image",
                link: ItemPicture.link(of: item, rules: rules, published: published, embargo: draft.text("embargo"))
            )
        } catch {
            let number = number(writtenAt: nil)
            if envelope == nil { draft.add("id", id(number.text, nil, writtenAt)) }
            draft.add("revision", number.revision)
            draft.addLimit("embargo", of: limits)
            draft.unclear = error
        }
        return draft
    }

    /// Records the fault of an unreadable story: the item may belong to another story than it seems.
    private func recordUnreadableStory(in violations: inout SchemaViolations) {
        if let place = unreadableStory { violations.add("/story", "must be the name of a story at \(place)") }
    }

    /// Completes the draft of an item that is not for push.
    private func withhold(_ draft: inout EventDraft, id: String?, _ revision: Int64?, _ writtenAt: Timestamp?) {
        draft.withheld = PushFilter.reason
        if draft.text("id") == nil { draft.add("id", identity.map { FeedName.id($0, number: nil, act: nil) }) }
        draft.add("revision", revision ?? 1)
        draft.add("published", published ?? (writtenAt ?? Timestamp(seconds: 0)).rfc3339)
    }

    /// The paths of the members of an event, as JSON Pointers: those that this item has, otherwise all that it may have.
    var origins: [String: [String]] {
        var origins: [String: [String]] = [:]
        for (member, parts) in FeedPlaces.members {
            let present = parts.flatMap(presentPlaces)
            let places = present.isEmpty ? parts.flatMap { FeedPlaces.places(of: $0, in: flavour) } : present
            origins[member] = places.map { place + $0 }
        }
        let versions = takesTime ? "/versioncreated" : "/version"
        let story = origins["story"] ?? []
        origins["id"] = story.map { "\($0) with \(place)\(versions)" }
        return origins
    }

    /// The places of a part at which the item has a value.
    func presentPlaces(of part: FeedPlaces.Part) -> [String] {
        FeedPlaces.places(of: part, in: flavour).filter { item.at($0) != nil }
    }

    /// The first text of a part that is not empty.
    func text(of part: FeedPlaces.Part) -> String? {
        for place in FeedPlaces.places(of: part, in: flavour) {
            if let text = (item.at(place) ?? item.atAnyCase(place))?.string, !text.isEmpty { return text }
        }
        return nil
    }

    // MARK: Links

    private func link(story: String, id: String) -> String? {
        let chosen: String? =
            switch rules.link {
            case .alternative(let role): item.alternative(role)
            case .extra(let name): item[member: "extra"]?[member: name]?.string
            case .link(let relation): link(relation)
            case .pattern(let pattern): LinkRule.fill(pattern, story: story, id: id)
            case nil: nil
            }
        return chosen ?? item.alternative("web") ?? item[member: "extra"]?[member: "web_url"]?.string
            ?? link("canonical")
    }

    private func link(_ relation: String) -> String? {
        item[member: "links"]?.array?.first { $0[member: "rel"]?.string == relation }?[member: "href"]?.string
    }

    /// The first text among the given members that is not empty.
    func text(_ names: String...) -> String? {
        for name in names {
            if let text = item[member: name]?.string, !text.isEmpty { return text }
        }
        return nil
    }
}

/// The members other than the status that mark an item as withdrawn, such as `state: killed` or `withdrawn: true`.
enum ItemState {
    private static let members: Set<String> = ["state", "status", "itemstatus"]
    /// Words that can only refer to the news.
    private static let kills: Set<String> = ["killed", "withdrawn", "retracted", "recalled"]
    /// Words that can also refer to the subject of the news, to a draft, or to the cleanup of an old item.
    private static let holds: Set<String> = ["canceled", "cancelled", "deleted", "unpublished", "spiked"]

    /// The names of all members that are checked, in lower case.
    static let names: Set<String> = members.union(kills).union(holds)

    /// The instruction of a member.
    ///
    /// - Returns: Kill or hold; `nil` if it does not withdraw.
    static func order(of name: String, _ value: JSONValue) -> EventKind? {
        let words: [String]
        if members.contains(name) {
            words = value.words.map(\.lastPartOfCode.lowercasedASCII)
        } else if name == "pubstatus" {
            let statuses = value.words.map(\.lastPartOfCode.lowercasedASCII)
            return statuses.contains("canceled") ? .kill : statuses.contains("withheld") ? .hold : nil
        } else if names.contains(name), value.bool ?? value.word?.truth ?? false {
            words = [name]
        } else {
            return nil
        }
        if words.contains(where: { kills.contains($0) && ($0 != "withdrawn" || name == $0) }) { return .kill }
        // As a state, `withdrawn` may refer to the subject of the news, such as a horse, so it only holds.
        return words.contains { kills.contains($0) || holds.contains($0) } ? .hold : nil
    }
}
