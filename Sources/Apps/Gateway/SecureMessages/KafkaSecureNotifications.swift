package import Kafka
import Locks
import NewsEvents
import NotificationHubs
import Publishing
import Rendering
import Routing
package import StructuredLog
package import Timestamps
package import Worker

/// Finds the words of secure events in the topics that they came from, which it reads from their beginning and without a
/// group.
///
/// Words are served only of events whose outcome says that they were sent, to users who were in the audience. Nothing is said
/// before all is read that was there at the start: a kill may be the last of it. Many gateways may do the same side by side.
package final class KafkaSecureNotifications: SecureNotifications {
    /// What it is enough to remember by default, in bytes.
    package static let usualByteLimit = 64 << 20

    private let configuration: WorkerConfiguration
    private let texts: Shared<SecureTexts>
    private let follower: TopicFollower
    private let renderer: Renderer
    private let patience: Duration
    /// Ends with the next outcomes that are read.
    private let nextOutcomes: Shared<OneShot<Void>>
    private let clock: @Sendable () -> Timestamp

    /// Prepares the search; nothing is read before ``open()``.
    ///
    /// - Parameters:
    ///   - configuration: The worker's: its cluster, its sources, its policy, its languages and words, its key.
    ///   - byteLimit: How much is kept; what was heard of longest ago goes first.
    ///   - logger: For trouble with the cluster; never told anything of the events.
    ///   - patience: How long a request waits for the outcome of its event.
    ///   - clock: The present.
    package init(
        _ configuration: WorkerConfiguration,
        byteLimit: Int = usualByteLimit,
        logger: Logger,
        patience: Duration = .seconds(2),
        clock: @escaping @Sendable () -> Timestamp = { Timestamp.now() }
    ) {
        self.configuration = configuration
        self.patience = patience
        self.clock = clock
        let texts = Shared(
            SecureTexts(
                gate: Gate(policy: configuration.publishing.policy),
                tokens: configuration.secure.tokens,
                hubs: Set(configuration.hubs.filter { $0.mode == .live }.map(\.label)),
                byteLimit: byteLimit
            )
        )
        self.texts = texts
        let nextOutcomes = Shared(OneShot<Void>())
        self.nextOutcomes = nextOutcomes
        let decoders = configuration.sources.decoders
        let outcomes = configuration.topics.outcomes
        let topics = configuration.sources.map(\.topic) + [outcomes]
        follower = TopicFollower(Dictionary(topics.map { ($0, .all) }) { first, _ in first }, logger: logger) {
            messages in
            for message in messages {
                if message.topicPartition.topic == outcomes {
                    guard let record = SecureOutcome.read(message) else { continue }
                    texts.withLock { $0.take(record) }
                    let heard = nextOutcomes.withLock { next in
                        defer { next = OneShot() }
                        return next
                    }
                    heard.end(with: ())
                } else if let event = decoders.event(of: message) {
                    let (topic, partition) = (message.topicPartition.topic, message.topicPartition.partition)
                    let place = SecureStory.Place(partition: partition, offset: message.offset)
                    texts.withLock { $0.take(event, topic: topic, at: place) }
                }
            }
        }
        let news = configuration.news
        renderer = Renderer(locales: news.locales, rules: news.text, limits: news.limits)
    }

    /// Begins to read; call it once.
    ///
    /// - Throws: `KafkaError` that names a property which cannot be used. A cluster that is away is waited for.
    package func open() throws(KafkaError) {
        var settings = KafkaReaderConfiguration(client: configuration.kafka, recovery: .tell)
        // Events, of which few are kept: there is no need for many at once.
        settings.queuedMessagesPerPartition = 5000
        settings.queuedBytesPerPartition = 1 << 20
        settings.emptyFetchWait = .milliseconds(500)
        try follower.open(settings)
    }

    /// Stops to read. What was read may still be asked for.
    package func close() async { await follower.close() }

    /// Whether all is read that was there at the start.
    package var isReady: Bool { follower.isCaughtUp }

    /// Waits until all is read that was there at the start.
    package func waitUntilReady() async { _ = await follower.caughtUp.wait() }

    package func notification(
        _ token: String,
        for reader: SecureReader,
        languages: [String]
    ) async -> SecureNotification {
        guard isReady else { return .unavailable }
        let name = tags(of: reader.name)
        await waitUntilDecided(token, for: name)
        var devices = name
        if texts.withLock({ $0.needsDevices(token, besides: name) }) {
            do throws(GatewayRefusal) {
                devices += try await reader.devices()
            } catch {
                return .unavailable
            }
        }
        switch texts.withLock({ $0.find(token, for: devices, now: clock()) }) {
        case nil: return .notFound
        case .withdrawn: return .withdrawn
        case .undecided: return .unavailable
        case .event(let event, let isFollowing):
            let locale = configuration.news.locales.best(for: languages)
            let kind = event.kind == .correction && !isFollowing ? .alert : TextKind(event.kind) ?? .alert
            guard let text = renderer.render(event, as: kind)?[locale: locale] else { return .notFound }
            return .found(
                SecureText(
                    id: token,
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

    /// Waits for the outcome of an event for a moment: a device may ask as soon as it has the push, and the worker writes the
    /// outcome after that.
    private func waitUntilDecided(_ token: String, for devices: [[Tag]]) async {
        guard isUndecided(token, for: devices) else { return }
        await withTaskGroup(of: Void.self) { group in
            group.addTask { [patience] in try? await Task.sleep(for: patience) }
            group.addTask { [self] in
                while !Task.isCancelled {
                    // Taken before the look, so that no outcome is missed in between.
                    let next = nextOutcomes.withLock { $0 }
                    guard isUndecided(token, for: devices) else { return }
                    _ = await next.wait()
                }
            }
            await group.next()
            group.cancelAll()
        }
    }

    private func isUndecided(_ token: String, for devices: [[Tag]]) -> Bool {
        if case .undecided = texts.withLock({ $0.find(token, for: devices, now: clock()) }) { true } else { false }
    }

    /// The tags that reach a user by name: as events name users, and as the gateway does.
    private func tags(of name: String) -> [[Tag]] {
        let planned = (try? configuration.news.users.plan(users: [name])) ?? []
        return [planned.flatMap(\.expression.tags) + [GatewayUser(name)?.tag].compactMap(\.self)]
    }
}

/// Reads outcomes of secure events.
private enum SecureOutcome {
    private static let mark = Array(#""delivery":"secure""#.utf8)

    /// - Returns: `nil` for what is not the outcome of a secure event, or cannot be read.
    static func read(_ message: KafkaMessage) -> OutcomeRecord? {
        // Most outcomes are of other events, and are not worth reading as a whole.
        guard let value = message.value, value.contains(mark) else { return nil }
        return try? OutcomeRecordReader.read(value.span)
    }
}

extension SourceDecoders {
    /// The event in a record; `nil` if it has no event.
    fileprivate func event(of message: KafkaMessage) -> NewsEvent? {
        let headers = message.headers.map { EventHeader(name: $0.name, value: $0.value) }
        let outcome = message.withValue {
            self[message.topicPartition.topic].decode(value: $0, headers: headers, writtenAt: message.timestamp)
        }
        guard case .event(let event, warnings: _) = outcome else { return nil }
        return event
    }
}
