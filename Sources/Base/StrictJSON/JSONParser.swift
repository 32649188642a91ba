/// A recursive-descent parser for text that is known to be UTF-8; strings and numbers are in extensions.
///
/// The bytes are passed to each call, because a span must not be stored.
struct JSONParser: JSONScanner {
    /// The index of the next byte.
    var position = 0
    private let maximumDepth: Int
    /// The positions of repeated names as JSON Pointers; `nil` if repeated names are errors.
    private(set) var repeated: [String]?
    /// The initial capacity for members and elements.
    private static let usualCount = 4

    init(maximumDepth: Int, allowsRepeatedNames: Bool = false) {
        self.maximumDepth = maximumDepth
        if allowsRepeatedNames { repeated = [] }
    }

    mutating func document(_ bytes: Span<UInt8>) throws(JSONError) -> JSONValue {
        skipWhiteSpace(bytes)
        guard position < bytes.count else { throw JSONError(.empty, at: position, "the text contains no JSON value") }
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
            try enter(depth, maximum: maximumDepth)
            return .object(try members(bytes, depth: depth + 1))
        case UInt8(ascii: "["):
            try enter(depth, maximum: maximumDepth)
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

    private mutating func members(_ bytes: Span<UInt8>, depth: Int) throws(JSONError) -> [JSONMember] {
        position += 1
        var members: [JSONMember] = []
        skipWhiteSpace(bytes)
        if consume(UInt8(ascii: "}"), bytes) { return members }
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
                throw JSONError(.duplicateMember, at: start, "duplicate member").inside(name)
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
            if consume(UInt8(ascii: "}"), bytes) { return members }
            try expect(UInt8(ascii: ","), "a comma or } after a member is missing", bytes)
        }
    }

    /// The maximum number of repeated names.
    private static let mostRepeated = 16

    /// Prepends a step to the paths of repeated names found inside it.
    private mutating func nameRepeated(since count: Int, inside step: String, _ start: Int) throws(JSONError) {
        guard let found = repeated, found.count > count else { return }
        guard found.count <= Self.mostRepeated else {
            throw JSONError(.duplicateMember, at: start, "more than \(Self.mostRepeated) duplicate members").inside(
                step
            )
        }
        for place in count..<found.count { repeated?[place] = "/" + JSONPointer.escaped(step) + found[place] }
    }

    private mutating func elements(_ bytes: Span<UInt8>, depth: Int) throws(JSONError) -> [JSONValue] {
        position += 1
        var elements: [JSONValue] = []
        skipWhiteSpace(bytes)
        if consume(UInt8(ascii: "]"), bytes) { return elements }
        elements.reserveCapacity(Self.usualCount)
        while true {
            skipWhiteSpace(bytes)
            do throws(JSONError) {
                elements.append(try value(bytes, depth: depth))
            } catch {
                throw error.inside(String(elements.count))
            }
            skipWhiteSpace(bytes)
            if consume(UInt8(ascii: "]"), bytes) { return elements }
            try expect(UInt8(ascii: ","), "a comma or ] after an element is missing", bytes)
        }
    }

    private mutating func literal(_ word: StaticString, _ bytes: Span<UInt8>) throws(JSONError) {
        let start = position
        for letter in word.description.utf8 {
            guard position < bytes.count else { throw endOfText() }
            guard bytes[position] == letter else {
                throw JSONError(.syntax, at: start, "only true, false and null are allowed without quotes")
            }
            position += 1
        }
    }

    @inline(__always)
    private mutating func consume(_ wanted: UInt8, _ bytes: Span<UInt8>) -> Bool {
        guard position < bytes.count, bytes[position] == wanted else { return false }
        position += 1
        return true
    }

    @inline(__always)
    private mutating func expect(_ wanted: UInt8, _ message: String, _ bytes: Span<UInt8>) throws(JSONError) {
        guard position < bytes.count else { throw endOfText() }
        guard consume(wanted, bytes) else { throw JSONError(.syntax, at: position, message) }
    }
}

/// The common part of ``JSONParser`` and ``JSONCursor``: a position in the text.
protocol JSONScanner {
    /// The index of the next byte.
    var position: Int { get set }
}

extension JSONScanner {
    @inline(__always)
    mutating func skipWhiteSpace(_ bytes: Span<UInt8>) {
        // Most texts have no white space.
        if position < bytes.count, bytes[position] <= 0x20 { position = bytes.endOfWhiteSpace(from: position) }
    }

    func enter(_ depth: Int, maximum: Int) throws(JSONError) {
        guard depth < maximum else {
            throw JSONError(.tooDeep, at: position, "arrays and objects are nested more than \(maximum) deep")
        }
    }

    func endOfText() -> JSONError {
        JSONError(.syntax, at: position, "the text ends within a value")
    }
}

extension Span<UInt8> {
    @inline(never)
    fileprivate func endOfWhiteSpace(from start: Int) -> Int {
        var end = start
        while end < count, self[end] == 0x20 || self[end] == 0x0A || self[end] == 0x0D || self[end] == 0x09 { end += 1 }
        return end
    }
}

/// Detects duplicate names in an object, in time that is not quadratic in the number of members.
private struct MemberNames {
    private static let fewMembers = 16
    /// A bit per combination of length and first byte, so that few names must be compared.
    private var marks: UInt64 = 0
    private var many: Set<ExactName>?

    /// Adds a name.
    ///
    /// - Returns: `false` if one of the members already has the name.
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

/// A name that is compared byte by byte.
private struct ExactName: Hashable {
    let text: String

    static func == (left: ExactName, right: ExactName) -> Bool {
        left.text.hasSameBytes(as: right.text)
    }

    func hash(into hasher: inout Hasher) {
        for byte in text.utf8 { hasher.combine(byte) }
    }
}

extension JSONParser {
    /// Parses a number; the position is at its minus sign or first digit.
    mutating func number(_ bytes: Span<UInt8>) throws(JSONError) -> JSONNumber {
        let start = position
        if bytes[position] == UInt8(ascii: "-") { position += 1 }
        let firstDigit = position
        try digits(bytes, "a digit after the minus is missing")
        guard bytes[firstDigit] != UInt8(ascii: "0") || position == firstDigit + 1 else {
            throw JSONError(.syntax, at: firstDigit, "a number must not begin with 0")
        }
        if position < bytes.count, bytes[position] == UInt8(ascii: ".") {
            position += 1
            try digits(bytes, "a digit after the decimal point is missing")
        }
        if position < bytes.count, bytes[position] | 0x20 == UInt8(ascii: "e") {
            position += 1
            if position < bytes.count, bytes[position] == UInt8(ascii: "+") || bytes[position] == UInt8(ascii: "-") {
                position += 1
            }
            try digits(bytes, "a digit of the exponent is missing")
        }
        return JSONNumber(checked: bytes.text(start..<position, isASCII: true))
    }

    private mutating func digits(_ bytes: Span<UInt8>, _ message: String) throws(JSONError) {
        let start = position
        while position < bytes.count, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[position]) {
            position += 1
        }
        guard position > start else {
            throw position < bytes.count ? JSONError(.syntax, at: position, message) : endOfText()
        }
    }
}
