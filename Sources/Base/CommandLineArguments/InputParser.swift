/// Parses the words after a command's name into its inputs.
struct InputParser {
    private let inputs: [Input]
    private let path: CommandPath
    private var given: Set<Int> = []
    private var positional: [String] = []

    init(inputs: [Input], path: CommandPath) {
        self.inputs = inputs
        self.path = path
    }

    /// Parses all words, then checks that nothing required is missing.
    mutating func parse(_ words: ArraySlice<String>) throws(UsageError) {
        var rest = words
        while let word = rest.popFirst() {
            if word == "--" {
                positional += rest
                break
            } else if word.hasPrefix("--") {
                let (name, value) = split(word)
                try readNamed(name, value, &rest)
            } else if looksLikeOption(word) {
                try readShort(word, &rest)
            } else {
                positional.append(word)
            }
        }
        try readPositional()
        try checkRequired()
    }

    /// Returns whether a word is an option. A single hyphen means the standard input; a hyphen before a digit begins a
    /// negative number, unless it is the name of an option.
    private func looksLikeOption(_ word: String) -> Bool {
        guard word.hasPrefix("-"), word != "-" else { return false }
        return word.dropFirst().first?.isNumber != true || index(named: String(word.prefix(2))) != nil
    }

    private func index(named name: String) -> Int? {
        inputs.firstIndex { $0.names.contains(name) }
    }

    private func split(_ word: String) -> (name: String, value: String?) {
        guard let equals = word.firstIndex(of: "=") else { return (word, nil) }
        return (String(word[..<equals]), String(word[word.index(after: equals)...]))
    }

    private mutating func readShort(_ word: String, _ rest: inout ArraySlice<String>) throws(UsageError) {
        let (name, value) = split(word)
        let letters = name.dropFirst()
        for (offset, letter) in letters.enumerated() {
            let isLast = offset == letters.count - 1
            guard let index = index(named: "-\(letter)") else {
                throw unknownOption(letters.count == 1 ? name : "-\(letter)", in: name)
            }
            if !isLast, inputs[index].kind == .option {
                throw path.usageError(
                    .missingValue,
                    "Missing value for '-\(letter) <\(inputs[index].valueName)>' in '\(name)': "
                        + "an option with a value must be the last letter."
                )
            }
            try readNamed("-\(letter)", isLast ? value : nil, &rest)
        }
    }

    private mutating func readNamed(
        _ name: String,
        _ value: String?,
        _ rest: inout ArraySlice<String>
    ) throws(UsageError) {
        guard let index = index(named: name) else { throw unknownOption(name, in: name) }
        let input = inputs[index]
        if input.kind == .flag {
            guard value == nil else { throw path.usageError(.unexpectedValue, "The flag '\(name)' takes no value.") }
            try read("", into: index, name)
            return
        }
        let label = "\(name) <\(input.valueName)>"
        if !input.isRepeatable, given.contains(index) {
            throw path.usageError(.repeatedOption, "The option '\(label)' was given twice; it takes one value.")
        }
        if let value {
            try read(value, into: index, label)
        } else if let next = rest.first, !looksLikeOption(next) {
            rest.removeFirst()
            try read(next, into: index, label)
        } else {
            throw path.usageError(.missingValue, "Missing value for '\(label)'.")
        }
    }

    private mutating func readPositional() throws(UsageError) {
        var rest = positional[...]
        for index in inputs.indices where inputs[index].kind == .argument {
            let count = inputs[index].isRepeatable ? rest.count : min(1, rest.count)
            for word in rest.prefix(count) {
                try read(word, into: index, "<\(inputs[index].valueName)>")
            }
            rest = rest.dropFirst(count)
        }
        guard let word = rest.first else { return }
        let takesArguments = inputs.contains { $0.kind == .argument }
        if !path.children.isEmpty, !takesArguments { throw CommandParser.unknownSubcommand(word, path) }
        throw path.usageError(.unexpectedArgument, "Unexpected argument '\(word)'.")
    }

    private mutating func read(_ word: String, into index: Int, _ label: String) throws(UsageError) {
        let isFirst = given.insert(index).inserted
        if inputs[index].read(word, isFirst) { return }
        let expected = inputs[index].expected
        let hint = CommandPath.hint(for: word, among: inputs[index].allowedValues)
        throw path.usageError(
            .invalidValue,
            "The value '\(word)' is invalid for '\(label)': expected \(expected).\(hint)"
        )
    }

    private func checkRequired() throws(UsageError) {
        for (index, input) in inputs.enumerated() where input.isRequired && !given.contains(index) {
            if input.kind == .argument {
                throw path.usageError(.missingArgument, "Missing argument '<\(input.valueName)>'.")
            }
            throw path.usageError(.missingOption, "Missing option '\(input.synopsis)'.")
        }
    }

    private func unknownOption(_ name: String, in word: String) -> UsageError {
        let known = (inputs.filter(\.isVisible) + path.shownBuiltIns).flatMap(\.names).filter { $0.hasPrefix("--") }
        // `-config` is parsed as letters, but a long name was probably meant.
        let meant = word.hasPrefix("--") ? word : word.count > 2 ? "-" + word : ""
        let hint = meant.isEmpty ? "" : CommandPath.hint(for: meant, among: known)
        let place = name == word ? "" : " in '\(word)'"
        return path.usageError(.unknownOption, "Unknown option '\(name)'\(place).\(hint)")
    }
}
