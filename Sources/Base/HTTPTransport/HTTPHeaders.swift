/// Header fields in order; names are compared without case.
///
/// They are kept as the lines that stand on the wire, so that sending and receiving them is one copy; a field becomes text
/// when it is asked for.
public struct HTTPHeaders: Sendable, ExpressibleByArrayLiteral, Sequence {
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

    /// Whether the fields can be sent as they were given.
    package enum Soundness: Sendable, Equatable {
        /// Each is a line of its own.
        case sound
        /// A name is no token (RFC 9110, section 5.6.2). Its field is left out.
        case brokenName
        /// The value of the field whose line begins there holds a control. What would end its line reads as a blank.
        case brokenValue(lineAt: Int)
    }

    /// The fields as lines of `Name: value` and a line end (CR LF) each; nothing in a field can make a line of its own.
    package internal(set) var wireForm: [UInt8]
    /// Whether all that was given stands in ``wireForm``, with the first fault where there is one.
    package internal(set) var soundness: Soundness = .sound
    /// Which names that matter to a request's head are there, noted as they were appended.
    package internal(set) var framingNames: FramingNames = []

    /// Makes headers from fields.
    ///
    /// - Parameter fields: In the order of the wire.
    public init(_ fields: [Field] = []) {
        self.wireForm = []
        wireForm.reserveCapacity(fields.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count + 4 })
        for field in fields { append(field.name, field.value) }
    }

    /// Makes headers from a list of fields.
    public init(arrayLiteral elements: Field...) {
        self.init(elements)
    }

    /// All fields, repeated ones included.
    public var fields: [Field] { Array(self) }

    /// The value of the first field of that name.
    public subscript(name: String) -> String? {
        var position = 0
        while let line = nextLine(at: &position) {
            if reads(name, at: line.name) { return text(line.value) }
        }
        return nil
    }

    /// Adds a field behind the others.
    ///
    /// A name that is no token, or a value with a control, makes the headers impossible to send.
    ///
    /// - Parameters:
    ///   - name: The field's name.
    ///   - value: Its value.
    public mutating func append(_ name: String, _ value: String) {
        var (name, value) = (name, value)
        name.withSpan { name in value.withSpan { append(name, $0) } }
    }

    /// Goes through the fields in order.
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
    /// Whether both hold the same fields in the same order, however their lines were written.
    public static func == (one: HTTPHeaders, other: HTTPHeaders) -> Bool {
        if one.soundness != other.soundness { return false }
        return one.wireForm == other.wireForm || one.elementsEqual(other)
    }
}

extension HTTPHeaders: CustomStringConvertible {
    /// The fields as a list, values included.
    public var description: String {
        "[\(map { "\($0.name): \($0.value)" }.joined(separator: ", "))]"
    }
}
