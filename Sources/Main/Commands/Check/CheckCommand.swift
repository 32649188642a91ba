import FoundationEssentials
import NewsflashCommandLineArguments
import NewsflashOperations

/// `newsflash check`
struct CheckCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Check all that a worker needs: configuration, Kafka, rights, hubs. Nothing is sent or written.",
        discussion: """
            One line per fact: 'ok', 'advice' (works, but could be better) or 'problem', with what to do. Run it before a worker
            goes live and when something is wrong, on the worker's machine, with its configuration, environment and secrets.

            Kafka: each broker of kafka.bootstrapServers (name, port, TLS and authentication are reported separately), the
            topics, the rights of our user (Read and Write per topic, Read on the group) and whether the newest ledger records
            can be decoded. Writing is tried with records that a broker refuses, so nothing is written.

            Ledger: it is read to its end, and the address of each hub (endpoint and name) is compared with the one that the
            ledger has for the same key of hubs. A worker refuses to start if they differ.

            Hubs: name, port, TLS, key, the claim Send, whether the hub exists, and the clock. The test is a send without a
            body, which the hub refuses: nobody receives anything. If the configuration has a section gateway, the key is also
            tested for Listen and Manage.

            --as operator checks the rights of people on call instead: those that withdraw, pause, resume, reload, redrive and the
            other commands need. It needs neither the hub nor its secret.

            --json prints one object per fact and line: area, subject, status, code, message.

            Exit codes: 0 no problem, 1 problems, 69 Kafka or a hub cannot be reached, 78 the configuration or a secret
            cannot be used.

            Examples:
              newsflash check --config newsflash.yaml
              newsflash check && newsflash run
              newsflash check --as operator
              newsflash check --json | jq 'select(.status == "problem")'
            """
    )

    @OptionGroup var options: ConfigurationOptions

    @Option(name: .customLong("as"), help: "The user whose rights are checked.")
    var user: CheckedUser = .worker

    @Flag(help: "Print one JSON object per line for each fact.")
    var json = false

    func run() async throws {
        let checkup = Checkup(file: options.file, result: options.result(), as: user)
        let facts = await SlowOperationNotice.noting("waiting for responses from Kafka and the hub") {
            await checkup.run { fact in
                if json {
                    for line in fact.json { StandardOutput.write(line) }
                } else {
                    StandardOutput.write(laidOut: fact.lines(StandardOutput.style))
                }
            }
        }
        if !json { StandardOutput.write(facts.summary) }
        let code = facts.exitCode
        if code != .success { throw code }
    }
}

extension CheckedUser: ExpressibleByArgument {}
