import NewsflashStrictJSON
import NewsflashTimestamps

/// The expected result of one record of a rehearsal: a JSON object. Only its members are compared.
struct Expectation: Sendable {
    /// Members that are not compared: the line and time of the record, and notes for people.
    private static let asides: Set<String> = ["line", "scene", "check", "appendAt"]
    /// Lists whose order does not matter.
    private static let sets: Set<String> = ["categoryTags", "userTags", "truncated", "warn"]

    /// The record's line.
    let line: Int
    /// The time of the record, if the expectation has one.
    let appendAt: Timestamp?
    private let members: [JSONMember]

    /// Parses an expectation.
    ///
    /// - Throws: ``OperationError`` if it is not a JSON object with a line, or its time is invalid.
    init(_ record: FileRecord) throws(OperationError) {
        let document: JSONValue
        do throws(JSONError) {
            document = try JSONReader.read(record.bytes)
        } catch {
            throw OperationError(.badData, "\(record.place): \(error.message) at byte \(error.offset)")
        }
        guard let members = document.object, let line = document[member: "line"]?.int64, line > 0 else {
            throw OperationError(
                .badData,
                "\(record.place): is not an expectation; write an object with the number of its line"
            )
        }
        self.line = Int(clamping: line)
        self.members = members
        guard let time = document[member: "appendAt"] else {
            appendAt = nil
            return
        }
        guard let instant = time.string.flatMap({ Timestamp(rfc3339: $0) }) else {
            throw OperationError(.badData, "\(record.place): appendAt must be a time such as 2026-03-02T08:00:00Z")
        }
        appendAt = instant
    }

    /// Reads a file of expectations, one a line.
    ///
    /// - Returns: The expectations in order.
    /// - Throws: ``OperationError`` if the file cannot be read or is empty, or a line is not an expectation.
    static func read(_ name: String) throws(OperationError) -> [Expectation] {
        var expectations: [Expectation] = []
        for line in EventFiles.lines(of: try EventFiles.content(of: name), named: name) {
            expectations.append(try Expectation(line))
        }
        // A build that tests nothing must not pass.
        guard !expectations.isEmpty else {
            throw OperationError(.badData, "\(name): contains no expectation, so nothing would be checked")
        }
        return expectations
    }

    /// The id of the expected event.
    var id: String? { members.first { $0.name == "id" }?.value.string }

    /// Compares the expectation with the result.
    ///
    /// - Parameter found: The result of the rehearsal; `nil` if there was no record on this line.
    /// - Returns: The differences for people; empty if the result is as expected.
    func differences(from found: JSONValue?) -> [String] {
        let place = id.map { "line \(line) (\($0))" } ?? "line \(line)"
        guard let found else { return ["\(place): no record on this line"] }
        return members.filter { !Self.asides.contains($0.name) }.compactMap { member in
            let came = found[member: member.name]
            guard !Self.agree(member.name, member.value, came) else { return nil }
            return "\(place): \(member.name): expected \(member.value.words), got \(came?.words ?? "nothing")"
        }
    }

    private static func agree(_ name: String, _ expected: JSONValue, _ came: JSONValue?) -> Bool {
        guard let came else { return false }
        if name.hasSuffix("At"), let left = expected.string.flatMap({ Timestamp(rfc3339: $0) }),
            let right = came.string.flatMap({ Timestamp(rfc3339: $0) })
        {
            return left == right
        }
        if let members = expected.object {
            return members.allSatisfy { agree($0.name, $0.value, came[member: $0.name]) }
        }
        if sets.contains(name), let left = expected.array, let right = came.array {
            return left.allSatisfy(right.contains) && right.allSatisfy(left.contains)
        }
        if let left = expected.array, left.contains(where: { $0.object != nil }) {
            // For example, requests to one hub may be sent before or after those to another.
            guard var right = came.array, left.count == right.count else { return false }
            return left.allSatisfy { expected in
                guard let place = right.firstIndex(where: { agree("", expected, $0) }) else { return false }
                right.remove(at: place)
                return true
            }
        }
        return expected.isSame(as: came)
    }
}

extension JSONValue {
    /// Whether both values are equal. Strings are compared byte by byte.
    fileprivate func isSame(as other: JSONValue) -> Bool {
        if let text = string, let otherText = other.string { return Array(text.utf8) == Array(otherText.utf8) }
        return self == other
    }

    /// The value for a person.
    fileprivate var words: String {
        switch self {
        case .null: "null"
        case .bool(let value): value ? "true" : "false"
        case .number(let number): number.text
        case .string(let text): text.isEmpty ? "an empty text" : text
        case .array(let elements): elements.isEmpty ? "none" : elements.map(\.words).joined(separator: ", ")
        case .object(let members):
            members.isEmpty ? "none" : members.map { "\($0.name): \($0.value.words)" }.joined(separator: ", ")
        }
    }
}
