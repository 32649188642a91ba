import StrictJSON

/// The place of the story of a feed's item, if the story is not the item's name.
package enum StoryRule: Sendable, Equatable {
    /// A place in the item.
    case pointer(FieldPointer)
    /// The part of the item's name that a pattern names.
    case pattern(StoryPattern)

    /// Reads a rule as the configuration has it: a JSON Pointer such as `/altids/itemid`, or a pattern such as `{story}?*`.
    package init?(_ text: String) {
        if text.hasPrefix("/") {
            guard let pointer = FieldPointer(text) else { return nil }
            self = .pointer(pointer)
        } else {
            guard let pattern = StoryPattern(text) else { return nil }
            self = .pattern(pattern)
        }
    }

    /// The story of an item.
    ///
    /// - Parameters:
    ///   - item: An object.
    ///   - name: The item's name.
    /// - Returns: `nil` if the item has nothing there, or its name does not fit the pattern.
    func story(of item: JSONValue, named name: String?) -> String? {
        switch self {
        case .pointer(let pointer): pointer.values(in: item).compactMap(\.word).first { !$0.isEmpty }
        case .pattern(let pattern): name.flatMap(pattern.story)
        }
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
