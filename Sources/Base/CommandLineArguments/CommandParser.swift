/// A command ready to run, with its path in the tree.
struct ParsedCommand {
    var command: any ParsableCommand
    var path: CommandPath
}

/// Finds the called command and parses its words.
enum CommandParser {
    /// An option of the root only, as its first word.
    static let completionOption = "--generate-completion-script"

    /// Finds the command, handles requests for help, then fills and validates the command.
    static func parse(_ arguments: [String], root: any ParsableCommand.Type) throws -> ParsedCommand {
        var path = CommandPath(root: root)
        var words = arguments[...]
        if words.first == "help", !path.children.isEmpty, path.child(named: "help") == nil {
            try requestHelp(words.dropFirst(), path)
        }
        while let word = words.first, let child = path.child(named: word) {
            path = child
            words = words.dropFirst()
        }
        try answerBuiltIns(words, path)

        let command = path.last.init()
        return ParsedCommand(command: try fill(command, words, path), path: path)
    }

    private static func fill(_ command: some ParsableCommand, _ words: ArraySlice<String>, _ path: CommandPath) throws
        -> any ParsableCommand
    {
        var command = command
        var parser = InputParser(inputs: Input.all(of: command), path: path)
        try parser.parse(words)
        do {
            try Input.validate(&command)
        } catch let error as ValidationError {
            throw path.usageError(.validation, error.message)
        }
        return command
    }

    private static func requestHelp(_ words: ArraySlice<String>, _ root: CommandPath) throws {
        var path = root
        for word in words where !word.hasPrefix("-") {
            guard let child = path.child(named: word) else {
                throw unknownSubcommand(word, path)
            }
            path = child
        }
        throw CleanExit.helpRequest(path.last)
    }

    /// Handles help and version, which take precedence over all mistakes except an unknown subcommand.
    private static func answerBuiltIns(_ words: ArraySlice<String>, _ path: CommandPath) throws {
        let words = words.prefix { $0 != "--" }
        if path.isRoot, let word = words.first, word.hasPrefix(completionOption) {
            let shell =
                word.hasPrefix(completionOption + "=")
                ? String(word.dropFirst(completionOption.count + 1)) : words.dropFirst().first ?? ""
            guard let shell = CompletionShell(rawValue: shell) else {
                let shells = CompletionShell.allValueStrings.joined(separator: ", ")
                throw path.usageError(.invalidValue, "'\(completionOption)' expects one of \(shells).")
            }
            throw CleanExit.message(CompletionScript(shell: shell).text(for: path))
        }
        if let word = misspeltSubcommand(in: words, path) { throw unknownSubcommand(word, path) }
        let names = Set(path.builtInFlags.flatMap(\.names))
        switch words.first(where: names.contains) {
        case "--version": throw CleanExit.message(path.version ?? "")
        case .some: throw CleanExit.helpRequest(path.last)
        case nil: break
        }
    }

    /// Returns a word in the position of a subcommand that is unknown.
    private static func misspeltSubcommand(in words: ArraySlice<String>, _ path: CommandPath) -> String? {
        // A word after an option may be its value.
        guard !path.children.isEmpty, path.inputs.allSatisfy({ $0.kind == .flag }) else { return nil }
        return words.first { !$0.hasPrefix("-") }.flatMap { path.child(named: $0) == nil ? $0 : nil }
    }

    /// Returns the error for an unknown subcommand of this command.
    static func unknownSubcommand(_ word: String, _ path: CommandPath) -> UsageError {
        let hint = CommandPath.hint(for: word, among: path.visibleChildren.map { $0.last.name })
        return path.usageError(.unknownSubcommand, "Unknown subcommand '\(word)'.\(hint)")
    }
}
