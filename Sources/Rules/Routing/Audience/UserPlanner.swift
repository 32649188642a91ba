package import NewsflashEvents
package import NotificationHubs

/// Turns users into the fewest tag expressions that the hub accepts.
///
/// Like ``AudiencePlanner``, it uses only `||` and puts each tag into one expression. The same users give the same plan, in any
/// order.
package struct UserPlanner: Sendable, Equatable {
    private let pattern: UserPattern
    private let maximumTags: Int

    /// Creates a planner.
    ///
    /// - Parameters:
    ///   - pattern: The pattern of tags.
    ///   - maximumTags: The maximum number of tags in one expression, 1 to 20.
    package init(pattern: UserPattern, maximumTags: Int = TagExpression.maximumTagsWithOrOnly) {
        self.pattern = pattern
        self.maximumTags = min(max(maximumTags, 1), TagExpression.maximumTagsWithOrOnly)
    }

    /// Plans the audiences of the users that an event names.
    ///
    /// - Parameter users: The users as in the event.
    /// - Returns: An expression for each full set of tags.
    /// - Throws: ``ValidationProblem`` for a name without a valid tag.
    package func plan(users: [String]) throws(ValidationProblem) -> [PlannedAudience] {
        var tags: [Tag] = []
        tags.reserveCapacity(users.count)
        for (index, user) in users.enumerated() {
            do throws(HubValueError) {
                tags.append(try pattern.tag(user))
            } catch {
                throw ValidationProblem(
                    path: "/audience/users/\(index)",
                    message: "makes an invalid tag: \(error.message)"
                )
            }
        }
        return try plan(tags: tags)
    }

    /// Plans the audiences of users who were notified before, by the tags that reached them.
    ///
    /// - Parameter tags: The tags of the users; duplicates count once.
    /// - Returns: An expression for each full set of tags.
    /// - Throws: ``ValidationProblem``, which cannot happen with valid tags.
    package func plan(tags: [Tag]) throws(ValidationProblem) -> [PlannedAudience] {
        let sorted = Set(tags).sorted { $0.description < $1.description }
        var audiences: [PlannedAudience] = []
        for start in stride(from: 0, to: sorted.count, by: maximumTags) {
            do throws(HubValueError) {
                let expression = try TagExpression.any(of: sorted[start..<min(start + maximumTags, sorted.count)])
                audiences.append(PlannedAudience(expression: expression, locale: nil, categories: [], isForUsers: true))
            } catch {
                throw ValidationProblem(path: "send.users", message: error.message)
            }
        }
        return audiences
    }
}

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
        do throws(HubValueError) {
            _ = try tag(String(repeating: "x", count: Self.longestName))
        } catch {
            let what = "\"\(text)\" makes an invalid tag of a name of \(Self.longestName) characters"
            throw ValidationProblem(path: path, message: "\(what): \(error.message)")
        }
    }

    /// Makes the tag of a user.
    ///
    /// - Returns: The tag.
    /// - Throws: `HubValueError` if the name has a character that is not allowed in tags.
    package func tag(_ user: String) throws(HubValueError) -> Tag { try Tag(before + user + after) }
}
