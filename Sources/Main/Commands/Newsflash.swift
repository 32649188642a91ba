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
            make the topics with 'newsflash topics create', and start 'newsflash run'.

            Completion of commands and options in this shell, and for good with the line in its start-up file:
              source <(newsflash --generate-completion-script bash)

            Exit codes: 0 fine, 1 found problems, 64 wrong usage, 65 bad data, 69 service unavailable, 70 internal error,
            78 bad configuration.
            """,
        version: WorkerVersion.current,
        subcommands: [
            RunCommand.self, DemoCommand.self, PublishCommand.self, RenderCommand.self, ExplainCommand.self,
            RehearseCommand.self, LintCommand.self, HoldCommand.self, ReleaseCommand.self, HoldsCommand.self,
            OutcomesCommand.self, DeadLettersCommand.self, TopicsCommand.self, GatewayCommand.self, HubCommand.self,
            BenchCommand.self, BenchPartCommand.self,
        ]
    )

    package init() {}
}
