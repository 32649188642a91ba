/// The violations that keep a document from being an event, in the order of the schema.
struct SchemaViolations {
    /// The maximum number of violations that are described; the others are only counted.
    private static let mostKept = 12
    private static let longestDetail = 1024
    private static let roomForCount = 24

    private var kept: [(pointer: String, complaint: String)] = []
    private var count = 0
    /// The members of the document in which there is a violation.
    private(set) var members: Set<String> = []

    var isEmpty: Bool { count == 0 }

    /// Records a violation.
    ///
    /// - Parameters:
    ///   - pointer: The path as a JSON Pointer; empty for the document.
    ///   - complaint: The violation; must not quote text of news.
    mutating func add(_ pointer: String, _ complaint: String) {
        count += 1
        members.insert(Self.member(of: pointer))
        guard kept.count < Self.mostKept else { return }
        kept.append((pointer, complaint))
    }

    /// The violations in one member.
    func of(_ member: String) -> SchemaViolations {
        var violations = SchemaViolations()
        for (pointer, complaint) in kept where Self.member(of: pointer) == member { violations.add(pointer, complaint) }
        return violations
    }

    /// Appends the violations of another list.
    mutating func add(_ others: SchemaViolations) {
        for (pointer, complaint) in others.kept { add(pointer, complaint) }
        count += others.count - others.kept.count
        members.formUnion(others.members)
    }

    /// The first violations joined by `; `, at most 1,024 bytes, with the number of those left out.
    ///
    /// - Parameter origins: The paths in a feed's item from which each member of the event was made; its author must fix the
    ///   item.
    /// - Returns: The violations as one text.
    func detail(from origins: [String: [String]] = [:]) -> String {
        var result = ""
        var shown = 0
        for (pointer, complaint) in kept {
            let origin = origins[Self.member(of: pointer)].map { " (read from \($0.joined(separator: " or ")))" } ?? ""
            let violation = "\(pointer.isEmpty ? "the document" : pointer): \(complaint)\(origin)"
            let separator = result.isEmpty ? "" : "; "
            let length = result.utf8.count + separator.utf8.count + violation.utf8.count
            guard length <= Self.longestDetail - Self.roomForCount else { break }
            result += separator + violation
            shown += 1
        }
        return shown < count ? "\(result); and \(count - shown) more" : result
    }

    private static func member(of pointer: String) -> String {
        String(pointer.dropFirst().prefix { $0 != "/" })
    }
}
