/// The help of a command, at most 80 columns wide if the words allow it.
enum HelpText {
    private static let width = 80
    private static let column = 28

    /// Returns abstract, usage, tables and, at the end, the discussion verbatim.
    static func text(for path: CommandPath) -> String {
        let configuration = path.last.configuration
        let inputs = path.inputs.filter(\.isVisible)
        let options = inputs.filter { $0.kind != .argument } + path.shownBuiltIns
        var sections: [String] = []
        if !configuration.abstract.isEmpty { sections.append(configuration.abstract.wrapped(to: width)) }
        sections.append("USAGE: " + usage(of: path))
        sections += section(
            "ARGUMENTS",
            inputs.filter { $0.kind == .argument }.map { ($0.synopsis, description(of: $0)) }
        )
        sections += section("OPTIONS", options.map { (label(of: $0), description(of: $0)) })
        sections += section("SUBCOMMANDS", rows(of: configuration.ungroupedSubcommands))
        for group in configuration.groupedSubcommands {
            sections += section(group.name.uppercased(), rows(of: group.subcommands))
        }
        if !path.visibleChildren.isEmpty {
            let below = path.types.dropFirst().map { $0.name + " " }.joined()
            sections.append("See '\(path.root.name) help \(below)<subcommand>' for the help of a subcommand.")
        }
        if !configuration.discussion.isEmpty { sections.append(configuration.discussion) }
        return sections.joined(separator: "\n\n")
    }

    /// Returns the usage line; optional options are listed if they fit in a line.
    static func usage(of path: CommandPath) -> String {
        if let usage = path.last.configuration.usage { return usage }
        let inputs = path.inputs.filter(\.isVisible)
        let optional = inputs.filter { $0.kind != .argument && !$0.isRequired }.map { "[\($0.synopsis)]" }
        let required = inputs.filter { $0.kind == .option && $0.isRequired }.map(\.synopsis)
        var arguments = inputs.filter { $0.kind == .argument }.map { $0.isRequired ? $0.synopsis : "[\($0.synopsis)]" }
        if !path.visibleChildren.isEmpty { arguments.append("<subcommand>") }

        let full = ([path.name] + required + optional + arguments).joined(separator: " ")
        if "USAGE: ".count + full.count <= width { return full }
        let options = optional.isEmpty ? [] : ["[<options>]"]
        return ([path.name] + required + options + arguments).joined(separator: " ")
    }

    /// Returns the names and abstracts of the visible commands.
    private static func rows(of commands: [any ParsableCommand.Type]) -> [(label: String, text: String)] {
        commands.filter { $0.configuration.shouldDisplay }.map { ($0.name, $0.configuration.abstract) }
    }

    private static func label(of input: Input) -> String {
        // Short names have their own column, so that long names are aligned.
        let short = input.names.filter { !$0.hasPrefix("--") }
        let long = input.names.filter { $0.hasPrefix("--") }
        let names = (short + long).joined(separator: ", ")
        return (short.isEmpty ? "    " : "") + names + (input.kind == .option ? " <\(input.valueName)>" : "")
    }

    private static func description(of input: Input) -> String {
        var facts: [String] = []
        if input.kind == .option, input.isRequired { facts.append("required") }
        if input.kind == .option, input.isRepeatable { facts.append("may be repeated") }
        if !input.allowedValues.isEmpty { facts.append("values: " + input.allowedValues.joined(separator: ", ")) }
        if let text = input.defaultText { facts.append("default: " + text) }
        let abstract = input.help.abstract
        return facts.isEmpty
            ? abstract : abstract + (abstract.isEmpty ? "(" : " (") + facts.joined(separator: "; ") + ")"
    }

    private static func section(_ title: String, _ rows: [(label: String, text: String)]) -> [String] {
        guard !rows.isEmpty else { return [] }
        let indent = String(repeating: " ", count: column)
        let lines = rows.map { row in
            let label = "  " + row.label
            let text = row.text.wrapped(to: width - column).replacingLineBreaks(with: "\n" + indent)
            if text.isEmpty { return label }
            if label.count + 2 > column { return label + "\n" + indent + text }
            return label + String(repeating: " ", count: column - label.count) + text
        }
        return [title + ":\n" + lines.joined(separator: "\n")]
    }
}

extension String {
    /// Breaks lines between words; a word that is too long gets its own line.
    fileprivate func wrapped(to width: Int) -> String {
        var lines: [String] = []
        for word in split(whereSeparator: \.isWhitespace) {
            if let last = lines.last, last.count + 1 + word.count <= width {
                lines[lines.count - 1] += " " + word
            } else {
                lines.append(String(word))
            }
        }
        return lines.joined(separator: "\n")
    }

    fileprivate func replacingLineBreaks(with separator: String) -> String {
        split(separator: "\n").joined(separator: separator)
    }
}
