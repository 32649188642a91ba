import StrictJSON

/// A place of an item for the story that it shares with other items: its translations, or the root of its rewrites.
package enum JoinRule: Sendable, Equatable {
    /// The alternative id of a role: `altids.storyid`.
    case alternative(String)
    /// The uri of the association of a name or relation: `associations.translationOf`.
    case association(String)
    /// Any member: `/extra/root`.
    case pointer(FieldPointer)

    /// Reads a rule as the configuration has it; `nil` if it is not a place of a story.
    package init?(_ text: String) {
        if text.hasPrefix("/") {
            guard let pointer = FieldPointer(text) else { return nil }
            self = .pointer(pointer)
            return
        }
        let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2, !parts[1].isEmpty else { return nil }
        switch parts[0] {
        case "altids": self = .alternative(parts[1])
        case "associations": self = .association(parts[1])
        default: return nil
        }
    }

    /// The story that an item names there; `nil` if it names none.
    func story(of item: JSONValue) -> String? {
        let story: String? =
            switch self {
            case .alternative(let role): item.alternative(role)
            case .association(let name): Self.association(name, in: item)
            case .pointer(let pointer): pointer.values(in: item).first?.word
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
