/// A command with its parents, starting at the root.
struct CommandPath {
    private(set) var types: [any ParsableCommand.Type]

    init(root: any ParsableCommand.Type) {
        types = [root]
    }

    private init(types: [any ParsableCommand.Type]) {
        self.types = types
    }

    /// The root of the path: the program.
    var root: any ParsableCommand.Type { types[0] }
    /// The command at the end of the path.
    var last: any ParsableCommand.Type { types[types.count - 1] }
    var isRoot: Bool { types.count == 1 }

    /// The path in words, such as `newsflash run`.
    var name: String { types.map { $0.name }.joined(separator: " ") }

    /// The version of the nearest command that has one, going up from this command.
    var version: String? { types.last { !$0.configuration.version.isEmpty }?.configuration.version }

    /// The direct subcommands, in the order of the configuration.
    var children: [CommandPath] { last.configuration.subcommands.map { CommandPath(types: types + [$0]) } }

    /// The direct subcommands that are shown.
    var visibleChildren: [CommandPath] { children.filter { $0.last.configuration.shouldDisplay } }

    /// This command and all commands below it.
    var tree: [CommandPath] { [self] + children.flatMap(\.tree) }

    /// This command and all shown commands below it.
    var visibleTree: [CommandPath] { [self] + visibleChildren.flatMap(\.visibleTree) }

    /// Returns the subcommand of a name, if it exists.
    func child(named name: String) -> CommandPath? {
        children.first { $0.last.name == name }
    }

    /// Returns the path of a command below this one.
    func path(to type: any ParsableCommand.Type) -> CommandPath? {
        tree.first { $0.last == type }
    }

    /// The inputs of the command, bound to a discarded instance; for help and messages.
    var inputs: [Input] { Input.all(of: last.init()) }

    /// The options that every command has in addition, unless it declares the name itself.
    var builtInFlags: [Input] {
        var flags = [
            Input(kind: .flag, names: ["--help", "-h"], valueName: "", help: "Show this help.") { _, _ in true }
        ]
        if version != nil {
            flags.insert(
                Input(kind: .flag, names: ["--version"], valueName: "", help: "Show the version.") { _, _ in true },
                at: 0
            )
        }
        let own = Set(inputs.flatMap(\.names))
        return flags.compactMap { flag in
            var flag = flag
            flag.names.removeAll { own.contains($0) }
            return flag.names.isEmpty ? nil : flag
        }
    }

    /// The additional options in help and completion: ``builtInFlags``, and for the root the option for completion scripts.
    var shownBuiltIns: [Input] {
        guard isRoot else { return builtInFlags }
        let script = Input(
            kind: .option,
            names: [CommandParser.completionOption],
            valueName: "shell",
            help: "Print a script that completes commands and options.",
            allowedValues: CompletionShell.allValueStrings
        ) { _, _ in true }
        return builtInFlags + [script]
    }

    /// Returns an error that names this command and its usage.
    func usageError(_ code: UsageError.Code, _ message: String) -> UsageError {
        UsageError(code: code, message: message, command: name, usage: HelpText.usage(of: self))
    }

    /// Returns the end of a message about an unknown word: a suggestion, if any.
    static func hint(for word: String, among candidates: [String]) -> String {
        suggestion(for: word, among: candidates).map { " Did you mean '\($0)'?" } ?? ""
    }
}
