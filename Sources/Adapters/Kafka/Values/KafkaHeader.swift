/// One header of a record. Names may repeat; order is kept.
public struct KafkaHeader: Sendable, Hashable {
    /// The name.
    public var name: String
    /// The bytes; `nil` if the header has a null value, which differs from an empty one.
    public var value: [UInt8]?

    /// Creates a header.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - value: The bytes; `nil` for a null value.
    public init(name: String, value: [UInt8]?) {
        self.name = name
        self.value = value
    }

    /// Creates a header with text in UTF-8.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - text: The text.
    public init(name: String, text: String) {
        self.init(name: name, value: Array(text.utf8))
    }
}
