import NewsflashBasics
import NewsflashStrictJSON

/// The place of the story of a feed's item, if the story is not the item's name.
package enum StoryRule: Sendable, Equatable {
    /// A place in the item: `/extra/root`.
    case pointer(FieldPointer)
    /// The part of the item's name at `{story}` in a pattern.
    case pattern(StoryPattern)
    /// The alternative id with a role, which several items share: `altids.storyid`.
    case alternative(String)
    /// The uri of the association with a name or relation: `associations.translationOf`.
    case association(String)

    /// Reads a rule of the configuration: a JSON Pointer, `altids.ROLE`, `associations.NAME`, or a pattern such as
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

    /// Whether the rule may put several items with independent version numbers into one story.
    package var joinsItems: Bool {
        if case .pattern = self { false } else { true }
    }

    /// The paths that the rule reads, as steps; empty for the item's name.
    var places: [[String]] {
        switch self {
        case .pointer(let pointer): [pointer.names]
        case .association: ["uri", "guid", "name", "rel"].map { ["associations", "*", $0] }
        case .alternative: [["altids"], ["altid"]]
        case .pattern: []
        }
    }

    /// The path of the story, for a fault.
    var place: String {
        switch self {
        case .pointer(let pointer): pointer.text
        case .association(let name): "/associations/\(name)"
        case .alternative(let role): "/altids/\(role)"
        case .pattern: "/uri"
        }
    }

    /// Whether the item has a value there that is not a name, so that its story is unknown.
    func isUnreadable(in item: JSONValue) -> Bool {
        switch self {
        case .pointer(let pointer):
            var isUnreadable = false
            for finding in pointer.findings(in: item, isOfEach: false) {
                guard case .value(let value) = finding else {
                    isUnreadable = true
                    continue
                }
                if value.storyName != nil { return false }
                isUnreadable = isUnreadable || value.isUnreadableName
            }
            return isUnreadable
        case .alternative(let role):
            return item.alternative(role) == nil && item.alternatives(role).contains(where: \.isUnreadableName)
        case .association(let name):
            guard let association = Self.associated(name, in: item) else { return false }
            return association.storyName == nil && association.isUnreadableName
        case .pattern: return false
        }
    }

    /// The story of an item.
    ///
    /// - Parameters:
    ///   - item: An object.
    ///   - name: The item's name.
    /// - Returns: `nil` if the item has no value there, or its name does not match the pattern.
    func story(of item: JSONValue, named name: String?) -> String? {
        let story: String? =
            switch self {
            case .pointer(let pointer):
                pointer.findings(in: item, isOfEach: false).lazy.compactMap { finding in
                    if case .value(let value) = finding { value.storyName } else { nil }
                }.first
            case .pattern(let pattern): name.flatMap(pattern.story)
            case .alternative(let role): item.alternative(role)
            case .association(let name): Self.associated(name, in: item)?.storyName
            }
        return story.flatMap { $0.isEmpty ? nil : $0 }
    }

    private static func associated(_ name: String, in item: JSONValue) -> JSONValue? {
        guard let associations = item.present(anyCase: "associations") else { return nil }
        let wanted = name.lowercased()
        return associations.present(anyCase: name)
            ?? associations.array?.first { association in
                ["name", "rel"].contains { association.present(anyCase: $0)?.string?.lowercased() == wanted }
            }
    }
}

extension JSONValue {
    /// The alternative id with a role, in any generation of ninjs.
    func alternative(_ role: String) -> String? { alternatives(role).lazy.compactMap(\.storyName).first }

    /// The values of the alternative ids with a role, from all spellings of the member: `altids`, `altIds`, and `altid` of
    /// IPTC's guide, in any case.
    func alternatives(_ role: String) -> [JSONValue] {
        let wanted = role.lowercased()
        return (object ?? []).filter { ["altids", "altid"].contains($0.name.lowercasedASCII) }.flatMap { member in
            let listed = member.value.array?.filter { $0.present(anyCase: "role")?.string?.lowercased() == wanted }
                .compactMap { $0.present(anyCase: "value") }
            return [member.value.present(anyCase: role)].compactMap(\.self) + (listed ?? [])
        }
    }

    /// The name of a story in a value: a text or number, the `uri`, `guid` or `id` of an object, or the only element of an
    /// array.
    var storyName: String? {
        if let word { return word.isEmpty ? nil : word }
        if let element = array?.first, array?.count == 1, element.array == nil { return element.storyName }
        return ["uri", "guid", "id"].lazy.compactMap { present(anyCase: $0)?.word }.first { !$0.isEmpty }
    }

    /// Whether a value is neither empty nor a name of a story.
    var isUnreadableName: Bool {
        switch self {
        case .null, .string(""), .array([]), .object([]): false
        default: storyName == nil
        }
    }
}

/// A pattern that contains `{story}`, and ends with `*` if the rest may be anything: `urn:news:{story}:v*` finds `a` in
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

    /// The story in a name; `nil` if the name does not match.
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
