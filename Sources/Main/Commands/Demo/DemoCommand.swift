import CommandLineArguments
import HTTPServer
import HubEmulator
import Kafka
import KafkaMock
import NewsEvents
import NotificationHubs
import Publishing
import StructuredLog
import Worker

/// `newsflash demo`
struct DemoCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "demo",
        abstract: "Show the whole way with sample events: no Kafka, no hub, no network, no set-up.",
        discussion: """
            Starts an embedded Kafka cluster, an emulated hub and a worker in this process, publishes sample events of a
            newsroom with six categories and four languages, and shows a line for every event's way. Three phones are
            registered at the hub; open the address that it prints in a browser to see what they show, to send news of
            your own, and to sign in on a phone at the gateway that runs beside them. It stays until Ctrl-C.

            Examples:
              newsflash demo
              newsflash demo --phones en,fr,ar,cs --port 8080
              newsflash demo --once      # ends by itself after the sample events
              newsflash demo --admin 127.0.0.1:9464      # beside it: newsflash top --admin 127.0.0.1:9464
            """
    )

    @Option(help: ArgumentHelp("Port of the emulated hub; 0 takes a free one.", valueName: "port"))
    var port: UInt16 = 0

    @Option(help: ArgumentHelp("Languages of the phones: of en, fr, ar and cs.", valueName: "languages"))
    var phones = "en,fr,ar"

    @Option(
        help: ArgumentHelp(
            "Where the worker serves health, status and metrics; left out, nowhere. Port 0 takes a free one.",
            valueName: "host:port"
        )
    )
    var admin: String?

    @Flag(help: "End after the sample events instead of waiting for Ctrl-C.")
    var once = false

    func validate() throws {
        _ = try languages()
        if let admin, ListenAddress(admin) == nil {
            throw ValidationError("'--admin' takes host:port, such as 127.0.0.1:9464; '\(admin)' is none.")
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
        let interrupts = Interrupts()
        let phones = DemoPhones.phones(try languages())
        let stage = try await DemoStage.start(port: port, phones: phones, admin: admin)
        stage.introduce()
        let endsByItself = once
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                await stage.play(DemoNewsroom.scenes)
                guard !endsByItself, !Task.isCancelled else { return }
                stage.invite()
                await interrupts.wait()
            }
            group.addTask { await interrupts.wait() }
            await group.next()
            group.cancelAll()
        }
        interrupts.exitOnSecond()
        let isClean = await stage.stop()
        guard isClean, stage.isAsExpected || !once else {
            throw CommandError(.internalError, "not every sample event ended as it should; see the lines above")
        }
    }
}

/// The parts of the demo, running.
struct DemoStage: Sendable {
    private let cluster: MockCluster
    private let emulator: HubEmulator
    private let producer: KafkaProducer
    private let worker: Worker
    private let gateway: DemoGateway
    private let screen: DemoScreen
    private let topic: String

    /// Starts cluster, hub and worker.
    ///
    /// - Parameters:
    ///   - port: Of the hub; 0 for a free one.
    ///   - phones: Registered at the hub.
    ///   - admin: Where the worker says how it is; `nil` for nowhere.
    /// - Returns: The parts, running.
    /// - Throws: What keeps one from starting.
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
        emulator.setNewsDesk(DemoDesk(facts: facts, producer: producer, topic: configuration.source.topic))
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

            Joining the consumer group takes three seconds. Then, a line for every event: what became of it, what it was,
            where it stood in the topic, what the hub answered, and on whose phones it arrived.

            """
        )
    }

    /// Where the worker says how it is.
    private var health: String { worker.adminPort.map { "; its health is on port \($0)" } ?? "" }

    /// Says what there is to see now.
    func invite() {
        screen.print(
            """
            Look around: the phones, and a form to send news of your own, are at \(emulator.url ?? "").
            Ctrl-C ends the demo.
            """
        )
    }

    /// Publishes scene after scene, each when the one before has ended, as a desk would.
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

    /// Whether every scene ended as the script says.
    var isAsExpected: Bool { screen.isAsExpected(DemoNewsroom.scenes.count) }

    /// Ends all parts, the worker first.
    func stop() async -> Bool {
        screen.print("\nEnding: the worker finishes what is in flight and commits.")
        let isClean = await worker.stop()
        await gateway.stop()
        await producer.close(deadline: .seconds(2))
        await emulator.stop()
        return isClean
    }
}
