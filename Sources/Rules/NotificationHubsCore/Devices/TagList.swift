/// The tags of one registration, or of one part of an installation, as clients write them.
package enum TagList {
    /// Reads tags that are joined with commas, with blanks around them or without.
    ///
    /// - Parameters:
    ///   - text: Such as `breaking, world`; blank for no tags.
    ///   - templateName: Left out where it stands among the tags: the hub adds it to what it shows of an installation, and
    ///     it need not be a tag.
    ///   - path: Where the text stands.
    /// - Returns: Each tag once, in the order of their first appearance.
    /// - Throws: The first text that is no tag.
    package static func read(joined text: String, templateName: String?, at path: String) throws(DeviceError) -> [Tag] {
        guard !text.trimmed.isEmpty else { return [] }
        let texts = text.split(separator: ",", omittingEmptySubsequences: false).map { String($0.trimmed) }
        let ownTags = texts.filter { $0 != templateName || (try? Tag($0)) != nil }
        return try read(ownTags, at: path)
    }

    /// Reads tags.
    ///
    /// - Parameters:
    ///   - texts: One tag each.
    ///   - path: Where they stand.
    /// - Returns: Each tag once, in the order of their first appearance.
    /// - Throws: The first text that is no tag.
    package static func read(_ texts: [String], at path: String) throws(DeviceError) -> [Tag] {
        var seen: Set<Tag> = []
        var tags: [Tag] = []
        for text in texts {
            let tag = try tag(text, at: path)
            if seen.insert(tag).inserted { tags.append(tag) }
        }
        return tags
    }

    /// Reads one tag.
    ///
    /// - Parameters:
    ///   - text: The whole tag.
    ///   - path: Where it stands.
    /// - Returns: The tag.
    /// - Throws: The service's words for a wrong tag (Azure/azure-sdk-for-node#1599).
    package static func tag(_ text: String, at path: String) throws(DeviceError) -> Tag {
        do throws(TagError) {
            return try Tag(text)
        } catch {
            let shown = text.prefix(Tag.maximumLength)
            let rule =
                error.code == .tooLong
                ? "A tag has at most \(Tag.maximumLength) characters."
                : "Valid tag characters are alphanumeric, _, @, -, ., : and #."
            throw DeviceError(.invalidTag, "An invalid tag '\(shown)' was supplied. \(rule)", at: path)
        }
    }

    /// Holds tags to the hub's limits: their number, their bytes, and one tag of each kind that the hub itself gives.
    ///
    /// - Parameters:
    ///   - tags: All tags of one registration.
    ///   - path: Where they stand.
    /// - Throws: The first limit that is broken.
    package static func check(_ tags: [Tag], at path: String) throws(DeviceError) {
        // The size goes first: users of the service met it before the number of tags (MicrosoftDocs/azure-docs#63462).
        let size = tags.reduce(max(tags.count - 1, 0)) { $0 + $1.description.utf8.count }
        guard size <= RegistrationDescription.maximumTagBytes else {
            throw DeviceError(
                .tagsTooLarge,
                "Registration Tags serialized size is more than maximum supported value. "
                    + "Actual Size: '\(size)' and Max Allowed Size: '\(RegistrationDescription.maximumTagBytes)'",
                at: path
            )
        }
        let own = tags.count { !$0.description.hasPrefix("$") }
        guard own <= RegistrationDescription.maximumTags else {
            throw DeviceError(
                .tooManyTags,
                "A registration has at most \(RegistrationDescription.maximumTags) tags, this one has \(own).",
                at: path
            )
        }
        for kind in ["$installationid:", "$userid:"] {
            let ofKind = tags.filter { $0.description.lowercased().hasPrefix(kind) }
            guard let extra = ofKind.dropFirst().first else { continue }
            throw DeviceError(
                .invalidTag,
                "An invalid tag '\(extra)' was supplied. A registration has at most one tag of this kind.",
                at: path
            )
        }
    }
}

extension StringProtocol {
    /// Without white space of XML and JSON at its ends.
    package var trimmed: SubSequence {
        let isBlank = { (character: Character) in character.utf8.allSatisfy(\.isWhiteSpace) }
        var rest = self[...]
        while let first = rest.first, isBlank(first) { rest.removeFirst() }
        while let last = rest.last, isBlank(last) { rest.removeLast() }
        return rest
    }
}
