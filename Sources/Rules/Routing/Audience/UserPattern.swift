package import NewsEvents
package import NotificationHubs

/// How the tag of a reader is made of the name that an event gives: `users: "username:{user}"`.
package struct UserPattern: Sendable, Equatable {
    /// The most characters of a name: `maxLength` of the event's schema.
    private static let longestName = 64

    private let before: String
    private let after: String

    /// Reads a pattern.
    ///
    /// - Parameters:
    ///   - text: Characters of tags with `{user}` once, or `$UserId:{user}` for the tag that the hub itself gives the
    ///     installations of a user, whose braces are part of it.
    ///   - path: The key in the configuration.
    /// - Throws: ``RuleProblem``.
    package init(_ text: String, path: String = "send.users") throws(RuleProblem) {
        let pieces = text.split(separator: "{user}", omittingEmptySubsequences: false).map(String.init)
        guard pieces.count == 2, !pieces.joined().contains(where: { $0 == "{" || $0 == "}" }) else {
            throw RuleProblem(path: path, message: "\"\(text)\" must hold {user} once, as in username:{user}")
        }
        let isOfInstallations = text.lowercased() == "$userid:{user}"
        before = isOfInstallations ? pieces[0] + "{" : pieces[0]
        after = isOfInstallations ? "}" : pieces[1]
        do throws(TagError) {
            _ = try tag(String(repeating: "x", count: Self.longestName))
        } catch {
            let what = "\"\(text)\" makes no tag of a name of \(Self.longestName) characters"
            throw RuleProblem(path: path, message: "\(what): \(error.message)")
        }
    }

    /// Makes the tag of a reader.
    ///
    /// - Parameter user: The name.
    /// - Returns: The tag.
    /// - Throws: `TagError` where the name has a character that tags do not have.
    package func tag(_ user: String) throws(TagError) -> Tag { try Tag(before + user + after) }
}
