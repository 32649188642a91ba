/// How to find whoever is meant without asking everyone.
extension TagExpression {
    /// Tags of which everyone who is meant has at least one, the cheapest such set.
    ///
    /// For `sports && !muted` that is `sports`; for `a || b` both. An index by tag need then look at nobody else.
    ///
    /// - Parameter cost: How many have a tag.
    /// - Returns: Nothing where the expression also means devices with none of its tags, such as `!muted`.
    public func anchors(cost: (Tag) -> Int) -> [Tag]? {
        root.anchors(cost: cost)?.tags
    }
}

extension TagCondition {
    fileprivate func anchors(cost: (Tag) -> Int) -> (tags: [Tag], cost: Int)? {
        switch self {
        case .tag(let tag): return ([tag], cost(tag))
        case .not: return nil
        case .all(let members): return members.compactMap { $0.anchors(cost: cost) }.min { $0.cost < $1.cost }
        case .any(let members):
            var all: (tags: [Tag], cost: Int) = ([], 0)
            for member in members {
                guard let anchors = member.anchors(cost: cost) else { return nil }
                all.tags += anchors.tags
                all.cost += anchors.cost
            }
            return all
        }
    }
}
