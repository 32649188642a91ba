/// Finding the addressed devices with an index by tag.
extension TagExpression {
    /// Returns the cheapest set of tags of which every addressed device has at least one.
    ///
    /// For `sports && !muted` that is `sports`; for `a || b` it is both. An index by tag needs to check only these devices.
    ///
    /// - Parameter cost: Returns the number of devices with a tag.
    /// - Returns: The tags; `nil` if the expression also matches devices with none of its tags, as `!muted` does.
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
