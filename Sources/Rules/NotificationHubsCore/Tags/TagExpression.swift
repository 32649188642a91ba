/// Who is meant: a condition over the tags of a registration, such as `(sports || world) && !muted`.
///
/// Cannot exist beyond the hub's limits: at most ``maximumTagsWithOrOnly`` tags where `||` is the only operator, at most
/// ``maximumTagsMixed`` with any `&&` or `!`. A tag counts as often as it stands there. `!` binds closer than `&&`, `&&`
/// closer than `||`. The hub's own precedence is not documented, so ``description`` leaves nothing to it: every group of
/// one operator inside another stands in parentheses.
public struct TagExpression: Hashable, Sendable, CustomStringConvertible {
    /// The most tags of an expression with `||` as its only operator.
    public static let maximumTagsWithOrOnly = 20
    /// The most tags of an expression with `&&` or `!`.
    public static let maximumTagsMixed = 6
    /// The most bytes of an expression's text.
    public static let maximumLength = 8192

    /// The text for the header `ServiceBusNotification-Tags`: one blank around operators, no needless parentheses.
    public var description: String { parts.description }
    /// The tags in it, each once, in the order of their first appearance.
    public var tags: [Tag] { parts.tags }
    var root: TagCondition { parts.root }
    private let parts: Parts

    /// One object, since expressions are handed from hand to hand.
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

    /// Reads an expression.
    ///
    /// - Parameter text: White space between tags and operators is free.
    /// - Throws: ``TagExpressionError`` with the place of the first fault.
    public init(parsing text: some StringProtocol) throws(TagExpressionError) {
        var parser = TagExpressionParser(text)
        self.init(root: try parser.expression())
    }

    /// Makes an expression of one tag.
    ///
    /// - Parameter tag: Who is meant.
    public init(_ tag: Tag) {
        self.init(root: .tag(tag))
    }

    private init(root: TagCondition) {
        var tags: [Tag] = []
        // They are few, since an expression has a limit.
        root.forEachTag { if !tags.contains($0) { tags.append($0) } }
        parts = Parts(root: root, tags: tags)
    }

    /// - Parameter tags: At least one; each once.
    private init(anyOf tags: [Tag]) {
        parts = Parts(root: tags.count == 1 ? .tag(tags[0]) : .any(tags.map { .tag($0) }), tags: tags)
    }

    /// Whoever has at least one of the tags.
    ///
    /// - Parameter tags: At least one and at most ``maximumTagsWithOrOnly`` different ones; repeated ones are dropped.
    /// - Returns: The tags joined with `||`.
    /// - Throws: ``TagExpressionError`` for no tag or too many.
    public static func any(of tags: some Sequence<Tag>) throws(TagExpressionError) -> TagExpression {
        try any(ofDistinct: distinct(tags))
    }

    /// Whoever has at least one of the tags.
    ///
    /// - Parameter distinct: At least one and at most ``maximumTagsWithOrOnly``; each once.
    /// - Returns: The tags joined with `||`.
    /// - Throws: ``TagExpressionError`` for no tag or too many.
    package static func any(ofDistinct distinct: [Tag]) throws(TagExpressionError) -> TagExpression {
        guard !distinct.isEmpty else {
            throw TagExpressionError(.empty, "an audience has at least one tag", offset: 0)
        }
        guard distinct.count <= maximumTagsWithOrOnly else {
            throw TagExpressionError.tooManyTags(distinct.count, limit: maximumTagsWithOrOnly, offset: 0)
        }
        return TagExpression(anyOf: distinct)
    }

    /// Each tag once, in the order of their first appearance.
    private static func distinct(_ tags: some Sequence<Tag>) -> [Tag] {
        var distinct: [Tag] = []
        distinct.reserveCapacity(min(tags.underestimatedCount, maximumTagsWithOrOnly))
        var seen: Set<Tag> = []
        for tag in tags {
            // As few as an expression may have are found sooner by comparing than by hashing.
            if distinct.count < maximumTagsWithOrOnly {
                if !distinct.contains(tag) { distinct.append(tag) }
                continue
            }
            if seen.isEmpty { seen = Set(distinct) }
            if seen.insert(tag).inserted { distinct.append(tag) }
        }
        return distinct
    }

    /// Whether a registration with these tags is meant.
    ///
    /// - Parameter tags: All tags of one registration.
    /// - Returns: The condition's value.
    public func matches(_ tags: Set<Tag>) -> Bool {
        root.isTrue { tags.contains($0) }
    }

    /// The condition's value where the caller says which tags hold, for a comparison of tags other than by text.
    ///
    /// - Parameter holds: Whether a registration has a tag.
    /// - Returns: The condition's value.
    public func isTrue(where holds: (Tag) -> Bool) -> Bool {
        root.isTrue(where: holds)
    }

    /// Two expressions are the same when their text is.
    public static func == (left: TagExpression, right: TagExpression) -> Bool {
        left.parts === right.parts || left.description == right.description
    }

    /// Hashes the text.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(description)
    }
}

/// The tree of an expression; groups hold at least two members, none a group of the same operator.
enum TagCondition: Sendable {
    case tag(Tag)
    indirect case not(TagCondition)
    case all([TagCondition])
    case any([TagCondition])

    /// Joins conditions, taking members of the same operator in.
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

    /// The opposite; two negations cancel each other.
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

    /// The bytes of tags and the signs between them, without those of members that are no tags.
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
