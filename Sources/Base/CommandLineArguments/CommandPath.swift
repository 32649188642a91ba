/// A command with those above it, from the root down.
struct CommandPath {
    private(set) var types: [any ParsableCommand.Type]

    init(root: any ParsableCommand.Type) {
        types = [root]
    }

    private init(types: [any ParsableCommand.Type]) {
        self.types = types
    }

    var root: any ParsableCommand.Type { types[0] }
    var last: any ParsableCommand.Type { types[types.count - 1] }
    var isRoot: Bool { types.count == 1 }

    /// `newsflash run`.
    var name: String { types.map { $0.name }.joined(separator: " ") }

    /// The nearest version on the way up.
    var version: String? { types.last { !$0.configuration.version.isEmpty }?.configuration.version }

    var children: [CommandPath] { last.configuration.subcommands.map { CommandPath(types: types + [$0]) } }

    /// This command and all below it.
    var tree: [CommandPath] { [self] + children.flatMap(\.tree) }

    func child(named name: String) -> CommandPath? {
        children.first { $0.last.name == name }
    }

    /// Where a command lies below this one.
    func path(to type: any ParsableCommand.Type) -> CommandPath? {
        tree.first { $0.last == type }
    }

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

    func usageError(_ code: UsageError.Code, _ message: String) -> UsageError {
        UsageError(code: code, message: message, command: name, usage: HelpText.usage(of: self))
    }

    /// The end of a message about an unknown word: the likely one, if any.
    static func hint(for word: String, among candidates: [String]) -> String {
        suggestion(for: word, among: candidates).map { " Did you mean '\($0)'?" } ?? ""
    }
}
