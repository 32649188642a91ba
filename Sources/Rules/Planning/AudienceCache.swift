import NewsflashBasics

/// Caches the audiences of lists of categories, because a newsroom uses few different lists.
///
/// With a lock, because the publishing thread and the comparison of new rules share a planner.
final class AudienceCache: Sendable {
    /// The cache is emptied at this number of lists, so that its memory is bounded.
    private static let limit = 1024

    private let known = Locked<[[String]: AudienceFinder.Result]>([:])

    /// Returns the audiences of a list of categories, and caches them when they were found for the first time.
    func audiences(of categories: [String], orFind find: () -> AudienceFinder.Result) -> AudienceFinder.Result {
        if let result = known.withLock({ $0[categories] }) { return result }
        let result = find()
        known.withLock { known in
            if known.count >= Self.limit { known = [:] }
            known[categories] = result
        }
        return result
    }
}
