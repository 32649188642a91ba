/// Header fields in order; names are compared without case.
public struct HTTPHeaders: Sendable, Equatable, ExpressibleByArrayLiteral, Sequence {
    /// One field.
    public struct Field: Sendable, Equatable {
        /// As sent or received.
        public var name: String
        /// Without the white space around it.
        public var value: String

        /// Makes a field.
        ///
        /// - Parameters:
        ///   - name: The field's name.
        ///   - value: Without the white space around it.
        public init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    /// All fields, repeated ones included.
    public private(set) var fields: [Field]

    /// Makes headers from fields.
    ///
    /// - Parameter fields: In the order of the wire.
    public init(_ fields: [Field] = []) {
        self.fields = fields
    }

    /// Makes headers from a list of fields.
    public init(arrayLiteral elements: Field...) {
        self.fields = elements
    }

    /// The value of the first field of that name.
    public subscript(name: String) -> String? {
        fields.first { $0.name.isEqualIgnoringASCIICase(to: name) }?.value
    }

    /// Adds a field behind the others.
    ///
    /// - Parameters:
    ///   - name: The field's name.
    ///   - value: Its value.
    public mutating func append(_ name: String, _ value: String) {
        fields.append(Field(name, value))
    }

    /// Goes through the fields in order.
    public func makeIterator() -> some IteratorProtocol<Field> {
        fields.makeIterator()
    }
}

extension String {
    /// Whether both are the same but for the case of ASCII letters, as names in HTTP are compared.
    package func isEqualIgnoringASCIICase(to other: String) -> Bool {
        guard utf8.count == other.utf8.count else { return false }
        return zip(utf8, other.utf8).allSatisfy { $0.loweredASCII == $1.loweredASCII }
    }
}

extension UInt8 {
    fileprivate var loweredASCII: UInt8 {
        self >= UInt8(ascii: "A") && self <= UInt8(ascii: "Z") ? self | 0x20 : self
    }
}
