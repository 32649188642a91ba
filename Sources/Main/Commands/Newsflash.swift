package import CommandLineArguments
import Operations
import Worker

/// The program and its subcommands.
package struct Newsflash: AsyncParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "newsflash",
        abstract: "Breaking news from Kafka to phones, through an Azure Notification Hub.",
        discussion: """
            Begin with 'newsflash demo': it needs no Kafka, no hub and no setup.

            For your own newsroom: write a configuration and check it with 'newsflash lint'. See what an event becomes, and
            why, with 'newsflash explain'. Copy yesterday's events with 'newsflash capture', and try the rules on them with
            'newsflash rehearse'. Create the topics with 'newsflash topics apply', check everything with 'newsflash check',
            and start 'newsflash run'.

            At three in the morning: 'newsflash withdraw' withdraws a story, 'newsflash tap' shows what is sent, 'newsflash
            status' shows whether the workers work and what to do, 'newsflash outcomes' shows what happened to an event or
            a story, 'newsflash dead-letters' shows what was not sent and why, and 'newsflash pause' stops a source.

            To complete commands, options and values in this shell (bash, zsh or fish), run this line; to complete them in
            every shell, put the line into the start-up file of the shell:
              source <(newsflash completion bash)

            Exit codes: 0 fine, 1 found problems, 64 wrong usage, 65 bad data, 69 service unavailable, 70 internal error,
            78 bad configuration.
            """,
        version: WorkerVersion.current,
        subcommands: [
            // Try and start.
            RunCommand.self, DemoCommand.self, LintCommand.self, ConfigCommand.self, CheckCommand.self,
            // Preview events.
            ExplainCommand.self, CaptureCommand.self, RehearseCommand.self,
            // Look up results and act on them.
            WithdrawCommand.self, TapCommand.self, OutcomesCommand.self, DeadLettersCommand.self, ReplayCommand.self,
            // Operate running workers.
            StatusCommand.self, TopCommand.self, PublishCommand.self, PauseCommand.self, ResumeCommand.self,
            PausesCommand.self, ReloadCommand.self, LogLevelCommand.self,
            // Other services and tools.
            TopicsCommand.self, GatewayCommand.self, HubCommand.self, CompletionCommand.self,
        ]
    )

    package init() {}
}

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
