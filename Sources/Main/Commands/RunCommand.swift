import CommandLineArguments
import StructuredLog
import Worker

/// `newsflash run`
struct RunCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Read events from Kafka and send them to the hub, until stopped.",
        discussion: """
            SIGTERM or Ctrl-C finishes what is in flight, commits and leaves the group, within delivery.drain (10 s). A
            second one ends at once.

            Health and metrics: /livez, /readyz, /metrics and /status on admin.listen (127.0.0.1:9464).

            Example:
              newsflash run --config newsflash.yaml
            """
    )

    @OptionGroup var options: ConfigurationOptions

    func run() async throws {
        let read = try options.read()
        let logger = read.configuration.log.logger
        for warning in read.warnings {
            logger.warning(
                "the configuration works, but may be mended",
                metadata: ["problem": .string(warning.description)]
            )
        }
        let interrupts = Interrupts()
        let worker = try await start(read.configuration, logger: logger)
        let fault = await withTaskGroup(of: String?.self) { group in
            group.addTask { await worker.waitForFault() }
            group.addTask {
                await interrupts.wait()
                return nil
            }
            let first = await group.next() ?? nil
            group.cancelAll()
            return first
        }
        interrupts.exitOnSecond()
        let isClean = await worker.stop()
        if let fault { throw CommandError(.unavailable, fault) }
        guard isClean else {
            throw CommandError(
                .unavailable,
                "the drain time was not enough: what was in flight is sent again by whoever takes its partition"
            )
        }
    }

    private func start(_ configuration: WorkerConfiguration, logger: Logger) async throws(CommandError) -> Worker {
        do throws(WorkerStartError) {
            return try await Worker.start(configuration, logger: logger)
        } catch {
            throw CommandError(error)
        }
    }
}

extension CommandError {
    init(_ error: WorkerStartError) {
        switch error.code {
        case .configuration: self.init(.badConfiguration, error.description)
        case .kafka: self.init(.unavailable, error.description)
        case .system: self.init(.internalError, error.description)
        }
    }
}
