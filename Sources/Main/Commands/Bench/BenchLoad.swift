import HTTPTransport
import NewsEvents
import NotificationHubs
import Publishing
import Timestamps
import Worker

/// What is measured with: events, the configuration of the worker that publishes them, and the same requests ready made.
struct BenchLoad {
    /// How many partitions the source topic has.
    static let partitions = 6
    private static let hub = "newsroom"
    private static let categoryNames = ["World", "Politics", "Business", "Technology", "Science", "Sports"]
    private static let languages = [
        "en", "fr", "de", "es", "it", "pt", "nl", "cs", "pl", "ru", "sv", "tr", "ja", "ko", "ar", "hi",
    ]
    static let mostLocales = languages.count

    var categories: Int { Self.categoryNames.count }

    let events: Int
    let concurrency: Int
    /// Where the hub is.
    let connectionString: String
    let locales: [String]

    init(events: Int, concurrency: Int, locales: Int, connectionString: String) {
        self.events = events
        self.concurrency = concurrency
        self.connectionString = connectionString
        self.locales = Array(Self.languages.prefix(locales))
    }

    /// An event as a desk writes it: a story of its own, one category, a headline and a summary in each language.
    func event(_ number: Int, published: Timestamp) -> NewsEvent {
        let category = Self.categoryNames[number % Self.categoryNames.count]
        return NewsEvent(
            id: "bench-\(number)-1",
            source: "bench",
            story: "bench-\(number)",
            revision: 1,
            kind: .alert,
            published: published,
            categories: [category.lowercased()],
            language: locales.first,
            text: locales.map { locale in
                EventText(
                    language: locale,
                    headline: "\(category) report \(number): talks end without a result after three days",
                    summary: "Delegates left the building shortly before midnight. Both sides said that they would "
                        + "meet again next week; no date was named, and no text was agreed on."
                )
            },
            url: "https://news.example/\(category.lowercased())/\(number)"
        )
    }

    /// The records of all events, as they lie in the source topic.
    func records() -> [[UInt8]] {
        let now = Timestamp.now()
        return (0..<events).map { EventEncoder.encode(event($0, published: now)) }
    }

    /// The configuration of a worker, read as `run` reads it.
    ///
    /// - Throws: ``ConfigurationError``, which only a mistake here can cause.
    func configuration(brokers: String, topic: String) throws(ConfigurationError) -> WorkerConfiguration {
        let categories = Self.categoryNames.map { "  \($0): [\($0.lowercased())]" }.joined(separator: "\n")
        let text = """
            version: 1
            kafka:
              bootstrapServers: "\(brokers)"
              group: "\(topic)"
              # The embedded cluster sleeps through an empty fetch.
              properties: { fetch.wait.max.ms: 10 }
            sources: { desk: { topic: "\(topic)" } }
            topics: { outcomes: "\(topic).outcomes", deadLetters: "\(topic).dead-letters", ledger: "\(topic).ledger" }
            hub: \(Self.hub)
            locales: { offered: [\(locales.joined(separator: ", "))], default: \(locales.first ?? "en") }
            categories:
            \(categories)
            # No slots for express only: the bare rate has none either.
            delivery: { concurrency: \(concurrency), expressReserve: 0 }
            admin: { listen: off }
            # librdkafka warns of what the embedded cluster lacks.
            log: { level: error }
            """
        let environment = ["NEWSFLASH_HUB_CONNECTION_STRING": connectionString]
        return try ConfigurationReader(environment: environment).read(text: text, source: "bench").configuration
    }

    /// The requests that a worker of this configuration makes of the events, one for each.
    ///
    /// - Throws: ``CommandError`` where the hub's address cannot be used.
    func requests(_ configuration: WorkerConfiguration) throws(CommandError) -> [HTTPExchange] {
        let client: HubClient
        do {
            let connection = try HubConnectionString(connectionString)
            client = try HubClient(connection: connection, hub: configuration.hub.name)
        } catch {
            throw CommandError(.badConfiguration, "\(error)")
        }
        let planner = EventPlanner(hub: configuration.hub.name, news: configuration.news)
        let now = Timestamp.now()
        return try (0..<events).map { number throws(CommandError) in
            let event = event(number, published: now)
            let deadline = configuration.publishing.policy.deadline(of: event)
            let plan = planner.plan(event, story: nil, deadline: deadline, now: now)
            guard case .send(let sends, warnings: _) = plan, let send = sends.first, sends.count == 1,
                let request = try? client.request(for: send.message, to: .tags(send.expression))
            else { throw CommandError(.internalError, "event \(number) of the bench does not make one request") }
            return HTTPExchange(id: UInt64(number), request: request)
        }
    }
}
