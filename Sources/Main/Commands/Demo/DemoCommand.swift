import CommandLineArguments
import HTTPServer
import HubEmulator
import Kafka
import KafkaMock
import NewsEvents
import Observability
import Operations
import Publishing
import Worker

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
        let phones = DemoPhones.phones(try languages())
        let stage: DemoStage
        do {
            stage = try await DemoStage.start(port: port, phones: phones, admin: adminListen)
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
                await stage.play(DemoNewsroom.scenes)
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

/// The running parts of the demo.
struct DemoStage: Sendable {
    private let cluster: MockCluster
    private let emulator: HubEmulator
    private let producer: KafkaProducer
    private let worker: Worker
    private let gateway: DemoGateway
    private let screen: DemoScreen
    private let topic: String

    /// Starts the cluster, the hub and the worker.
    ///
    /// - Parameters:
    ///   - port: The port of the hub; 0 for a free one.
    ///   - phones: The phones to register at the hub.
    ///   - admin: The address of the worker's admin server; `nil` for none.
    /// - Returns: The running parts.
    /// - Throws: The error of a part that cannot start.
    static func start(port: UInt16, phones: [SimulatedPhone], admin: String?) async throws -> DemoStage {
        let cluster = try MockCluster(brokers: 1)
        var hub = HubEmulatorConfiguration()
        hub.port = port
        let emulator = HubEmulator(hub)
        try emulator.start()
        try DemoPhones.register(phones, at: emulator)
        let text = DemoNewsroom.configuration(bootstrapServers: cluster.bootstrapServers)
        let connection = emulator.connectionStrings.first ?? ""
        let environment = [
            "NEWSFLASH_HUB_CONNECTION_STRING": connection, "NEWSFLASH_ADMIN_LISTEN": admin ?? "off",
        ]
        var configuration = try ConfigurationReader(environment: environment).read(text: text, source: "demo")
            .configuration
        configuration.secure = SecureSettings(key: (0..<32).map { _ in UInt8.random(in: .min ... .max) })
        let topics = configuration.topics
        for name in [configuration.source.topic, topics.outcomes, topics.deadLetters, configuration.source.ledger] {
            try cluster.createTopic(name, partitions: 6)
        }
        let screen = DemoScreen(hub: emulator, phones: phones)
        let client = KafkaConfiguration(bootstrapServers: cluster.bootstrapServers, clientID: "desk")
        let producer = try KafkaProducer(KafkaProducerConfiguration(client: client), delegate: screen)
        let logger = Logger(label: "demo", level: .error, handler: TextLogHandler())
        let gateway = try DemoGateway.start(configuration, for: emulator.url ?? "", logger: logger)
        let facts = NewsroomFacts(
            categories: DemoNewsroom.categories.map { ($0, $0) },
            locales: DemoNewsroom.locales,
            phones: phones,
            gateway: gateway.facts
        )
        emulator.setNewsPublisher(DemoPublisher(facts: facts, producer: producer, topic: configuration.source.topic))
        let worker = try await Worker.start(configuration, logger: logger, observer: screen)
        return DemoStage(
            cluster: cluster,
            emulator: emulator,
            producer: producer,
            worker: worker,
            gateway: gateway,
            screen: screen,
            topic: configuration.source.topic
        )
    }

    func introduce() {
        screen.print(
            """
            newsflash demo: an embedded Kafka cluster, an emulated Notification Hub and the worker, all in this process.

              Kafka   \(cluster.bootstrapServers)   topic \(topic)
              hub     \(emulator.url ?? "")   open it in a browser: \(screen.phonesInWords)
              worker  six categories, in English, French, Arabic and Czech\(health)
              gateway \(gateway.facts.url)   sign in on a phone as \(gateway.usersInWords)

            Joining the consumer group takes 3 s. Then there is one line per event: its outcome, kind and headline, its
            position in the topic, the hub's response, and the phones on which it arrived.

            """
        )
    }

    /// The port of the worker's admin server, in words.
    private var health: String { worker.adminPort.map { "; its health is on port \($0)" } ?? "" }

    /// Prints what can be seen now.
    func invite() {
        screen.print(
            """
            The phones, and a form to send your own news, are at \(emulator.url ?? "").
            Ctrl-C ends the demo.
            """
        )
    }

    /// Publishes scene after scene, each after the one before it has ended.
    func play(_ scenes: [DemoScene]) async {
        for (number, scene) in scenes.enumerated() where !Task.isCancelled {
            let value = scene.value(number: number)
            let key = scene.story.map { Array("urn:demo:\($0)".utf8) }
            screen.expect(scene, event: scene.eventID(number: number))
            producer.produce([KafkaRecord(topic: topic, key: key, value: value, id: UInt64(number))])
            await screen.nextEnd()
        }
        guard !Task.isCancelled else { return }
        screen.summarize()
    }

    /// Whether every scene ended as expected.
    var isAsExpected: Bool { screen.isAsExpected(DemoNewsroom.scenes.count) }

    /// Stops all parts, the worker first.
    func stop() async -> Bool {
        screen.print("\nEnding: the worker finishes what is in flight and commits.")
        let isClean = await worker.stop()
        await gateway.stop()
        await producer.close(deadline: .seconds(2))
        await emulator.stop()
        return isClean
    }
}

/// The desk of the console: news written there goes to Kafka, and through the worker to the phones.
struct DemoPublisher: NewsPublisher {
    let facts: NewsroomFacts
    let producer: KafkaProducer
    let topic: String

    func publish(_ event: [UInt8]) async -> String? {
        switch EventDecoder(defaultSource: "urn:demo:console").decode(bytes: event) {
        case .event(let event, _):
            let key = Array(event.story.utf8)
            producer.produce([KafkaRecord(topic: topic, key: key, value: EventEncoder.encode(event))])
            let isTaken = await producer.flush(deadline: .seconds(10))
            return isTaken ? nil : "Kafka did not confirm the event within 10 seconds; it may still be published"
        case .rejected(let rejection): return "\(rejection.reason.rawValue): \(rejection.detail)"
        case .tombstone: return "the event has no bytes"
        }
    }
}
