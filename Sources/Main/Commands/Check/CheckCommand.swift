import CommandLineArguments
import FoundationEssentials

/// `newsflash check`
struct CheckCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Try all that a worker needs: configuration, Kafka, rights, hubs. Nothing is sent or written.",
        discussion: """
            One line a fact: 'ok', 'advice' (works, and could be better) or 'problem', with what to do. It is for the hour
            before a worker goes live, and for three in the morning: run it where the worker runs, with its configuration,
            its environment and its secrets.

            Kafka: each broker of kafka.bootstrapServers (name, port, TLS and signing in are told apart), the topics, the
            rights of our user (Read and Write by topic, Read on the group) and whether the newest records of the ledger
            are understood. Writing is tried with records that a broker refuses, so nothing is written.

            Ledger: it is read to its end, and the address of each hub (endpoint and name) is compared with the one that the
            ledger has for the same key of hubs. A worker refuses to start if they differ.

            Hubs: name, port, TLS, key, the claim Send, whether the hub is there, and the clock. The hub is asked by a send
            without a body, which it refuses: nothing is sent to anyone. Where the configuration has a section gateway,
            the key is tried for Listen and Manage too.

            --json writes one object a fact, a line each: area, subject, status, code, message.

            Exit codes: 0 no problem, 1 problems, 69 Kafka or a hub cannot be reached, 78 the configuration or a secret
            cannot be used.

            Examples:
              newsflash check --config newsflash.yaml
              newsflash check && newsflash run
              newsflash check --json | jq 'select(.status == "problem")'
            """
    )

    @OptionGroup var options: ConfigurationOptions

    @Flag(help: "One JSON object for each fact, a line each.")
    var json = false

    func run() async throws {
        let checkup = Checkup(file: options.file, result: options.result())
        let style = TerminalStyle.standardOutput(ProcessInfo.processInfo.environment)
        let facts = await Patience.noting("waiting for answers of Kafka and the hub") {
            await checkup.run { fact in StandardOutput.write(json ? fact.json : Array(fact.line(style).utf8)) }
        }
        if !json { StandardOutput.write(facts.summary) }
        let code = facts.exitCode
        if code != .success { throw code }
    }
}
