/// A command with those above it, from the root down.
struct CommandPath {
    private(set) var types: [any ParsableCommand.Type]

    init(root: any ParsableCommand.Type) {
        types = [root]
    }

    private init(types: [any ParsableCommand.Type]) {
        self.types = types
    }

    /// Where the path starts: the program.
    var root: any ParsableCommand.Type { types[0] }
    /// The command that the path leads to.
    var last: any ParsableCommand.Type { types[types.count - 1] }
    var isRoot: Bool { types.count == 1 }

    /// `newsflash run`.
    var name: String { types.map { $0.name }.joined(separator: " ") }

    /// The nearest version on the way up.
    var version: String? { types.last { !$0.configuration.version.isEmpty }?.configuration.version }

    /// The commands right below, in the order of the configuration.
    var children: [CommandPath] { last.configuration.subcommands.map { CommandPath(types: types + [$0]) } }

    /// Those of them that are shown.
    var visibleChildren: [CommandPath] { children.filter { $0.last.configuration.shouldDisplay } }

    /// This command and all below it.
    var tree: [CommandPath] { [self] + children.flatMap(\.tree) }

    /// This command and all below it that are shown.
    var visibleTree: [CommandPath] { [self] + visibleChildren.flatMap(\.visibleTree) }

    /// The subcommand of that name, if there is one.
    func child(named name: String) -> CommandPath? {
        children.first { $0.last.name == name }
    }

    /// Where a command lies below this one.
    func path(to type: any ParsableCommand.Type) -> CommandPath? {
        tree.first { $0.last == type }
    }

    /// What the command takes, bound to an instance that is thrown away: for help and messages.
    var inputs: [Input] { Input.all(of: last.init()) }

    /// The options that every command has besides its own, unless it declares the name itself.
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

    /// What help and completion show besides the command's own: ``builtInFlags``, and for the program the way to its
    /// completion scripts.
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

    /// An error that names this command and its usage.
    func usageError(_ code: UsageError.Code, _ message: String) -> UsageError {
        UsageError(code: code, message: message, command: name, usage: HelpText.usage(of: self))
    }

    /// The end of a message about an unknown word: the likely one, if any.
    static func hint(for word: String, among candidates: [String]) -> String {
        suggestion(for: word, among: candidates).map { " Did you mean '\($0)'?" } ?? ""
    }
}
