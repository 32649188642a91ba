/// A name and a value in a list that keeps its order: a push variable, a header of a template.
public struct NamedValue: Hashable, Sendable {
    /// The name as it was given.
    public var name: String
    /// The value.
    public var value: String

    /// Makes a pair.
    ///
    /// - Parameters:
    ///   - name: As it shall be written.
    ///   - value: Any text.
    public init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }
}
