import StrictJSON
import Timestamps

/// The members of one object of an outcome. Each must have the right type, or be absent.
struct OutcomeMembers {
    private let value: JSONValue
    private let path: String

    /// - Throws: ``OutcomeRecordError`` if the value at the path is not an object.
    init(_ value: JSONValue, at path: String) throws(OutcomeRecordError) {
        guard value.object != nil else { throw OutcomeRecordError(path, "must be an object") }
        self.value = value
        self.path = path
    }

    /// The fault of a member.
    func fault(_ name: String, _ message: String) -> OutcomeRecordError {
        OutcomeRecordError("\(path)/\(JSONPointer.escaped(name))", message)
    }

    /// Returns a member that must be present.
    func required<Value>(_ value: Value?, _ name: String) throws(OutcomeRecordError) -> Value {
        guard let value else { throw fault(name, "is missing") }
        return value
    }

    func text(_ name: String) throws(OutcomeRecordError) -> String? {
        try read(name, "must be a text", \.string)
    }

    func integer(_ name: String) throws(OutcomeRecordError) -> Int64? {
        try read(name, "must be a whole number", \.int64)
    }

    func number(_ name: String) throws(OutcomeRecordError) -> Double? {
        try read(name, "must be a number", \.double)
    }

    func truth(_ name: String) throws(OutcomeRecordError) -> Bool? {
        try read(name, "must be true or false", \.bool)
    }

    func time(_ name: String) throws(OutcomeRecordError) -> Timestamp? {
        try read(name, "must be a date-time of RFC 3339") { $0.string.flatMap { Timestamp(rfc3339: $0) } }
    }

    /// A word of an enumeration; an unknown word is a fault.
    func choice<Choice: RawRepresentable>(_ name: String) throws(OutcomeRecordError) -> Choice?
    where Choice.RawValue == String {
        try read(name, "is not a word that this version supports") { $0.string.flatMap { Choice(rawValue: $0) } }
    }

    func texts(_ name: String) throws(OutcomeRecordError) -> [String] {
        var texts: [String] = []
        for (index, element) in try elements(name).enumerated() {
            guard let text = element.string else { throw fault(name, "has an element \(index) that is not a text") }
            texts.append(text)
        }
        return texts
    }

    func object(_ name: String) throws(OutcomeRecordError) -> OutcomeMembers {
        try required(try objectIfPresent(name), name)
    }

    func objectIfPresent(_ name: String) throws(OutcomeRecordError) -> OutcomeMembers? {
        guard let member = value[member: name] else { return nil }
        return try OutcomeMembers(member, at: "\(path)/\(name)")
    }

    func objects(_ name: String) throws(OutcomeRecordError) -> [OutcomeMembers] {
        var objects: [OutcomeMembers] = []
        for (index, element) in try elements(name).enumerated() {
            objects.append(try OutcomeMembers(element, at: "\(path)/\(name)/\(index)"))
        }
        return objects
    }

    private func elements(_ name: String) throws(OutcomeRecordError) -> [JSONValue] {
        try read(name, "must be an array", \.array) ?? []
    }

    private func read<Value>(
        _ name: String,
        _ message: String,
        _ read: (JSONValue) -> Value?
    ) throws(OutcomeRecordError) -> Value? {
        guard let member = value[member: name] else { return nil }
        guard let value = read(member) else { throw fault(name, message) }
        return value
    }
}
