import Locks

/// Caches the ways of lists of categories, because a newsroom uses few different lists.
///
/// With a lock, because the publishing thread and the comparison of new rules share a planner.
final class WayCache: Sendable {
    /// The cache is emptied at this number of lists, so that its memory is bounded.
    private static let limit = 1024

    private let known = Locked<[[String]: AudienceRoutes.Way]>([:])

    /// Returns the way of a list of categories, and caches it when it was found for the first time.
    func way(of categories: [String], orFind find: () -> AudienceRoutes.Way) -> AudienceRoutes.Way {
        if let way = known.withLock({ $0[categories] }) { return way }
        let way = find()
        known.withLock { known in
            if known.count >= Self.limit { known = [:] }
            known[categories] = way
        }
        return way
    }
}
