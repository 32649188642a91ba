/// A value that can be given as one word of a command line.
package protocol ExpressibleByArgument {
    /// Parses the word; `nil` if it is not such a value.
    init?(argument: String)

    /// The value as shown in help if it is a default.
    var defaultValueDescription: String { get }

    /// All possible words if they can be listed; otherwise empty.
    static var allValueStrings: [String] { get }

    /// A description of valid words, to complete "expected …": "a whole number".
    static var expectedArgument: String { get }
}

extension ExpressibleByArgument {
    package var defaultValueDescription: String { "\(self)" }
    package static var allValueStrings: [String] { [] }
    package static var expectedArgument: String {
        allValueStrings.isEmpty ? "another value" : "one of " + allValueStrings.joined(separator: ", ")
    }
}

extension ExpressibleByArgument where Self: RawRepresentable, RawValue == String {
    package init?(argument: String) { self.init(rawValue: argument) }
    package var defaultValueDescription: String { rawValue }
}

extension ExpressibleByArgument where Self: CaseIterable & RawRepresentable, RawValue == String {
    package static var allValueStrings: [String] { allCases.map(\.rawValue) }
}

extension String: ExpressibleByArgument {
    package init?(argument: String) { self = argument }
    package static var expectedArgument: String { "text" }
}

extension ExpressibleByArgument where Self: FixedWidthInteger {
    package init?(argument: String) { self.init(argument, radix: 10) }
    package static var expectedArgument: String { "a whole number from \(Self.min) to \(Self.max)" }
}

extension Int: ExpressibleByArgument {
    package static var expectedArgument: String { "a whole number" }
}

extension UInt16: ExpressibleByArgument {}

extension Double: ExpressibleByArgument {
    package init?(argument: String) {
        guard let value = Double(argument), value.isFinite else { return nil }
        self = value
    }
    package static var expectedArgument: String { "a number" }
}

extension Bool: ExpressibleByArgument {
    package init?(argument: String) { self.init(argument) }
    package static var allValueStrings: [String] { ["true", "false"] }
}
