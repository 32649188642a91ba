import NotificationHubs

/// Tag expressions that stand in many records, each kept once and named by a small number.
///
/// They are kept as they were parsed, since a story that is looked up has one for each request it was told by. Bounded as a
/// ``StringPool`` is.
struct ExpressionPool: Sendable {
    private let byteLimit: Int
    private var texts: StringPool
    /// By the numbers of their texts.
    private var expressions: [TagExpression] = []
    /// What the expressions themselves take, about.
    private var heapCount = 0

    init(byteLimit: Int) {
        self.byteLimit = byteLimit
        texts = StringPool(byteLimit: byteLimit)
    }

    /// What is allocated.
    var byteCount: Int {
        texts.byteCount + expressions.capacity * MemoryLayout<TagExpression>.stride + heapCount
    }

    /// An expression by its number.
    subscript(number: Int) -> TagExpression { expressions[number] }

    /// The number of an expression that was taken.
    ///
    /// - Parameter text: As its description has it.
    /// - Returns: Nil where it was not taken.
    func number(of text: Span<UInt8>) -> Int? { texts.number(of: text) }

    /// The number of an expression, which is taken where it is new and there is room.
    ///
    /// - Parameters:
    ///   - expression: Any.
    ///   - text: Its description.
    /// - Returns: Nil where there is no room.
    mutating func take(_ expression: TagExpression, _ text: Span<UInt8>) -> Int? {
        if let number = texts.number(of: text) { return number }
        // An object with its text and tags, a node of the tree for each tag, and lists of both.
        let size = 256 + text.count * 2 + expression.tags.count * 120
        guard byteCount + size <= byteLimit, let number = texts.take(text) else { return nil }
        expressions.append(expression)
        heapCount += size
        return number
    }
}
