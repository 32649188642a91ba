/// Walks through a text that is known to be UTF-8; strings and numbers are in extensions.
///
/// The bytes are handed to each step, since a span must not be kept.
struct JSONParser {
    /// The next byte to look at.
    var position = 0
    private let maximumDepth: Int
    /// The places at which a name stands again in its object, as JSON Pointers, if that is not refused.
    private(set) var repeated: [String]?
    /// Room is made for so many members or elements at first.
    private static let usualCount = 4

    init(maximumDepth: Int, allowsRepeatedNames: Bool = false) {
        self.maximumDepth = maximumDepth
        if allowsRepeatedNames { repeated = [] }
    }

    mutating func document(_ bytes: Span<UInt8>) throws(JSONError) -> JSONValue {
        skipWhiteSpace(bytes)
        guard position < bytes.count else { throw JSONError(.empty, at: position, "there is no JSON value") }
        let value = try value(bytes, depth: 0)
        skipWhiteSpace(bytes)
        guard position == bytes.count else {
            throw JSONError(.trailingData, at: position, "something follows the JSON value")
        }
        return value
    }

    private mutating func value(_ bytes: Span<UInt8>, depth: Int) throws(JSONError) -> JSONValue {
        guard position < bytes.count else { throw endOfText() }
        switch bytes[position] {
        case UInt8(ascii: "\""):
            return .string(try string(bytes))
        case UInt8(ascii: "{"):
            try enter(depth)
            return .object(try members(bytes, depth: depth + 1))
        case UInt8(ascii: "["):
            try enter(depth)
            return .array(try elements(bytes, depth: depth + 1))
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
            return .number(try number(bytes))
        case UInt8(ascii: "t"):
            try literal("true", bytes)
            return .bool(true)
        case UInt8(ascii: "f"):
            try literal("false", bytes)
            return .bool(false)
        case UInt8(ascii: "n"):
            try literal("null", bytes)
            return .null
        default:
            throw JSONError(.syntax, at: position, "no JSON value begins like this")
        }
    }

    private func enter(_ depth: Int) throws(JSONError) {
        guard depth < maximumDepth else {
            throw JSONError(.tooDeep, at: position, "more than \(maximumDepth) arrays and objects lie in each other")
        }
    }

    private mutating func members(_ bytes: Span<UInt8>, depth: Int) throws(JSONError) -> [JSONMember] {
        position += 1
        var members: [JSONMember] = []
        skipWhiteSpace(bytes)
        if take(UInt8(ascii: "}"), bytes) { return members }
        members.reserveCapacity(Self.usualCount)
        var names = MemberNames()
        while true {
            skipWhiteSpace(bytes)
            guard position < bytes.count else { throw endOfText() }
            let start = position
            guard bytes[start] == UInt8(ascii: "\"") else {
                throw JSONError(.syntax, at: start, "a member name in quotes is missing")
            }
            let name = try string(bytes)
            let isRepeated = !names.insert(name, after: members)
            if isRepeated, repeated == nil {
                throw JSONError(.duplicateMember, at: start, "the member stands twice").inside(name)
            }
            let countBefore = repeated?.count ?? 0
            do throws(JSONError) {
                skipWhiteSpace(bytes)
                try expect(UInt8(ascii: ":"), "a colon after the member name is missing", bytes)
                skipWhiteSpace(bytes)
                members.append(JSONMember(name: name, value: try value(bytes, depth: depth)))
            } catch {
                throw error.inside(name)
            }
            if isRepeated { repeated?.append("") }
            if repeated != nil { try nameRepeated(since: countBefore, inside: name, start) }
            skipWhiteSpace(bytes)
            if take(UInt8(ascii: "}"), bytes) { return members }
            try expect(UInt8(ascii: ","), "a comma or } after a member is missing", bytes)
        }
    }

    /// The most names that may stand again.
    private static let mostRepeated = 16

    /// Puts a step before the places that were found inside it.
    private mutating func nameRepeated(since count: Int, inside step: String, _ start: Int) throws(JSONError) {
        guard let found = repeated, found.count > count else { return }
        guard found.count <= Self.mostRepeated else {
            throw JSONError(.duplicateMember, at: start, "more than \(Self.mostRepeated) members stand twice").inside(
                step
            )
        }
        for place in count..<found.count { repeated?[place] = "/" + JSONPointer.escaped(step) + found[place] }
    }

    private mutating func elements(_ bytes: Span<UInt8>, depth: Int) throws(JSONError) -> [JSONValue] {
        position += 1
        var elements: [JSONValue] = []
        skipWhiteSpace(bytes)
        if take(UInt8(ascii: "]"), bytes) { return elements }
        elements.reserveCapacity(Self.usualCount)
        while true {
            skipWhiteSpace(bytes)
            do throws(JSONError) {
                elements.append(try value(bytes, depth: depth))
            } catch {
                throw error.inside(String(elements.count))
            }
            skipWhiteSpace(bytes)
            if take(UInt8(ascii: "]"), bytes) { return elements }
            try expect(UInt8(ascii: ","), "a comma or ] after an element is missing", bytes)
        }
    }

    private mutating func literal(_ word: StaticString, _ bytes: Span<UInt8>) throws(JSONError) {
        let start = position
        for letter in word.description.utf8 {
            guard position < bytes.count else { throw endOfText() }
            guard bytes[position] == letter else {
                throw JSONError(.syntax, at: start, "only true, false and null may stand without quotes")
            }
            position += 1
        }
    }

    @inline(__always)
    private mutating func skipWhiteSpace(_ bytes: Span<UInt8>) {
        // Most texts have none.
        if position < bytes.count, bytes[position] <= 0x20 { skipSomeWhiteSpace(bytes) }
    }

    @inline(never)
    private mutating func skipSomeWhiteSpace(_ bytes: Span<UInt8>) {
        while position < bytes.count {
            switch bytes[position] {
            case 0x20, 0x0A, 0x0D, 0x09: position += 1
            default: return
            }
        }
    }

    @inline(__always)
    private mutating func take(_ wanted: UInt8, _ bytes: Span<UInt8>) -> Bool {
        guard position < bytes.count, bytes[position] == wanted else { return false }
        position += 1
        return true
    }

    @inline(__always)
    private mutating func expect(_ wanted: UInt8, _ message: String, _ bytes: Span<UInt8>) throws(JSONError) {
        guard position < bytes.count else { throw endOfText() }
        guard take(wanted, bytes) else { throw JSONError(.syntax, at: position, message) }
    }

    func endOfText() -> JSONError {
        JSONError(.syntax, at: position, "the text ends within a value")
    }
}

/// Says whether a name is new to an object, in time that does not grow with the square of its members.
private struct MemberNames {
    private static let fewMembers = 16
    /// A bit for each length and first letter that a name had: few names have to be compared with others.
    private var marks: UInt64 = 0
    private var many: Set<ExactName>?

    /// Takes note of a name.
    ///
    /// - Returns: False where one of the members has it already.
    mutating func insert(_ name: String, after members: [JSONMember]) -> Bool {
        guard members.count < Self.fewMembers else { return insertAmongMany(name, after: members) }
        let mark: UInt64 = 1 << UInt64((name.utf8.count &* 5 &+ Int(name.utf8.first ?? 0)) & 63)
        let mayStand = marks & mark != 0
        marks |= mark
        return !mayStand || !members.contains { $0.name.hasSameBytes(as: name) }
    }

    private mutating func insertAmongMany(_ name: String, after members: [JSONMember]) -> Bool {
        var names = many.take() ?? Set(members.map { ExactName(text: $0.name) })
        let isNew = names.insert(ExactName(text: name)).inserted
        many = names
        return isNew
    }
}

/// A name that is equal to another only byte by byte.
private struct ExactName: Hashable {
    let text: String

    static func == (left: ExactName, right: ExactName) -> Bool {
        left.text.hasSameBytes(as: right.text)
    }

    func hash(into hasher: inout Hasher) {
        for byte in text.utf8 { hasher.combine(byte) }
    }
}
