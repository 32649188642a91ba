package import NewsEvents
package import NotificationHubs

/// Turns readers by name into the fewest tag expressions that the hub takes.
///
/// As ``AudiencePlanner`` does, with `||` only and each tag in one expression. The same readers give the same plan, in
/// whatever order they are named.
package struct UserPlanner: Sendable, Equatable {
    private let pattern: UserPattern
    private let maximumTags: Int

    /// Makes a planner.
    ///
    /// - Parameters:
    ///   - pattern: How tags are made.
    ///   - maximumTags: The most tags in one expression, 1 to 20.
    package init(pattern: UserPattern, maximumTags: Int = TagExpression.maximumTagsWithOrOnly) {
        self.pattern = pattern
        self.maximumTags = min(max(maximumTags, 1), TagExpression.maximumTagsWithOrOnly)
    }

    /// Plans the audiences of the users that an event names.
    ///
    /// - Parameter users: As the event writes them.
    /// - Returns: An expression for each full set of tags.
    /// - Throws: ``RuleProblem`` for a name that makes no tag.
    package func plan(users: [String]) throws(RuleProblem) -> [PlannedAudience] {
        var tags: [Tag] = []
        tags.reserveCapacity(users.count)
        for (index, user) in users.enumerated() {
            do throws(TagError) {
                tags.append(try pattern.tag(user))
            } catch {
                throw RuleProblem(path: "/audience/users/\(index)", message: "makes no tag: \(error.message)")
            }
        }
        return try plan(tags: tags)
    }

    /// Plans the audiences of users who were told before, by the tags that reached them.
    ///
    /// - Parameter tags: Of the users; one that stands several times counts once.
    /// - Returns: An expression for each full set of tags.
    /// - Throws: ``RuleProblem``, which nothing brings about.
    package func plan(tags: [Tag]) throws(RuleProblem) -> [PlannedAudience] {
        let sorted = Set(tags).sorted { $0.description < $1.description }
        var audiences: [PlannedAudience] = []
        for start in stride(from: 0, to: sorted.count, by: maximumTags) {
            do throws(TagExpressionError) {
                let expression = try TagExpression.any(of: sorted[start..<min(start + maximumTags, sorted.count)])
                audiences.append(PlannedAudience(expression: expression, locale: nil, categories: [], isForUsers: true))
            } catch {
                throw RuleProblem(path: "send.users", message: error.message)
            }
        }
        return audiences
    }
}
