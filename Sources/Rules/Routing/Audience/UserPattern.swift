package import NewsEvents
package import NotificationHubs

/// The pattern of users' tags: `users: "username:{user}"`.
package struct UserPattern: Sendable, Equatable {
    /// The maximum length of a name in characters: `maxLength` of the event's schema.
    private static let longestName = 64

    private let before: String
    private let after: String

    /// Parses a pattern.
    ///
    /// - Parameters:
    ///   - text: Characters of tags with `{user}` once, or `$UserId:{user}` for the tag that the hub itself gives the
    ///     installations of a user; the braces are part of that tag.
    ///   - path: The key in the configuration.
    /// - Throws: ``ValidationProblem`` if the pattern is invalid.
    package init(_ text: String, path: String = "send.users") throws(ValidationProblem) {
        let pieces = text.split(separator: "{user}", omittingEmptySubsequences: false).map(String.init)
        guard pieces.count == 2, !pieces.joined().contains(where: { $0 == "{" || $0 == "}" }) else {
            throw ValidationProblem(path: path, message: "\"\(text)\" must contain {user} once, as in username:{user}")
        }
        let isOfInstallations = text.lowercased() == "$userid:{user}"
        before = isOfInstallations ? pieces[0] + "{" : pieces[0]
        after = isOfInstallations ? "}" : pieces[1]
        do throws(TagError) {
            _ = try tag(String(repeating: "x", count: Self.longestName))
        } catch {
            let what = "\"\(text)\" makes an invalid tag of a name of \(Self.longestName) characters"
            throw ValidationProblem(path: path, message: "\(what): \(error.message)")
        }
    }

    /// Makes the tag of a user.
    ///
    /// - Parameter user: The name.
    /// - Returns: The tag.
    /// - Throws: `TagError` if the name has a character that is not allowed in tags.
    package func tag(_ user: String) throws(TagError) -> Tag { try Tag(before + user + after) }
}
