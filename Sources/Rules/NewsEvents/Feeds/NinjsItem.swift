import Signing
import StrictJSON
import Timestamps

/// An item of ninjs 1.x to 3.x, of Superdesk or of AP, read as an event.
///
/// The generations differ in the spelling of names and in whether several texts stand in arrays. Both are seen by the names
/// themselves, so that an item that mixes them, as providers' extensions do, is read as well. IPTC's schemas are not enforced.
struct NinjsItem {
    private enum Flavour {
        case ninjs
        case superdesk
        case ap
    }

    private let item: JSONValue
    /// Where it stands in its document, as a JSON Pointer.
    private let place: String
    private let flavour: Flavour
    private let rules: SourceRules

    /// Makes a reader of one document.
    ///
    /// - Parameters:
    ///   - document: An object.
    ///   - format: The format of its source; an item that shows another flavour is read as that.
    ///   - rules: What the newsroom says of the source.
    init(_ document: JSONValue, format: SourceFormat, rules: SourceRules) {
        self.rules = rules
        if let item = document[member: "data"]?.present("item") {
            self.item = item
            flavour = .ap
            place = "/data/item"
            return
        }
        item = document
        place = ""
        if format == .ap || document[member: "altids"]?.present("itemid") != nil {
            flavour = .ap
        } else if format == .superdesk || document.present("guid") != nil && document.present("uri") == nil {
            flavour = .superdesk
        } else {
            flavour = .ninjs
        }
    }

    /// Reads the item.
    ///
    /// - Parameter isNamed: Whether an envelope names the event, so that it needs no id of ours.
    /// - Returns: What it says, to be held to the schema of events.
    func draft(isNamed: Bool) -> EventDraft {
        var draft = EventDraft()
        let number = number
        let id = number.text.flatMap { number in identity.map { "\($0)#\(number)" } }
        if !isNamed { draft.add("id", id.map(Self.shortened)) }
        draft.add("story", story)
        do throws(Refusal) {
            let urgency = urgency
            let kind = try kind(urgency: urgency, isFirst: number.isFirst)
            draft.add("kind", kind.rawValue)
            draft.add("language", text("language"))
            draft.add(note: note)
            guard passes(kind, urgency: urgency) else {
                draft.withheld = PushFilter.reason
                if !isNamed, id == nil { draft.add("id", identity.map(Self.shortened)) }
                draft.add("revision", number.revision ?? 1)
                draft.add("published", times.first ?? Timestamp(seconds: 0).rfc3339)
                return draft
            }
            draft.add("revision", number.revision)
            draft.add("published", times.first)
            // A kill withdraws the words that were told, and a hold tells none.
            guard kind != .kill, kind != .hold else { return draft }
            draft.add("urgency", urgency.map { Int64($0) })
            draft.add("embargo", embargo)
            draft.add("expires", text("expires").map(FeedTime.rfc3339))
            draft.add("categories", each: categories, most: 16)
            if let headline { draft.add([(text("language") ?? "und", headline, summary)]) }
            draft.add("url", link: link(story: story ?? "", id: id ?? ""))
            draft.add("image", link: image)
        } catch {
            draft.add("revision", number.revision)
            draft.unknownStatus = error
        }
        return draft
    }

    // MARK: Identity

    private var identity: String? {
        switch flavour {
        case .ap: item[member: "altids"]?[member: "itemid"]?.word ?? text("itemid", "uri")
        case .superdesk: text("guid", "uri")
        case .ninjs: text("uri", "guid")
        }
    }

    /// A rewrite of Superdesk's is another item on the same story.
    private var story: String? { rewritten ?? identity }

    private var rewritten: String? { flavour == .superdesk ? text("evolvedfrom") : nil }

    /// The revision, its text for the id, and whether it is the story's first.
    ///
    /// Items that are rewritten begin their versions anew, so that only the time tells which is newer.
    private var number: (revision: Int64?, text: String?, isFirst: Bool) {
        let version = item.present("version").flatMap { $0.int64 ?? $0.string.flatMap(Int64.init(digits:)) }
        if let version, rules.revision == .version, rewritten == nil {
            let revision = flavour == .ap && version < .max ? version + 1 : version
            return (revision, item[member: "version"]?.word, revision == 1)
        }
        let created = text("versionCreated", "versioncreated").flatMap { FeedTime.milliseconds(.string($0)) }
        let first = text("firstCreated", "firstcreated").flatMap { FeedTime.milliseconds(.string($0)) }
        return (created, created.map { String($0) }, created != nil && created == first && rewritten == nil)
    }

    /// An id that is too long for an event, made short by a digest of it.
    private static func shortened(_ id: String) -> String {
        guard id.utf8.count > EventSchemaReader.longestID else { return id }
        let digest = SHA256Digest.hash(of: Array(id.utf8))
        let digits = Array("0123456789abcdef".utf8)
        return "sha256:"
            + String(decoding: digest.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }

    /// Where items of this kind have the members of an event, as JSON Pointers; the usual place first.
    var origins: [String: [String]] {
        let identity =
            switch flavour {
            case .ap: ["/altids/itemid", "/itemid", "/uri"]
            case .superdesk: ["/guid", "/uri"]
            case .ninjs: ["/uri", "/guid"]
            }
        let versions = rules.revision == .version ? ["/version", "/versioncreated"] : ["/versioncreated"]
        let origins = [
            "id": identity.map { "\($0) with \(versions[0])" },
            "story": identity,
            "revision": versions,
            "published": ["/versioncreated", "/firstcreated"],
            "embargo": ["/embargoed"],
            "categories": ["/subject", "/place"],
            "text": ["/headline", "/headlines"],
        ]
        return origins.mapValues { $0.map { place + $0 } }
    }

    // MARK: Act

    private static let priorities = ["f": 1, "b": 2, "u": 3, "r": 4, "d": 5]

    private var urgency: Int? {
        if let value = item.present("urgency") {
            return (value.int64 ?? value.string.flatMap(Int64.init(digits:))).flatMap { Int(exactly: $0) }
        }
        return text("editorialpriority").flatMap { Self.priorities[$0] }
    }

    /// What the act is: a status goes before signals, these before notes, and these before the urgency.
    private func kind(urgency: Int?, isFirst: Bool) throws(Refusal) -> EventKind {
        var isHeld = false
        var isKilled = false
        for name in ["pubStatus", "pubstatus"] {
            guard let status = item.present(name) else { continue }
            switch status.string {
            case "usable": break
            case "canceled": isKilled = true
            case "withheld": isHeld = true
            default: throw Refusal(.status, "/\(name): must be one of usable, withheld, canceled")
            }
        }
        if isKilled { return .kill }
        let notes = ([note] + signals).compactMap { $0.flatMap(EditorialNote.init) }
        if isHeld || notes.contains(.withdrawal) { return .hold }
        return notes.contains(.correction) ? .correction : rules.kind(urgency: urgency, isFirst: isFirst)
    }

    /// More are no list of signals.
    private static let mostSignals = 16

    /// Words of closed lists that say what the act is.
    private var signals: [String] {
        ["signal", "signals", "editorialtypes"].flatMap { name in
            (item[member: name]?.array ?? []).prefix(Self.mostSignals).compactMap { signal in
                let word = signal.string ?? signal[member: "code"]?.string ?? signal[member: "qcode"]?.string
                return word.map { $0.hasPrefix("sig:") ? String($0.dropFirst(4)) : $0 }
            }
        }
    }

    private var note: String? { text("edNote", "ednote") }

    private func passes(_ kind: EventKind, urgency: Int?) -> Bool {
        let representation = text("representationType", "representationtype")
        return rules.push.passes(
            kind: kind,
            urgency: urgency,
            type: text("type"),
            isWhole: representation != "incomplete" && representation != "partial"
        )
    }

    // MARK: Times

    /// When the version was made, else what comes near it.
    private var times: [String] {
        ["versionCreated", "versioncreated", "firstCreated", "firstcreated"].compactMap {
            text($0).map(FeedTime.rfc3339)
        }
    }

    /// The latest of those that an item names; one that is broken, or too far away to compare, goes before all.
    private var embargo: String? {
        let embargoes = ["embargoedUntil", "embargoed", "publish_schedule"].compactMap {
            text($0).map(FeedTime.rfc3339)
        }
        if let strange = embargoes.first(where: { Timestamp(rfc3339: $0) == nil }) { return strange }
        return embargoes.max { Timestamp(rfc3339: $0)?.nanoseconds ?? 0 < Timestamp(rfc3339: $1)?.nanoseconds ?? 0 }
    }

    // MARK: Audience

    private var categories: [String] {
        let subjects = item.elements("subjects", "subject").compactMap(subject)
        let places = item.elements("places", "place").compactMap { place in
            place.code.flatMap { SubjectCode.place($0, scheme: place[member: "scheme"]?.string) }
        }
        let services = item.elements("service").compactMap { $0.code.flatMap { SubjectCode.sound("service:\($0)") } }
        return subjects + (flavour == .superdesk ? services : []) + places
    }

    private func subject(_ subject: JSONValue) -> String? {
        guard let code = subject.code else { return nil }
        var scheme = subject[member: "scheme"]?.string
        if flavour == .ap, let rels = subject[member: "rels"]?.array?.compactMap(\.string) {
            guard rels.contains("category") || rels.contains("direct") else { return nil }
            if scheme == nil, rels.contains("category") { scheme = "category" }
        }
        return SubjectCode.category(code, scheme: scheme)
    }

    // MARK: Words

    private var headline: String? {
        if let headline = item[member: "headline"]?.string { return plain(headline) }
        let headlines = item[member: "headlines"]?.array ?? []
        for role in ["push", "short", "main", nil] {
            let found = headlines.first { $0[member: "role"]?.string == role && $0[member: "value"]?.string != nil }
            if let found { return words(found) }
        }
        return headlines.lazy.compactMap { words($0) }.first
    }

    private var summary: String? {
        let name = flavour == .ap ? "headline_extended" : "description_text"
        if let summary = text(name) { return plain(summary) }
        let descriptions = item[member: "descriptions"]?.array ?? []
        let isPlain = { (part: JSONValue) in part.contentType.map { $0 == "text/plain" } ?? true }
        return (descriptions.first { isPlain($0) && $0[member: "value"]?.string != nil } ?? descriptions.first)
            .flatMap { words($0) }
    }

    /// The value of a part; HTML by the newsroom's word or by its own.
    private func words(_ part: JSONValue) -> String? {
        guard let value = part[member: "value"]?.string else { return nil }
        return part.contentType?.contains("html") == true ? HTMLText.plain(value) : plain(value)
    }

    private func plain(_ text: String) -> String { rules.isHTML ? HTMLText.plain(text) : text }

    // MARK: Links

    private func link(story: String, id: String) -> String? {
        let chosen: String? =
            switch rules.link {
            case .alternative(let role): alternative(role)
            case .extra(let name): item[member: "extra"]?[member: name]?.string
            case .link(let relation): link(relation)
            case .pattern(let pattern): LinkRule.fill(pattern, story: story, id: id)
            case nil: nil
            }
        return chosen ?? alternative("web") ?? item[member: "extra"]?[member: "web_url"]?.string ?? link("canonical")
    }

    private func alternative(_ role: String) -> String? {
        guard let ids = item.present("altIds") ?? item.present("altids") else { return nil }
        if let named = ids[member: role]?.string { return named }
        return ids.array?.first { $0[member: "role"]?.string == role }?[member: "value"]?.string
    }

    private func link(_ relation: String) -> String? {
        item[member: "links"]?.array?.first { $0[member: "rel"]?.string == relation }?[member: "href"]?.string
    }

    private static let widest: Int64 = 1024

    /// Of the first picture the widest rendition that suits a phone.
    private var image: String? {
        let pictures = item.elements("associations").filter { $0[member: "type"]?.string == "picture" }
        for picture in pictures {
            let fitting = picture.elements("renditions").filter {
                (1...Self.widest).contains($0[member: "width"]?.int64 ?? 0) && $0[member: "href"]?.string != nil
            }
            let best = fitting.max { ($0[member: "width"]?.int64 ?? 0) < ($1[member: "width"]?.int64 ?? 0) }
            if let best { return best[member: "href"]?.string }
        }
        return nil
    }

    /// The first of some members that is a text and not empty.
    private func text(_ names: String...) -> String? {
        for name in names {
            if let text = item[member: name]?.string, !text.isEmpty { return text }
        }
        return nil
    }
}

extension JSONValue {
    /// The text of a string or number.
    var word: String? { string ?? number?.text }

    /// The elements of the first of some members that is there: of an array in order, of an object its values.
    fileprivate func elements(_ names: String...) -> [JSONValue] {
        for name in names {
            switch self[member: name] {
            case .array(let elements): return elements
            case .object(let members): return members.map(\.value)
            default: continue
            }
        }
        return []
    }

    /// The code of a subject, place or service, in whichever member it stands.
    fileprivate var code: String? {
        if let string { return string }
        for name in ["code", "uri", "literal", "qcode"] {
            if let code = self[member: name]?.word, !code.isEmpty { return code }
        }
        return nil
    }

    fileprivate var contentType: String? { self[member: "contentType"]?.string ?? self[member: "contenttype"]?.string }
}
