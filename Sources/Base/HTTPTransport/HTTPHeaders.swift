/// Header fields in order; names are compared without case.
///
/// Stored as the lines that are sent, so that sending and receiving needs one copy. A field is converted to text on demand.
public struct HTTPHeaders: Sendable, ExpressibleByArrayLiteral, Sequence {
    /// A header field.
    public struct Field: Sendable, Equatable {
        /// The name, as sent or received.
        public var name: String
        /// The value without surrounding white space.
        public var value: String

        /// Creates a field.
        ///
        /// - Parameters:
        ///   - name: The field's name.
        ///   - value: The value, without surrounding white space.
        public init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    /// Whether the fields can be sent as given.
    package enum Validity: Sendable, Equatable {
        /// All fields can be sent.
        case valid
        /// A name is not a token (RFC 9110, section 5.6.2). Its field is omitted.
        case invalidName
        /// The value of the field whose line begins at this position contains a control character. Characters that would end
        /// the line
        /// are replaced with blanks.
        case invalidValue(lineAt: Int)
    }

    /// The fields as lines, each `Name: value` with CR LF; no field can add a line.
    package internal(set) var wireForm: [UInt8]
    /// Whether ``wireForm`` contains all fields as given; otherwise the first fault.
    package internal(set) var validity: Validity = .valid

    /// Creates headers from fields.
    ///
    /// - Parameter fields: The fields, in the order in which they are sent.
    public init(_ fields: [Field] = []) {
        self.wireForm = []
        wireForm.reserveCapacity(fields.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count + 4 })
        for field in fields { append(field.name, field.value) }
    }

    /// Creates headers from a list of fields.
    public init(arrayLiteral elements: Field...) {
        self.init(elements)
    }

    /// All fields, including repeated ones.
    public var fields: [Field] { Array(self) }

    /// The value of the first field with this name.
    public subscript(name: String) -> String? {
        var position = 0
        while let line = nextLine(at: &position) {
            if reads(name, at: line.name) { return text(line.value) }
        }
        return nil
    }

    /// Appends a field.
    ///
    /// If the name is not a token or the value contains a control character, the headers cannot be sent.
    ///
    /// - Parameters:
    ///   - name: The field's name.
    ///   - value: The field's value.
    public mutating func append(_ name: String, _ value: String) {
        var (name, value) = (name, value)
        name.withSpan { name in value.withSpan { append(name, $0) } }
    }

    /// Iterates over the fields in order.
    public func makeIterator() -> some IteratorProtocol<Field> {
        Fields(headers: self)
    }

    private struct Fields: IteratorProtocol {
        let headers: HTTPHeaders
        var position = 0

        mutating func next() -> Field? {
            headers.nextLine(at: &position).map { Field(headers.text($0.name), headers.text($0.value)) }
        }
    }
}

extension HTTPHeaders: Equatable {
    /// Whether both have the same fields in the same order, even if their lines are formatted differently.
    public static func == (one: HTTPHeaders, other: HTTPHeaders) -> Bool {
        if one.validity != other.validity { return false }
        return one.wireForm == other.wireForm || one.elementsEqual(other)
    }
}

extension HTTPHeaders: CustomStringConvertible {
    /// The fields as a list, including values.
    public var description: String {
        "[\(map { "\($0.name): \($0.value)" }.joined(separator: ", "))]"
    }
}
