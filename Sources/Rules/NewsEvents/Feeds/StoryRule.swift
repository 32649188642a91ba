import StrictJSON

/// The place of the story of a feed's item, if the story is not the item's name.
package enum StoryRule: Sendable, Equatable {
    /// A place in the item: `/extra/root`.
    case pointer(FieldPointer)
    /// The part of the item's name that a pattern names.
    case pattern(StoryPattern)
    /// The alternative id of a role, which several items share: `altids.storyid`.
    case alternative(String)
    /// The uri of the association of a name or relation: `associations.translationOf`.
    case association(String)

    /// Reads a rule as the configuration has it: a JSON Pointer, `altids.ROLE`, `associations.NAME`, or a pattern such as
    /// `{story}?*`. `nil` for any other text.
    package init?(_ text: String) {
        if text.hasPrefix("/") {
            guard let pointer = FieldPointer(text) else { return nil }
            self = .pointer(pointer)
        } else if let pattern = StoryPattern(text) {
            self = .pattern(pattern)
        } else {
            let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            guard parts.count == 2, !parts[1].isEmpty else { return nil }
            switch parts[0] {
            case "altids": self = .alternative(parts[1])
            case "associations": self = .association(parts[1])
            default: return nil
            }
        }
    }

    /// Whether several items may be on one story by it, each of which counts its versions by itself.
    package var joinsItems: Bool {
        if case .pattern = self { false } else { true }
    }

    /// The member in which it looks; `nil` for the item's name.
    var firstStep: String? {
        switch self {
        case .pointer(let pointer): pointer.firstStep
        case .association: "associations"
        case .alternative: "altids"
        case .pattern: nil
        }
    }

    /// The story of an item.
    ///
    /// - Parameters:
    ///   - item: An object.
    ///   - name: The item's name.
    /// - Returns: `nil` if the item has nothing there, or its name does not fit the pattern.
    func story(of item: JSONValue, named name: String?) -> String? {
        let story: String? =
            switch self {
            case .pointer(let pointer): pointer.values(in: item).lazy.compactMap(\.word).first { !$0.isEmpty }
            case .pattern(let pattern): name.flatMap(pattern.story)
            case .alternative(let role): item.alternative(role)
            case .association(let name): Self.association(name, in: item)
            }
        return story.flatMap { $0.isEmpty ? nil : $0 }
    }

    private static func association(_ name: String, in item: JSONValue) -> String? {
        guard let associations = item.present("associations") else { return nil }
        let named =
            associations[member: name]
            ?? associations.array?.first { association in
                association[member: "name"]?.string == name || association[member: "rel"]?.string == name
            }
        return named?[member: "uri"]?.string ?? named?[member: "guid"]?.string
    }
}

extension JSONValue {
    /// The alternative id of a role, of any generation of ninjs.
    func alternative(_ role: String) -> String? {
        guard let ids = present("altIds") ?? present("altids") else { return nil }
        if let named = ids[member: role]?.string { return named }
        return ids.array?.first { $0[member: "role"]?.string == role }?[member: "value"]?.string
    }
}

/// A text with `{story}` in it, and a `*` at its end if the rest does not matter: `urn:news:{story}:v*` finds `a` in
/// `urn:news:a:v7`.
package struct StoryPattern: Sendable, Equatable {
    private let before: String
    private let after: String
    private let isOpen: Bool

    init?(_ text: String) {
        let mark = "{story}"
        let parts = text.split(separator: mark, omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2, text != mark else { return nil }
        before = parts[0]
        isOpen = parts[1].hasSuffix("*")
        after = isOpen ? String(parts[1].dropLast()) : parts[1]
        guard !before.contains("*"), !after.contains("*") else { return nil }
    }

    /// The story in a name; `nil` if the name does not fit.
    func story(in name: String) -> String? {
        guard name.hasPrefix(before) else { return nil }
        let rest = name.dropFirst(before.count)
        let found: Substring
        if after.isEmpty {
            found = rest
        } else if isOpen {
            guard let end = rest.firstRange(of: after) else { return nil }
            found = rest[..<end.lowerBound]
        } else {
            guard rest.hasSuffix(after) else { return nil }
            found = rest.dropLast(after.count)
        }
        return found.isEmpty ? nil : String(found)
    }
}
