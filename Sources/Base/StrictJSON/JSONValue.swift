/// A JSON text as it was read: members keep their order, numbers stay as written.
public enum JSONValue: Sendable, Equatable {
    /// `null`.
    case null
    /// `true` or `false`.
    case bool(Bool)
    /// A number with its spelling.
    case number(JSONNumber)
    /// A string without its escapes.
    case string(String)
    /// The elements in order.
    case array([JSONValue])
    /// The members in order; no name stands twice in what ``JSONReader`` gives.
    case object([JSONMember])
}

/// One name and value of an object.
public struct JSONMember: Sendable, Equatable {
    /// The name without its escapes.
    public var name: String
    /// What stands under the name.
    public var value: JSONValue

    /// Makes a member.
    ///
    /// - Parameters:
    ///   - name: Without escapes.
    ///   - value: What stands under the name.
    public init(name: String, value: JSONValue) {
        self.name = name
        self.value = value
    }
}

extension JSONValue {
    /// The value under a name of an object.
    ///
    /// Names are compared code unit by code unit (RFC 8259, section 8.3): two spellings of `é` are two names.
    ///
    /// - Parameter member: The name.
    /// - Returns: Nothing where this is no object or has no such member; ``null`` where the member is null.
    public subscript(member member: String) -> JSONValue? {
        guard case .object(let members) = self else { return nil }
        return members.first { $0.name.hasSameBytes(as: member) }?.value
    }

    /// Whether this is `null`.
    public var isNull: Bool { self == .null }

    /// The truth value, where this is one.
    public var bool: Bool? {
        guard case .bool(let value) = self else { return nil }
        return value
    }

    /// The number, where this is one.
    public var number: JSONNumber? {
        guard case .number(let value) = self else { return nil }
        return value
    }

    /// The exact integer, where this is a number that is one; see ``JSONNumber/int64``.
    public var int64: Int64? { number?.int64 }

    /// The nearest double, where this is a number; see ``JSONNumber/double``.
    public var double: Double? { number?.double }

    /// The string, where this is one.
    public var string: String? {
        guard case .string(let value) = self else { return nil }
        return value
    }

    /// The elements, where this is an array.
    public var array: [JSONValue]? {
        guard case .array(let value) = self else { return nil }
        return value
    }

    /// The members, where this is an object.
    public var object: [JSONMember]? {
        guard case .object(let value) = self else { return nil }
        return value
    }
}

extension String {
    /// Whether two strings have the same UTF-8 bytes; `==` would also take canonical equivalents for equal.
    func hasSameBytes(as other: String) -> Bool {
        utf8.count == other.utf8.count && self == other && utf8.elementsEqual(other.utf8)
    }
}
