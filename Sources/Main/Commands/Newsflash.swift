package import CommandLineArguments
import Worker

/// The program: a name, and its subcommands.
package struct Newsflash: AsyncParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "newsflash",
        abstract: "Breaking news from Kafka to phones, through an Azure Notification Hub.",
        discussion: """
            Begin with 'newsflash demo': it needs no Kafka, no hub and no set-up.

            For your own newsroom: write a configuration, check it with 'newsflash lint', look at what an event becomes
            with 'newsflash render' and why with 'newsflash explain', try it on yesterday's with 'newsflash rehearse',
            make the topics with 'newsflash topics create', try it all with 'newsflash check', and start 'newsflash run'.

            At three in the morning: 'newsflash withdraw' withdraws a story, 'newsflash tap' shows what goes out,
            'newsflash status' how the workers are and what to do, 'newsflash outcomes' what became of an event or a story,
            'newsflash dead-letters' what reached nobody and why, and 'newsflash pause' stops a source.

            Completion of commands, options and values in this shell (bash, zsh or fish), and for good with the line in
            its start-up file:
              source <(newsflash completion bash)

            Exit codes: 0 fine, 1 found problems, 64 wrong usage, 65 bad data, 69 service unavailable, 70 internal error,
            78 bad configuration.
            """,
        version: WorkerVersion.current,
        subcommands: [
            // Trying and starting.
            RunCommand.self, DemoCommand.self, LintCommand.self, ConfigCommand.self, CheckCommand.self,
            // What an event would become.
            RenderCommand.self, ExplainCommand.self, RehearseCommand.self,
            // What became of it, and what is done about it.
            WithdrawCommand.self, TapCommand.self, OutcomesCommand.self, DeadLettersCommand.self, ReplayCommand.self,
            // While it runs.
            StatusCommand.self, TopCommand.self, PublishCommand.self, PauseCommand.self, ResumeCommand.self,
            PausesCommand.self, ReloadCommand.self, LogLevelCommand.self,
            // What is around it.
            TopicsCommand.self, GatewayCommand.self, HubCommand.self, BenchCommand.self, CompletionCommand.self,
            BenchPartCommand.self,
        ]
    )

    package init() {}
}
