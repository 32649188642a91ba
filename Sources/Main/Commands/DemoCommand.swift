import NewsflashCommandLineArguments
import NewsflashDemo
import NewsflashHTTPServer
import NewsflashOperations
import NewsflashWorker

/// `newsflash demo`
struct DemoCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "demo",
        abstract: "Run the whole pipeline with sample events: no Kafka, no hub, no network, no set-up.",
        discussion: """
            Starts an embedded Kafka cluster, an emulated hub and a worker in this process, publishes sample events of a
            newsroom with six categories and four languages, and prints a line per event. Three phones are registered at the
            hub. Open the printed address in a browser to see their notifications, to send your own news, and to sign in on a
            phone at the gateway, which also runs. The demo runs until Ctrl-C or the end of its pipe.

            Exit codes: 0 fine, 69 a port is in use, 70 with --once: not every sample event ended as expected.

            Examples:
              newsflash demo
              newsflash demo --phones en,fr,ar,cs --port 8080
              newsflash demo --once      # ends by itself after the sample events
              newsflash demo --admin-listen 127.0.0.1:9464   # beside it: newsflash top --admin 127.0.0.1:9464
            """
    )

    @Option(help: ArgumentHelp("Port of the emulated hub; 0 chooses a free one.", valueName: "port"))
    var port: UInt16 = 0

    @Option(help: ArgumentHelp("Languages of the phones: any of en, fr, ar, cs.", valueName: "languages"))
    var phones = "en,fr,ar"

    @Option(
        help: ArgumentHelp(
            "Address at which the worker serves health, status and metrics; off by default. Port 0 chooses a free one.",
            valueName: "host:port"
        )
    )
    var adminListen: String?

    @Flag(help: "End after the sample events instead of waiting for Ctrl-C.")
    var once = false

    func validate() throws {
        _ = try languages()
        if let adminListen, ListenAddress(adminListen) == nil {
            throw ValidationError("'--admin-listen \(adminListen)' must be host:port, such as 127.0.0.1:9464.")
        }
    }

    private func languages() throws(ValidationError) -> [String] {
        let languages = phones.split(separator: ",").map { String($0.filter { $0 != " " }) }
        for language in languages where !DemoNewsroom.locales.contains(language) {
            throw ValidationError(
                "'--phones \(phones)': the demo has no news in '\(language)'; it has "
                    + DemoNewsroom.locales.joined(separator: ", ") + "."
            )
        }
        return languages
    }

    func run() async throws {
        let interrupts = InterruptSignals()
        let languages = try languages()
        let stage: DemoStage
        do {
            stage = try await DemoStage.start(
                port: port,
                languages: languages,
                admin: adminListen,
                write: StandardOutput.writeText
            )
        } catch let error as HTTPServerError {
            throw OperationError(.unavailable, error.description)
        } catch let error as WorkerStartError {
            // The demo makes its own configuration, so only the address of --admin-listen can be the cause.
            throw OperationError(.unavailable, error.description)
        }
        stage.introduce()
        let endsByItself = once
        let hasReader = await withTaskGroup(of: Bool.self) { group in
            group.addTask {
                await stage.play()
                guard !endsByItself, !Task.isCancelled else { return true }
                stage.invite()
                await interrupts.wait()
                return true
            }
            group.addTask {
                await interrupts.wait()
                return true
            }
            group.addTask {
                await ClosedOutput.wait()
                return false
            }
            defer { group.cancelAll() }
            return await group.next() ?? true
        }
        interrupts.exitOnSecond()
        let isClean = await stage.stop()
        // Without a reader, as in `demo --once | head`, the events after it are of no interest.
        guard isClean, stage.isAsExpected || !once || !hasReader else {
            throw OperationError(.internalError, "not every sample event ended as expected; see the lines above")
        }
    }
}
