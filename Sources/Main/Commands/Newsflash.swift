package import NewsflashCommandLineArguments
import NewsflashWorker

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

            To complete commands, options and values, run the line for this shell; to complete them in every shell, put it
            into ~/.bashrc, ~/.zshrc after 'compinit', or ~/.config/fish/config.fish:
              source <(newsflash --generate-completion-script bash)
              source <(newsflash --generate-completion-script zsh)
              newsflash --generate-completion-script fish | source

            Exit codes: 0 fine, 1 found problems, 64 wrong usage, 65 bad data, 69 service unavailable, 70 internal error,
            78 bad configuration.
            """,
        version: WorkerVersion.current,
        groupedSubcommands: [
            CommandGroup(
                name: "Try and start",
                subcommands: [
                    DemoCommand.self, LintCommand.self, ConfigCommand.self, TopicsCommand.self, CheckCommand.self,
                    RunCommand.self,
                ]
            ),
            CommandGroup(
                name: "Preview",
                subcommands: [ExplainCommand.self, CaptureCommand.self, RehearseCommand.self]
            ),
            CommandGroup(
                name: "On call",
                subcommands: [
                    WithdrawCommand.self, PauseCommand.self, ResumeCommand.self, PausesCommand.self, StatusCommand.self,
                    TopCommand.self, TapCommand.self, OutcomesCommand.self, DeadLettersCommand.self,
                ]
            ),
            CommandGroup(
                name: "Operate",
                subcommands: [
                    PublishCommand.self, ReplayCommand.self, ReloadCommand.self, LogLevelCommand.self,
                ]
            ),
            CommandGroup(name: "Services", subcommands: [GatewayCommand.self, HubCommand.self]),
        ]
    )

    package init() {}
}
