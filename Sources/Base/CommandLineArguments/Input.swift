/// An argument, option or flag, bound to the property it fills.
struct Input {
    enum Kind {
        case argument, option, flag
    }

    var kind: Kind
    /// The names on the command line; empty for a positional argument.
    var names: [String] = []
    var valueName: String
    var help: ArgumentHelp
    var isRequired = false
    var isRepeatable = false
    var defaultText: String?
    var allowedValues: [String] = []
    var expected = ""
    /// Fills the property; returns `false` if the word is not a valid value.
    ///
    /// The second parameter is `true` for the first word, which replaces the default; later words add to it.
    var read: (_ word: String, _ isFirst: Bool) -> Bool

    var isVisible: Bool { help.visibility == .default }

    /// The long name if there is one, for messages.
    var preferredName: String { names.first { $0.hasPrefix("--") } ?? names.first ?? "" }

    /// `--port <port>`, `<file> ...` or `--verbose`.
    var synopsis: String {
        switch kind {
        case .argument: "<\(valueName)>" + (isRepeatable ? " ..." : "")
        case .option: "\(preferredName) <\(valueName)>"
        case .flag: preferredName
        }
    }

    /// Returns the inputs of a command or a group, in the order of its properties.
    static func all(of arguments: some ParsableArguments) -> [Input] {
        Mirror(reflecting: arguments).children.flatMap { label, value -> [Input] in
            guard let label, let source = value as? any InputSource else { return [] }
            // A wrapped property is stored under its name after an underscore.
            return source.inputs(property: label.hasPrefix("_") ? String(label.dropFirst()) : label)
        }
    }

    /// Validates the nested groups, then the arguments themselves.
    static func validate(_ arguments: inout some ParsableArguments) throws {
        for child in Mirror(reflecting: arguments).children {
            try (child.value as? any InputSource)?.validate()
        }
        try arguments.validate()
    }
}

/// A property wrapper filled from the command line.
protocol InputSource {
    func inputs(property: String) -> [Input]
    func validate() throws
}

extension InputSource {
    func validate() throws {}
}

/// The storage of a wrapper, a class so that parsing can fill it through reflection.
///
/// Assigning to a property creates new storage, so copies of a command do not share changes.
final class InputStorage<Value> {
    var value: Value?

    init(_ value: Value?) {
        self.value = value
    }

    /// The parsed value; a required one exists after parsing.
    var filled: Value {
        guard let value else { preconditionFailure("A required argument was used before the arguments were parsed.") }
        return value
    }
}
