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

    mutating func expression() throws(TagExpressionError) -> TagCondition {
        guard bytes.count <= TagExpression.maximumLength else {
            throw TagExpressionError(
                .tooLong,
                "a tag expression must have at most \(TagExpression.maximumLength) bytes",
                offset: TagExpression.maximumLength
            )
        }
        skipWhiteSpace()
        guard position < bytes.count else {
            throw TagExpressionError(.empty, "a tag expression must have at least one tag", offset: position)
        }
        let condition = try disjunction()
        guard position == bytes.count else {
            let found =
                bytes[position] == UInt8(ascii: ")") ? "this ) has no matching (" : "an operator (&& or ||) is missing"
            throw TagExpressionError(.syntax, found, offset: position)
        }
        return condition
    }

    private mutating func disjunction() throws(TagExpressionError) -> TagCondition {
        let first = try conjunction()
        // Avoids an array for the most frequent expression, a single tag.
        guard try skipOperator(UInt8(ascii: "|")) else { return first }
        var members = [first, try conjunction()]
        while try skipOperator(UInt8(ascii: "|")) { members.append(try conjunction()) }
        return .joined(members, withAnd: false)
    }

    private mutating func conjunction() throws(TagExpressionError) -> TagCondition {
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
    private mutating func negation() throws(TagExpressionError) -> TagCondition {
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

    private mutating func operand() throws(TagExpressionError) -> TagCondition {
        guard position < bytes.count else {
            throw TagExpressionError(.syntax, "a tag is missing at the end", offset: position)
        }
        if bytes[position] == UInt8(ascii: "(") { return try group() }
        let start = position
        while position < bytes.count, !bytes[position].endsTag { position += 1 }
        guard position > start else {
            throw TagExpressionError(.syntax, "expected a tag or (", offset: position)
        }
        let tag = try tag(from: start)
        tagCount += 1
        try checkLimit(at: start)
        return .tag(tag)
    }

    private func tag(from start: Int) throws(TagExpressionError) -> Tag {
        do throws(TagError) {
            return try Tag(String(decoding: bytes[start..<position], as: UTF8.self))
        } catch {
            throw TagExpressionError(.invalidTag, error.message, offset: start + error.offset)
        }
    }

    private mutating func group() throws(TagExpressionError) -> TagCondition {
        let start = position
        depth += 1
        guard depth <= Self.maximumDepth else {
            throw TagExpressionError(.tooDeep, "more than \(Self.maximumDepth) nested parentheses", offset: start)
        }
        position += 1
        let inner = try disjunction()
        guard position < bytes.count, bytes[position] == UInt8(ascii: ")") else {
            let isOpen = position == bytes.count
            throw TagExpressionError(
                .syntax,
                isOpen ? "this ( has no matching )" : "expected an operator (&& or ||) or )",
                offset: isOpen ? start : position
            )
        }
        position += 1
        depth -= 1
        return inner
    }

    /// Skips `&&` or `||` at the current position, if any.
    private mutating func skipOperator(_ character: UInt8) throws(TagExpressionError) -> Bool {
        guard position < bytes.count, bytes[position] == character else { return false }
        guard position + 1 < bytes.count, bytes[position + 1] == character else {
            let sign = UnicodeScalar(character)
            throw TagExpressionError(.syntax, "write \(sign)\(sign), not \(sign)", offset: position)
        }
        position += 2
        return true
    }

    private mutating func leaveOrOnly() throws(TagExpressionError) {
        isOrOnly = false
        try checkLimit(at: position)
    }

    private func checkLimit(at offset: Int) throws(TagExpressionError) {
        let limit = isOrOnly ? TagExpression.maximumTagsWithOrOnly : TagExpression.maximumTagsMixed
        guard tagCount <= limit else {
            throw TagExpressionError.tooManyTags(tagCount, limit: limit, offset: offset)
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
