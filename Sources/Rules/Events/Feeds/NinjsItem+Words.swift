import NewsflashBasics
import NewsflashStrictJSON

/// The text of an item.
extension NinjsItem {
    /// The headline: from the places that the newsroom configures, otherwise from `headline`, `headlines`, `headline_…`,
    /// `title`, and finally the description. The first one with words counts; `nil` if none has words.
    var headline: String? {
        let found =
            rules.headline.lazy.compactMap { pointer in
                best(of: pointer.values(in: item).flatMap { parts(of: $0, pointer.lastStep) })
            }.first
            ?? best(of: item.present("headline").map { parts(of: $0, "") } ?? [])
            ?? best(of: item.present("headlines").map { parts(of: $0, "") } ?? [])
            ?? best(of: named("headline_", besides: Self.longHeadlines))
            ?? best(of: ["title", "headline_extended"].flatMap { item.present($0).map { parts(of: $0, "") } ?? [] })
            ?? description(best(of:))
        return found.map(cut)
    }

    /// The summary, unless it is used as the headline.
    var summary: String? {
        let name = flavour == .ap ? "headline_extended" : "description_text"
        let summary =
            text(name).map(plain) ?? description { parts in (parts.first(where: \.isPlain) ?? parts.first).map(words) }
        return summary.flatMap { cut($0) == headline ? nil : $0 }
    }

    /// Whether the item has any text that could be pushed if the newsroom configured its place; otherwise there is nothing to
    /// notify subscribers of.
    var hasText: Bool {
        headline != nil
            || (item.object ?? []).contains { member in
                guard member.name.hasPrefix("body") || member.name == "bodies" else { return false }
                return parts(of: member.value, "").contains { !$0.value.isBlank }
            }
    }

    // MARK: Parts

    /// One of several texts of a member.
    private struct Part {
        var role: String
        var isHTML: Bool
        var isPlain: Bool
        var value: String
    }

    /// Roles of headlines for a push, best first.
    private static let roles = ["push", "short", "main", ""]
    private static let longHeadlines = ["headline_extended"]

    /// The texts of a member: a text, a part with a value, a list of these, or an object of texts by role.
    private func parts(of value: JSONValue, _ role: String) -> [Part] {
        switch value {
        case .string(let text):
            let isHTML = ["html", "xhtml"].contains { role.hasSuffix($0) }
            return [Part(role: role, isHTML: isHTML, isPlain: !isHTML, value: text)]
        case .array(let elements):
            return elements.flatMap { element in
                let isPart = element.string != nil || element[member: "value"]?.string != nil
                return isPart ? parts(of: element, "") : []
            }
        case .object(let members):
            guard let text = value[member: "value"]?.string else {
                guard role.isEmpty, value[member: "value"] == nil, value[member: "role"] == nil else { return [] }
                return members.flatMap { $0.value.string == nil ? [] : parts(of: $0.value, $0.name.lowercasedASCII) }
            }
            let type = value.mediaType
            return [
                Part(
                    role: value[member: "role"]?.string?.lowercasedASCII ?? "",
                    isHTML: type?.contains("html") ?? false,
                    isPlain: type.map { $0 == "text/plain" } ?? true,
                    value: text
                )
            ]
        case .null, .bool, .number:
            return []
        }
    }

    /// The texts of members with the same prefix; the rest of the name is the role.
    private func named(_ prefix: String, besides others: [String] = []) -> [Part] {
        (item.object ?? []).flatMap { member in
            guard member.name.hasPrefix(prefix), !others.contains(member.name) else { return [Part]() }
            return parts(of: member.value, String(member.name.dropFirst(prefix.count)).lowercasedASCII)
        }
    }

    /// The words of the part with the best role for a push; `nil` if none has words.
    private func best(of parts: [Part]) -> String? {
        let parts = parts.filter { !$0.value.isBlank }
        for role in Self.roles {
            if let part = parts.first(where: { $0.role == role }) { return words(part) }
        }
        return parts.first.map(words)
    }

    private func description(_ choose: ([Part]) -> String?) -> String? {
        let list = item.present("descriptions").map { parts(of: $0, "") } ?? []
        let named = list.isEmpty ? named("description_") : list
        return choose(named.filter { !$0.value.isBlank })
    }

    /// The plain text of a part, which is HTML if the newsroom or the part declares it.
    private func words(_ part: Part) -> String { part.isHTML ? HTMLText.plain(part.value) : plain(part.value) }

    private func plain(_ text: String) -> String { rules.isHTML ? HTMLText.plain(text) : text }

    /// Cuts a text to the maximum length in an event.
    private func cut(_ text: String) -> String { text.cut(to: EventSchemaReader.longestHeadline) }
}

extension String {
    /// Whether it contains only white space.
    fileprivate var isBlank: Bool { !unicodeScalars.contains { !$0.properties.isWhitespace } }
}
