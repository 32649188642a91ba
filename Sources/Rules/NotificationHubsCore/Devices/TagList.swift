/// The tags of one registration, or of one part of an installation, as sent by clients.
package enum TagList {
    /// Decodes tags that are joined with commas, with or without surrounding blanks.
    ///
    /// - Parameters:
    ///   - text: The tags, for example `breaking, world`; blank for no tags.
    ///   - templateName: A template's name to skip if it is not a valid tag: the hub adds it to the tags of an installation in
    ///     its
    ///     responses.
    ///   - path: The position in the document, for errors.
    /// - Returns: Each tag once, in order of first occurrence.
    /// - Throws: ``HubValueError`` for the first invalid tag.
    package static func read(joined text: String, templateName: String?, at path: String) throws(HubValueError) -> [Tag]
    {
        guard !text.trimmed.isEmpty else { return [] }
        let texts = text.split(separator: ",", omittingEmptySubsequences: false).map { String($0.trimmed) }
        let ownTags = texts.filter { $0 != templateName || (try? Tag($0)) != nil }
        return try read(ownTags, at: path)
    }

    /// Decodes tags.
    ///
    /// - Parameters:
    ///   - texts: One tag each.
    ///   - path: The position in the document, for errors.
    /// - Returns: Each tag once, in order of first occurrence.
    /// - Throws: ``HubValueError`` for the first invalid tag.
    package static func read(_ texts: [String], at path: String) throws(HubValueError) -> [Tag] {
        var seen: Set<Tag> = []
        var tags: [Tag] = []
        for text in texts {
            let tag = try tag(text, at: path)
            if seen.insert(tag).inserted { tags.append(tag) }
        }
        return tags
    }

    /// Keeps the tags of a response, also those that break the rules.
    ///
    /// - Parameters:
    ///   - texts: One tag each.
    ///   - templateName: A template's name to skip if it is not a valid tag: the hub adds it to the tags of an installation.
    /// - Returns: Each tag once, in order of first occurrence.
    package static func keep(_ texts: [String], templateName: String? = nil) -> [Tag] {
        var seen: Set<Tag> = []
        return texts.map { Tag(unchecked: $0) }.filter { tag in
            !tag.description.isEmpty && (tag.description != templateName || tag.isValid) && seen.insert(tag).inserted
        }
    }

    /// Decodes one tag.
    ///
    /// - Parameters:
    ///   - text: The whole tag.
    ///   - path: The position in the document, for errors.
    /// - Returns: The tag.
    /// - Throws: ``HubValueError`` with the service's text for an invalid tag (Azure/azure-sdk-for-node#1599).
    package static func tag(_ text: String, at path: String) throws(HubValueError) -> Tag {
        do throws(HubValueError) {
            return try Tag(text)
        } catch {
            let shown = text.prefix(Tag.maximumLength)
            let rule =
                error.code == .tagTooLong
                ? "A tag has at most \(Tag.maximumLength) characters."
                : "Valid tag characters are alphanumeric, _, @, -, ., : and #."
            throw HubValueError(.deviceInvalidTag, "An invalid tag '\(shown)' was supplied. \(rule)", at: path)
        }
    }

    /// Checks tags against the hub's rules: their characters, their number, their total size, and at most one tag of each kind
    /// set by the hub.
    ///
    /// - Parameters:
    ///   - tags: All tags of one registration.
    ///   - path: The position in the document, for errors.
    /// - Throws: ``HubValueError`` for the first limit exceeded.
    package static func check(_ tags: [Tag], at path: String) throws(HubValueError) {
        for invalid in tags where !invalid.isValid { _ = try tag(invalid.description, at: path) }
        // The size is checked before the number, as by the service (MicrosoftDocs/azure-docs#63462).
        let size = tags.reduce(max(tags.count - 1, 0)) { $0 + $1.description.utf8.count }
        guard size <= RegistrationDescription.maximumTagBytes else {
            throw HubValueError(
                .deviceTagsTooLarge,
                "Registration Tags serialized size is more than maximum supported value. "
                    + "Actual Size: '\(size)' and Max Allowed Size: '\(RegistrationDescription.maximumTagBytes)'",
                at: path
            )
        }
        let own = tags.count { !$0.description.hasPrefix("$") }
        guard own <= RegistrationDescription.maximumTags else {
            throw HubValueError(
                .deviceTooManyTags,
                "A registration has at most \(RegistrationDescription.maximumTags) tags, this one has \(own).",
                at: path
            )
        }
        for kind in ["$installationid:", "$userid:"] {
            let ofKind = tags.filter { $0.description.lowercased().hasPrefix(kind) }
            guard let extra = ofKind.dropFirst().first else { continue }
            throw HubValueError(
                .deviceInvalidTag,
                "An invalid tag '\(extra)' was supplied. A registration has at most one tag of this kind.",
                at: path
            )
        }
    }
}

extension StringProtocol {
    /// The text without leading and trailing white space of XML and JSON.
    package var trimmed: SubSequence {
        let isBlank = { (character: Character) in character.utf8.allSatisfy(\.isWhiteSpace) }
        var rest = self[...]
        while let first = rest.first, isBlank(first) { rest.removeFirst() }
        while let last = rest.last, isBlank(last) { rest.removeLast() }
        return rest
    }
}
