/// A condition over the tags of a registration, such as `(sports || world) && !muted`.
///
/// Always within the hub's limits: at most ``maximumTagsWithOrOnly`` tags if `||` is the only operator, at most
/// ``maximumTagsMixed`` with `&&` or `!`. Repeated tags count each time. `!` binds tighter than `&&`, and `&&` tighter than
/// `||`. The hub's own precedence is not documented, so ``description`` puts every group of one operator inside another in
/// parentheses.
///
/// ```swift
/// let expression = try TagExpression(parsing: "world && !sports")
/// print(expression.matches([try Tag("world")]))
/// ```
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
    /// - Throws: ``HubValueError`` with the position of the first fault.
    public init(parsing text: some StringProtocol) throws(HubValueError) {
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
    /// - Throws: ``HubValueError`` for an empty list or too many tags.
    public static func any(of tags: some Sequence<Tag>) throws(HubValueError) -> TagExpression {
        try any(ofDistinct: distinct(tags))
    }

    /// Creates an expression that matches at least one of the tags.
    ///
    /// - Parameter distinct: 1 to ``maximumTagsWithOrOnly`` distinct tags.
    /// - Returns: The tags joined with `||`.
    /// - Throws: ``HubValueError`` for an empty list or too many tags.
    package static func any(ofDistinct distinct: [Tag]) throws(HubValueError) -> TagExpression {
        guard !distinct.isEmpty else {
            throw HubValueError(.expressionEmpty, "an audience needs at least one tag", offset: 0)
        }
        guard distinct.count <= maximumTagsWithOrOnly else {
            throw HubValueError.tooManyTags(distinct.count, limit: maximumTagsWithOrOnly, offset: 0)
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
    package func isTrue(where holds: (Tag) -> Bool) -> Bool {
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

/// Finding the addressed devices with an index by tag.
extension TagExpression {
    /// Returns the cheapest set of tags of which every addressed device has at least one.
    ///
    /// For `sports && !muted` that is `sports`; for `a || b` it is both. An index by tag needs to check only these devices.
    ///
    /// - Parameter cost: Returns the number of devices with a tag.
    /// - Returns: The tags; `nil` if the expression also matches devices with none of its tags, as `!muted` does.
    package func anchors(cost: (Tag) -> Int) -> [Tag]? {
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

extension HubValueError {
    static func tooManyTags(_ count: Int, limit: Int, offset: Int) -> HubValueError {
        HubValueError(
            .expressionTooManyTags,
            "the hub accepts at most \(TagExpression.maximumTagsWithOrOnly) tags joined with || only, "
                + "or \(TagExpression.maximumTagsMixed) with && or !; tag \(count) exceeds the limit of \(limit): "
                + "split the audience into several sends",
            offset: offset
        )
    }
}

/// Parses a tag expression by recursive descent, with one function for each precedence.
struct TagExpressionParser {
    /// The limit of the recursion, because the text is untrusted. Six tags never need more.
    private static let maximumDepth = 32

    private let bytes: [UInt8]
    private var position = 0
    private var depth = 0
    private var tagCount = 0
    private var isOrOnly = true

    init(_ text: some StringProtocol) {
        // One byte more than the limit is enough to detect that the text is too long.
        let most = TagExpression.maximumLength + 1
        self.bytes = text.utf8.count > most ? Array(text.utf8.prefix(most)) : Array(text.utf8)
    }

    mutating func expression() throws(HubValueError) -> TagCondition {
        guard bytes.count <= TagExpression.maximumLength else {
            throw HubValueError(
                .expressionTooLong,
                "a tag expression must have at most \(TagExpression.maximumLength) bytes",
                offset: TagExpression.maximumLength
            )
        }
        skipWhiteSpace()
        guard position < bytes.count else {
            throw HubValueError(.expressionEmpty, "a tag expression must have at least one tag", offset: position)
        }
        let condition = try disjunction()
        guard position == bytes.count else {
            let found =
                bytes[position] == UInt8(ascii: ")") ? "this ) has no matching (" : "an operator (&& or ||) is missing"
            throw HubValueError(.expressionSyntax, found, offset: position)
        }
        return condition
    }

    private mutating func disjunction() throws(HubValueError) -> TagCondition {
        let first = try conjunction()
        // Avoids an array for the most frequent expression, a single tag.
        guard try skipOperator(UInt8(ascii: "|")) else { return first }
        var members = [first, try conjunction()]
        while try skipOperator(UInt8(ascii: "|")) { members.append(try conjunction()) }
        return .joined(members, withAnd: false)
    }

    private mutating func conjunction() throws(HubValueError) -> TagCondition {
        let first = try negation()
        guard try skipOperator(UInt8(ascii: "&")) else { return first }
        try leaveOrOnly()
        var members = [first, try negation()]
        while try skipOperator(UInt8(ascii: "&")) {
            try leaveOrOnly()
            members.append(try negation())
        }
        return .joined(members, withAnd: true)
    }

    /// Parses any number of `!`, then a tag or a group. `!` is parsed in a loop, so that only groups count as depth.
    private mutating func negation() throws(HubValueError) -> TagCondition {
        var isNegated = false
        skipWhiteSpace()
        while position < bytes.count, bytes[position] == UInt8(ascii: "!") {
            position += 1
            try leaveOrOnly()
            isNegated.toggle()
            skipWhiteSpace()
        }
        let operand = try operand()
        skipWhiteSpace()
        return isNegated ? operand.negated : operand
    }

    private mutating func operand() throws(HubValueError) -> TagCondition {
        guard position < bytes.count else {
            throw HubValueError(.expressionSyntax, "a tag is missing at the end", offset: position)
        }
        if bytes[position] == UInt8(ascii: "(") { return try group() }
        let start = position
        while position < bytes.count, !bytes[position].endsTag { position += 1 }
        guard position > start else {
            throw HubValueError(.expressionSyntax, "expected a tag or (", offset: position)
        }
        let tag = try tag(from: start)
        tagCount += 1
        try checkLimit(at: start)
        return .tag(tag)
    }

    private func tag(from start: Int) throws(HubValueError) -> Tag {
        do throws(HubValueError) {
            return try Tag(String(decoding: bytes[start..<position], as: UTF8.self))
        } catch {
            throw HubValueError(.expressionInvalidTag, error.message, offset: start + (error.offset ?? 0))
        }
    }

    private mutating func group() throws(HubValueError) -> TagCondition {
        let start = position
        depth += 1
        guard depth <= Self.maximumDepth else {
            throw HubValueError(.expressionTooDeep, "more than \(Self.maximumDepth) nested parentheses", offset: start)
        }
        position += 1
        let inner = try disjunction()
        guard position < bytes.count, bytes[position] == UInt8(ascii: ")") else {
            let isOpen = position == bytes.count
            throw HubValueError(
                .expressionSyntax,
                isOpen ? "this ( has no matching )" : "expected an operator (&& or ||) or )",
                offset: isOpen ? start : position
            )
        }
        position += 1
        depth -= 1
        return inner
    }

    /// Skips `&&` or `||` at the current position, if any.
    private mutating func skipOperator(_ character: UInt8) throws(HubValueError) -> Bool {
        guard position < bytes.count, bytes[position] == character else { return false }
        guard position + 1 < bytes.count, bytes[position + 1] == character else {
            let sign = UnicodeScalar(character)
            throw HubValueError(.expressionSyntax, "write \(sign)\(sign), not \(sign)", offset: position)
        }
        position += 2
        return true
    }

    private mutating func leaveOrOnly() throws(HubValueError) {
        isOrOnly = false
        try checkLimit(at: position)
    }

    private func checkLimit(at offset: Int) throws(HubValueError) {
        let limit = isOrOnly ? TagExpression.maximumTagsWithOrOnly : TagExpression.maximumTagsMixed
        guard tagCount <= limit else {
            throw HubValueError.tooManyTags(tagCount, limit: limit, offset: offset)
        }
    }

    private mutating func skipWhiteSpace() {
        while position < bytes.count, bytes[position].isWhiteSpace { position += 1 }
    }
}

extension UInt8 {
    /// Whether the byte is a blank, a tab, a CR or an LF.
    package var isWhiteSpace: Bool {
        self == UInt8(ascii: " ") || self == UInt8(ascii: "\t") || self == UInt8(ascii: "\r")
            || self == UInt8(ascii: "\n")
    }

    /// Whether the byte ends a tag: white space, an operator or a parenthesis.
    fileprivate var endsTag: Bool {
        switch self {
        case UInt8(ascii: "("), UInt8(ascii: ")"), UInt8(ascii: "!"), UInt8(ascii: "&"), UInt8(ascii: "|"): true
        default: isWhiteSpace
        }
    }
}
