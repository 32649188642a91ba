import CommandLineArguments

/// `newsflash completion`
struct CompletionCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "completion",
        abstract: "Print a script that completes commands, options and their values in a shell.",
        discussion: """
            To enable it permanently, add the line to the shell's start-up file: ~/.bashrc, ~/.zshrc after 'compinit', or
            ~/.config/fish/config.fish.

            Examples:
              source <(newsflash completion bash)
              source <(newsflash completion zsh)
              newsflash completion fish | source
            """
    )

    @Argument(help: "The shell.")
    var shell: CompletionShell

    func run() {
        StandardOutput.write(Newsflash.completionScript(for: shell))
    }
}
