/// A condition over the tags of a registration, such as `(sports || world) && !muted`.
///
/// Always within the hub's limits: at most ``maximumTagsWithOrOnly`` tags if `||` is the only operator, at most
/// ``maximumTagsMixed`` with `&&` or `!`. Repeated tags count each time. `!` binds tighter than `&&`, and `&&` tighter than
/// `||`. The hub's own precedence is not documented, so ``description`` puts every group of one operator inside another in
/// parentheses.
public struct TagExpression: Hashable, Sendable, CustomStringConvertible {
    /// The maximum number of tags in an expression with `||` as its only operator.
    public static let maximumTagsWithOrOnly = 20
    /// The maximum number of tags in an expression with `&&` or `!`.
    public static let maximumTagsMixed = 6
    /// The maximum size of an expression's text in bytes.
    public static let maximumLength = 8192

    /// The text for the header `ServiceBusNotification-Tags`: one blank around binary operators, no unnecessary parentheses.
    public var description: String { parts.description }
    /// The tags, each once, in order of first occurrence.
    public var tags: [Tag] { parts.tags }
    var root: TagCondition { parts.root }
    private let parts: Parts

    /// A single object, because expressions are copied often.
    private final class Parts: Sendable {
        let description: String
        let tags: [Tag]
        let root: TagCondition

        init(root: TagCondition, tags: [Tag]) {
            self.description = root.text
            self.tags = tags
            self.root = root
        }
    }

    /// Parses an expression.
    ///
    /// - Parameter text: The expression; white space between tags and operators is ignored.
    /// - Throws: ``TagExpressionError`` with the position of the first fault.
    public init(parsing text: some StringProtocol) throws(TagExpressionError) {
        var parser = TagExpressionParser(text)
        self.init(root: try parser.expression())
    }

    /// Creates an expression with one tag.
    ///
    /// - Parameter tag: The tag.
    public init(_ tag: Tag) {
        self.init(root: .tag(tag))
    }

    private init(root: TagCondition) {
        var tags: [Tag] = []
        // A linear search suffices, because an expression has few tags.
        root.forEachTag { if !tags.contains($0) { tags.append($0) } }
        parts = Parts(root: root, tags: tags)
    }

    /// - Parameter tags: Distinct tags, at least one.
    private init(anyOf tags: [Tag]) {
        parts = Parts(root: tags.count == 1 ? .tag(tags[0]) : .any(tags.map { .tag($0) }), tags: tags)
    }

    /// Creates an expression that matches at least one of the tags.
    ///
    /// - Parameter tags: 1 to ``maximumTagsWithOrOnly`` different tags; duplicates are ignored.
    /// - Returns: The tags joined with `||`.
    /// - Throws: ``TagExpressionError`` if there are no tags or too many.
    public static func any(of tags: some Sequence<Tag>) throws(TagExpressionError) -> TagExpression {
        try any(ofDistinct: distinct(tags))
    }

    /// Creates an expression that matches at least one of the tags.
    ///
    /// - Parameter distinct: 1 to ``maximumTagsWithOrOnly`` distinct tags.
    /// - Returns: The tags joined with `||`.
    /// - Throws: ``TagExpressionError`` if there are no tags or too many.
    package static func any(ofDistinct distinct: [Tag]) throws(TagExpressionError) -> TagExpression {
        guard !distinct.isEmpty else {
            throw TagExpressionError(.empty, "an audience needs at least one tag", offset: 0)
        }
        guard distinct.count <= maximumTagsWithOrOnly else {
            throw TagExpressionError.tooManyTags(distinct.count, limit: maximumTagsWithOrOnly, offset: 0)
        }
        return TagExpression(anyOf: distinct)
    }

    /// Returns the tags without duplicates, in order of first occurrence.
    private static func distinct(_ tags: some Sequence<Tag>) -> [Tag] {
        var distinct: [Tag] = []
        distinct.reserveCapacity(min(tags.underestimatedCount, maximumTagsWithOrOnly))
        var seen: Set<Tag> = []
        for tag in tags {
            // Up to the maximum of an expression, comparing is faster than hashing.
            if distinct.count < maximumTagsWithOrOnly {
                if !distinct.contains(tag) { distinct.append(tag) }
                continue
            }
            if seen.isEmpty { seen = Set(distinct) }
            if seen.insert(tag).inserted { distinct.append(tag) }
        }
        return distinct
    }

    /// Whether the expression matches a registration with these tags.
    ///
    /// - Parameter tags: All tags of one registration.
    /// - Returns: The value of the condition.
    public func matches(_ tags: Set<Tag>) -> Bool {
        root.isTrue { tags.contains($0) }
    }

    /// Evaluates the condition with the caller's own test of a tag, for example one that ignores case.
    ///
    /// - Parameter holds: Whether a registration has a tag.
    /// - Returns: The value of the condition.
    public func isTrue(where holds: (Tag) -> Bool) -> Bool {
        root.isTrue(where: holds)
    }

    /// Compares the texts.
    public static func == (left: TagExpression, right: TagExpression) -> Bool {
        left.parts === right.parts || left.description == right.description
    }

    /// Hashes the text.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(description)
    }
}

/// The tree of an expression. A group has at least two members, none of which is a group of the same operator.
enum TagCondition: Sendable {
    case tag(Tag)
    indirect case not(TagCondition)
    case all([TagCondition])
    case any([TagCondition])

    /// Joins conditions; members with the same operator are merged into the result.
    static func joined(_ members: [TagCondition], withAnd isAnd: Bool) -> TagCondition {
        if members.count == 1 { return members[0] }
        var flat: [TagCondition] = []
        flat.reserveCapacity(members.count)
        for member in members {
            switch member {
            case .all(let inner) where isAnd: flat += inner
            case .any(let inner) where !isAnd: flat += inner
            default: flat.append(member)
            }
        }
        return isAnd ? .all(flat) : .any(flat)
    }

    /// The negated condition; a double negation is removed.
    var negated: TagCondition {
        if case .not(let inner) = self { inner } else { .not(self) }
    }

    func isTrue(where holds: (Tag) -> Bool) -> Bool {
        switch self {
        case .tag(let tag): holds(tag)
        case .not(let inner): !inner.isTrue(where: holds)
        case .all(let members): members.allSatisfy { $0.isTrue(where: holds) }
        case .any(let members): members.contains { $0.isTrue(where: holds) }
        }
    }

    func forEachTag(_ body: (Tag) -> Void) {
        switch self {
        case .tag(let tag): body(tag)
        case .not(let inner): inner.forEachTag(body)
        case .all(let members), .any(let members): for member in members { member.forEachTag(body) }
        }
    }

    var text: String {
        if case .tag(let tag) = self { return tag.description }
        var text = ""
        if case .any(let members) = self { text.reserveCapacity(Self.length(of: members)) }
        write(to: &text)
        return text
    }

    /// The size in bytes of tags and operators, without members that are not tags.
    private static func length(of members: [TagCondition]) -> Int {
        members.reduce(0) { length, member in
            if case .tag(let tag) = member { length + tag.description.utf8.count + 4 } else { length }
        }
    }

    private func write(to text: inout String) {
        switch self {
        case .tag(let tag): text += tag.description
        case .not(let inner):
            text += "!"
            inner.writeAsMember(to: &text)
        case .all(let members): Self.write(members, joinedBy: " && ", to: &text)
        case .any(let members): Self.write(members, joinedBy: " || ", to: &text)
        }
    }

    private static func write(_ members: [TagCondition], joinedBy sign: String, to text: inout String) {
        for (place, member) in members.enumerated() {
            if place > 0 { text += sign }
            member.writeAsMember(to: &text)
        }
    }

    private func writeAsMember(to text: inout String) {
        switch self {
        case .tag, .not: write(to: &text)
        case .all, .any:
            text += "("
            write(to: &text)
            text += ")"
        }
    }
}
