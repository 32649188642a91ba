/// One thing that a command line can give, bound to the property it fills.
struct Input {
    enum Kind {
        case argument, option, flag
    }

    var kind: Kind
    /// As written on the command line; empty for an argument.
    var names: [String] = []
    var valueName: String
    var help: ArgumentHelp
    var isRequired = false
    var isRepeatable = false
    var defaultText: String?
    var allowedValues: [String] = []
    var expected = ""
    /// Fills the property; `false` when the word is not such a value.
    ///
    /// The second parameter says that this is the first word given: it replaces the default, later ones add to it.
    var read: (_ word: String, _ isFirst: Bool) -> Bool

    var isVisible: Bool { help.visibility == .default }

    /// The long name if there is one, to speak of the input in a message.
    var preferredName: String { names.first { $0.hasPrefix("--") } ?? names.first ?? "" }

    /// `--port <port>`, `<file> ...` or `--verbose`.
    var synopsis: String {
        switch kind {
        case .argument: "<\(valueName)>" + (isRepeatable ? " ..." : "")
        case .option: "\(preferredName) <\(valueName)>"
        case .flag: preferredName
        }
    }

    /// The inputs of a command or a group, in the order of its properties.
    static func all(of arguments: some ParsableArguments) -> [Input] {
        Mirror(reflecting: arguments).children.flatMap { label, value -> [Input] in
            guard let label, let source = value as? any InputSource else { return [] }
            // A wrapped property is stored under its name after an underscore.
            return source.inputs(property: label.hasPrefix("_") ? String(label.dropFirst()) : label)
        }
    }

    /// Validates the groups inside, then the arguments themselves.
    static func validate(_ arguments: inout some ParsableArguments) throws {
        for child in Mirror(reflecting: arguments).children {
            try (child.value as? any InputSource)?.validate()
        }
        try arguments.validate()
    }
}

/// A property wrapper that the command line fills.
protocol InputSource {
    func inputs(property: String) -> [Input]
    func validate() throws
}

extension InputSource {
    func validate() throws {}
}

/// Where a wrapper keeps its value, so that what is found by reflection can fill it.
///
/// Assigning to a property makes new storage: copies of a command do not share changes.
final class InputStorage<Value> {
    var value: Value?

    init(_ value: Value?) {
        self.value = value
    }

    /// The value read; a required one exists once parsing succeeded.
    var filled: Value {
        guard let value else { preconditionFailure("A required argument was used before the arguments were parsed.") }
        return value
    }
}
