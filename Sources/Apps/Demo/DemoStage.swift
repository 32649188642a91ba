import NewsflashEvents
import NewsflashHubEmulator
import NewsflashKafka
import NewsflashKafkaMock
import NewsflashObservability
import NewsflashPublishing
import NewsflashStrictJSON
import NewsflashWorker

/// The running parts of the demo.
package struct DemoStage: Sendable {
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
    ///   - languages: The languages of the phones, one for each; ``DemoNewsroom/locales`` has them.
    ///   - admin: The address of the worker's admin server; `nil` for none.
    ///   - write: Prints a line.
    /// - Returns: The running parts.
    /// - Throws: The error of a part that cannot start.
    package static func start(
        port: UInt16,
        languages: [String],
        admin: String?,
        write: @escaping @Sendable (String) -> Void
    ) async throws -> DemoStage {
        let phones = DemoPhones.phones(languages)
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
        let screen = DemoScreen(hub: emulator, phones: phones, write: write)
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
        emulator.setConsoleExtension(DemoPublisher(facts: facts, producer: producer, topic: configuration.source.topic))
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

    package func introduce() {
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
    package func invite() {
        screen.print(
            """
            The phones, and a form to send your own news, are at \(emulator.url ?? "").
            Ctrl-C ends the demo.
            """
        )
    }

    /// Publishes scene after scene, each after the one before it has ended.
    package func play() async {
        for (number, scene) in DemoNewsroom.scenes.enumerated() where !Task.isCancelled {
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
    package var isAsExpected: Bool { screen.isAsExpected(DemoNewsroom.scenes.count) }

    /// Stops all parts, the worker first.
    package func stop() async -> Bool {
        screen.print("\nEnding: the worker finishes what is in flight and commits.")
        let isClean = await worker.stop()
        await gateway.stop()
        await producer.close(deadline: .seconds(2))
        await emulator.stop()
        return isClean
    }
}

/// The desk of the console: news written there goes to Kafka, and through the worker to the phones.
struct DemoPublisher: ConsoleExtension {
    let facts: NewsroomFacts
    let producer: KafkaProducer
    let topic: String

    func writeFacts(to writer: inout JSONWriter) { facts.write(to: &writer) }

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
