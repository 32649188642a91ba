/// A parsed JSON text: members keep their order, numbers their spelling.
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
    /// The members in order; without duplicate names if parsed by ``JSONReader``.
    case object([JSONMember])
}

/// A member of an object.
public struct JSONMember: Sendable, Equatable {
    /// The name without its escapes.
    public var name: String
    /// The value of the member.
    public var value: JSONValue

    /// Creates a member.
    ///
    /// - Parameters:
    ///   - name: The name without escapes.
    ///   - value: The value of the member.
    public init(name: String, value: JSONValue) {
        self.name = name
        self.value = value
    }
}

extension JSONValue {
    /// Returns the value of an object's member.
    ///
    /// Names are compared code unit by code unit (RFC 8259, section 8.3): two encodings of `é` are two names.
    ///
    /// - Parameter member: The name.
    /// - Returns: `nil` if this is not an object or has no such member; ``null`` if the member is null.
    public subscript(member member: String) -> JSONValue? {
        guard case .object(let members) = self else { return nil }
        return members.first { $0.name.hasSameBytes(as: member) }?.value
    }

    /// Whether this is `null`.
    public var isNull: Bool { self == .null }

    /// The truth value; `nil` for other types.
    public var bool: Bool? {
        guard case .bool(let value) = self else { return nil }
        return value
    }

    /// The number; `nil` for other types.
    public var number: JSONNumber? {
        guard case .number(let value) = self else { return nil }
        return value
    }

    /// The exact integer; `nil` unless this is a number that is one; see ``JSONNumber/int64``.
    public var int64: Int64? { number?.int64 }

    /// The nearest double; `nil` for other types; see ``JSONNumber/double``.
    public var double: Double? { number?.double }

    /// The string; `nil` for other types.
    public var string: String? {
        guard case .string(let value) = self else { return nil }
        return value
    }

    /// The elements; `nil` unless this is an array.
    public var array: [JSONValue]? {
        guard case .array(let value) = self else { return nil }
        return value
    }

    /// The members; `nil` unless this is an object.
    public var object: [JSONMember]? {
        guard case .object(let value) = self else { return nil }
        return value
    }
}

extension String {
    /// Returns whether two strings have the same UTF-8 bytes; `==` would also accept canonical equivalents.
    func hasSameBytes(as other: String) -> Bool {
        utf8.count == other.utf8.count && self == other && utf8.elementsEqual(other.utf8)
    }
}
