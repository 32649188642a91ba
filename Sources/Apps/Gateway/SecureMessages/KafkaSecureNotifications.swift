package import Kafka
import Locks
import NewsEvents
import Publishing
import Rendering
package import StructuredLog
package import Timestamps
package import Worker

/// Finds the words of secure events in the topics that they came from, which it reads from their beginning and without a
/// group.
///
/// It decides as the worker does what goes out to readers and what does not, and says nothing before it has read all that was
/// there when it began: a kill may be the last of it. Many gateways may do the same side by side.
package final class KafkaSecureNotifications: SecureNotifications {
    /// What it is enough to remember by default, in bytes.
    package static let usualByteLimit = 64 << 20

    private let configuration: WorkerConfiguration
    private let shelf: SecureShelfReader
    private let renderer: Renderer
    private let clock: @Sendable () -> Timestamp
    private let reading = Locked<Reading?>(nil)

    private struct Reading {
        let reader: KafkaReader
        let survey: Task<Void, Never>
    }

    /// Prepares the search; nothing is read before ``open()``.
    ///
    /// - Parameters:
    ///   - configuration: The worker's: its cluster, its sources, its policy, its languages and words.
    ///   - byteLimit: How much is kept; what was heard of longest ago goes first.
    ///   - logger: For trouble with the cluster; never told anything of the events.
    ///   - clock: The present.
    package init(
        _ configuration: WorkerConfiguration,
        byteLimit: Int = usualByteLimit,
        logger: Logger,
        clock: @escaping @Sendable () -> Timestamp = { Timestamp.now() }
    ) {
        self.configuration = configuration
        self.clock = clock
        let gate = Gate(
            policy: configuration.publishing.policy,
            hasTestHub: configuration.hubs.contains { $0.mode == .test }
        )
        shelf = SecureShelfReader(
            SecureShelf(gate: gate, byteLimit: byteLimit),
            topics: configuration.sources.map(\.topic),
            decoders: configuration.sources.decoders,
            logger: logger,
            clock: clock
        )
        let news = configuration.news
        renderer = Renderer(locales: news.locales, rules: news.text, limits: news.limits)
    }

    /// Begins to read; call it once.
    ///
    /// - Throws: `KafkaError` that names a property which cannot be used. A cluster that is away is waited for.
    package func open() throws(KafkaError) {
        var settings = KafkaReaderConfiguration(client: configuration.kafka)
        // Events, of which few are kept: there is no need for many at once.
        settings.queuedMessagesPerPartition = 5000
        settings.queuedBytesPerPartition = 1 << 20
        settings.emptyFetchWait = .milliseconds(500)
        let admin = try KafkaAdmin(configuration.kafka)
        let reader = try KafkaReader(settings, delegate: shelf)
        // Ended and waited for by `close()`.
        let survey = Task { [shelf] in
            await shelf.survey(by: admin, reader)
        }
        reading.withLock { $0 = Reading(reader: reader, survey: survey) }
    }

    /// Stops to read. What was read may still be asked for.
    package func close() async {
        guard let reading = reading.withLock({ $0.take() }) else { return }
        reading.survey.cancel()
        await reading.survey.value
        await reading.reader.close(deadline: .seconds(5))
    }

    /// Whether all is read that was there at the beginning.
    package var isReady: Bool { shelf.isReady }

    /// Waits until all is read that was there at the beginning.
    package func waitUntilReady() async { _ = await shelf.isCaughtUp.wait() }

    package func notification(_ id: String, for user: String, languages: [String]) async -> SecureNotification {
        guard shelf.isReady else { return .unavailable }
        switch shelf.find(id, for: user, now: clock()) {
        case nil: return .notFound
        case .withdrawn: return .withdrawn
        case .event(let event, let isFollowing):
            let locale = configuration.news.locales.best(for: languages)
            let kind = event.kind == .correction && !isFollowing ? .alert : TextKind(event.kind) ?? .alert
            guard let text = renderer.render(event, as: kind)?[locale: locale] else { return .notFound }
            return .found(
                SecureText(
                    id: id,
                    story: event.story,
                    kind: event.kind.rawValue,
                    locale: text.textFrom,
                    headline: text.headline,
                    summary: text.summary,
                    url: event.url,
                    image: event.image,
                    published: event.published.rfc3339
                )
            )
        }
    }
}
