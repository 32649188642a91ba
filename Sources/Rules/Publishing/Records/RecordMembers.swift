import NewsflashBasics
import NewsflashSigning
import NewsflashStrictJSON
import NewsflashTimestamps

/// The fault of a record's member.
protocol RecordMemberError: Error {
    /// - Parameters:
    ///   - path: The member, as a JSON Pointer; empty for the whole record.
    ///   - message: A description of the fault, without any content of the record.
    init(_ path: String, _ message: String)
}

/// The members of one object of an outcome or of a ledger record. Each must have the right type, or be absent.
struct RecordMembers<Fault: RecordMemberError> {
    private let value: JSONValue
    private let path: String

    /// - Throws: A fault if the value at the path is not an object.
    init(_ value: JSONValue, at path: String) throws(Fault) {
        guard value.object != nil else { throw Fault(path, "must be an object") }
        self.value = value
        self.path = path
    }

    /// The fault of the object.
    func fault(_ message: String) -> Fault {
        Fault(path, message)
    }

    /// The fault of a member.
    func fault(_ name: String, _ message: String) -> Fault {
        Fault("\(path)/\(JSONPointer.escaped(name))", message)
    }

    /// Returns a member that must be present.
    func required<Value>(_ value: Value?, _ name: String) throws(Fault) -> Value {
        guard let value else { throw fault(name, "is missing") }
        return value
    }

    /// Whether the last member has this name.
    func isLast(_ name: String) -> Bool { value.object?.last?.name == name }

    // MARK: Single values

    func text(_ name: String) throws(Fault) -> String? {
        try read(name, "must be a text", \.string)
    }

    func integer(_ name: String) throws(Fault) -> Int64? {
        try read(name, "must be a whole number", \.int64)
    }

    func nonNegativeInteger(_ name: String) throws(Fault) -> Int64? {
        try read(name, Self.nonNegativeIntegerRule, \.nonNegativeInteger)
    }

    func number(_ name: String) throws(Fault) -> Double? {
        try read(name, "must be a number", \.double)
    }

    /// A number of 64 bits as sixteen digits.
    func hexadecimal(_ name: String) throws(Fault) -> UInt64? {
        try read(name, Self.hexadecimalRule, \.hexadecimal)
    }

    func truth(_ name: String) throws(Fault) -> Bool? {
        try read(name, "must be true or false", \.bool)
    }

    func time(_ name: String) throws(Fault) -> Timestamp? {
        try read(name, "must be a date-time of RFC 3339") { $0.string.flatMap { Timestamp(rfc3339: $0) } }
    }

    /// A word of an enumeration; an unknown word is a fault.
    func choice<Choice: RawRepresentable>(_ name: String) throws(Fault) -> Choice? where Choice.RawValue == String {
        try read(name, "is not a word that this version supports") { $0.string.flatMap { Choice(rawValue: $0) } }
    }

    /// Bytes: a text, or base 64 under another name if they are not UTF-8.
    func bytes(_ name: String, base64 other: String) throws(Fault) -> [UInt8]? {
        let text = try text(name)
        return try read(other, "must be padded base 64") { $0.string.flatMap { Base64.decode($0) } }
            ?? text.map { Array($0.utf8) }
    }

    // MARK: Lists and objects

    func texts(_ name: String) throws(Fault) -> [String] {
        try list(name, "must be a text", \.string) ?? []
    }

    func nonNegativeIntegers(_ name: String) throws(Fault) -> [Int64]? {
        try list(name, Self.nonNegativeIntegerRule, \.nonNegativeInteger)
    }

    /// Numbers of 64 bits, each as sixteen digits.
    func hexadecimals(_ name: String) throws(Fault) -> [UInt64] {
        try list(name, Self.hexadecimalRule, \.hexadecimal) ?? []
    }

    func object(_ name: String) throws(Fault) -> RecordMembers {
        try required(try objectIfPresent(name), name)
    }

    func objectIfPresent(_ name: String) throws(Fault) -> RecordMembers? {
        guard let member = value[member: name] else { return nil }
        return try RecordMembers(member, at: "\(path)/\(name)")
    }

    func objects(_ name: String) throws(Fault) -> [RecordMembers] {
        var objects: [RecordMembers] = []
        for (index, element) in (try elements(name) ?? []).enumerated() {
            objects.append(try RecordMembers(element, at: "\(path)/\(name)/\(index)"))
        }
        return objects
    }

    /// An object whose members are all texts, by their names.
    func textsByName(_ name: String) throws(Fault) -> [String: String] {
        guard let object = try objectIfPresent(name) else { return [:] }
        var texts: [String: String] = [:]
        for member in object.value.object ?? [] { texts[member.name] = try object.text(member.name) }
        return texts
    }

    // MARK: Reading

    private static var nonNegativeIntegerRule: String { "must be a whole number that is not negative" }
    private static var hexadecimalRule: String { "must be sixteen lower-case hexadecimal digits" }

    private func elements(_ name: String) throws(Fault) -> [JSONValue]? {
        try read(name, "must be an array", \.array)
    }

    private func list<Value>(
        _ name: String,
        _ message: String,
        _ read: (JSONValue) -> Value?
    ) throws(Fault) -> [Value]? {
        guard let elements = try elements(name) else { return nil }
        var values: [Value] = []
        values.reserveCapacity(elements.count)
        for (index, element) in elements.enumerated() {
            guard let value = read(element) else { throw Fault("\(path)/\(name)/\(index)", message) }
            values.append(value)
        }
        return values
    }

    private func read<Value>(_ name: String, _ message: String, _ read: (JSONValue) -> Value?) throws(Fault) -> Value? {
        guard let member = value[member: name] else { return nil }
        guard let value = read(member) else { throw fault(name, message) }
        return value
    }
}

extension JSONValue {
    fileprivate var nonNegativeInteger: Int64? {
        guard let integer = int64, integer >= 0 else { return nil }
        return integer
    }

    fileprivate var hexadecimal: UInt64? {
        guard let text = string, text.utf8.count == 16 else { return nil }
        var number: UInt64 = 0
        for digit in text.utf8 {
            guard let value = digit.hexadecimalValue, digit == digit.lowercasedASCII else { return nil }
            number = number << 4 | UInt64(value)
        }
        return number
    }
}
