/// A name and a value in an ordered list: a push variable, or a header of a template.
public struct NamedValue: Hashable, Sendable {
    /// The name, as given.
    public var name: String
    /// The value.
    public var value: String

    /// Creates a pair.
    ///
    /// - Parameters:
    ///   - name: The name, as it will be written.
    ///   - value: The value; may be empty.
    public init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }
}
