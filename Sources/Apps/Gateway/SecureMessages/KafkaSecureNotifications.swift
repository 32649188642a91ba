import NewsflashBasics
import NewsflashEvents
package import NewsflashKafka
package import NewsflashObservability
import NewsflashPlanning
import NewsflashPublishing
import NewsflashRendering
import NewsflashRouting
package import NewsflashTimestamps
import NewsflashTopicPartitions
package import NewsflashWorker
import NotificationHubs

/// Finds the texts of secure events in their source topics, which it reads from the beginning and without a consumer group.
///
/// Returns only texts of events whose outcome shows that they were sent, to users in the audience. Responds only after all
/// records that existed at the start are read, because the last one may be a kill. While a topic is missing, or the cluster does
/// not respond, known texts are returned, and no text is reported as missing. Several gateways can do this independently.
package final class KafkaSecureNotifications: SecureNotifications {
    /// The default memory limit in bytes.
    package static let usualByteLimit = 64 << 20

    private let configuration: WorkerConfiguration
    private let texts: Shared<SecureTextCache>
    private let follower: TopicFollower
    private let renderer: Renderer
    private let patience: Duration
    /// Completed when the next events or outcomes are read.
    private let nextRecords: Shared<Promise<Void>>
    private let clock: @Sendable () -> Timestamp

    /// Prepares the search; reading starts with ``open()``.
    ///
    /// - Parameters:
    ///   - configuration: The worker's configuration: cluster, sources, policy, languages, texts and key.
    ///   - byteLimit: The memory limit in bytes; the stories without news for the longest time are dropped first.
    ///   - logger: Logs faults of the cluster, but nothing about the events.
    ///   - patience: How long a request waits for its event and the event's outcome.
    ///   - clock: Returns the current time.
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
            SecureTextCache(
                gate: AdmissionRules(policy: configuration.publishing.policy),
                tokens: configuration.secure.tokens,
                hubs: Set(configuration.hubs.filter { $0.mode == .live }.map(\.label)),
                byteLimit: byteLimit
            )
        )
        self.texts = texts
        let nextRecords = Shared(Promise<Void>())
        self.nextRecords = nextRecords
        let decoders = configuration.sources.decoders
        let outcomes = configuration.topics.outcomes
        let topics = configuration.sources.map(\.topic) + [outcomes]
        follower = TopicFollower(Dictionary(topics.map { ($0, .all) }) { first, _ in first }, logger: logger) {
            messages in
            for message in messages {
                if message.topicPartition.topic == outcomes {
                    guard let record = SecureOutcome.read(message) else { continue }
                    texts.withLock { $0.add(record) }
                } else if let event = decoders.event(of: message) {
                    let (topic, partition) = (message.topicPartition.topic, message.topicPartition.partition)
                    let place = SecureStory.Place(partition: partition, offset: message.offset)
                    texts.withLock { $0.add(event, topic: topic, at: place) }
                }
            }
            let read = nextRecords.withLock { next in
                defer { next = Promise() }
                return next
            }
            read.end(with: ())
        }
        let news = configuration.news
        renderer = Renderer(locales: news.locales, rules: news.text, limits: news.limits)
    }

    /// Starts reading; call it once.
    ///
    /// - Throws: `KafkaError` that names an invalid property. An unavailable cluster is retried.
    package func open() throws(KafkaError) {
        var settings = KafkaReaderConfiguration(client: configuration.kafka, recovery: .tell)
        // Small queues, because only few of the events read are kept.
        settings.queuedMessagesPerPartition = 5000
        settings.queuedBytesPerPartition = 1 << 20
        settings.emptyFetchWait = .milliseconds(500)
        try follower.open(settings)
    }

    /// Stops reading. Texts already read can still be requested.
    package func close() async { await follower.close() }

    /// Whether all records that existed at the start, or when their topic appeared, have been read.
    package var isReady: Bool { follower.isCaughtUp }

    @discardableResult
    package func waitUntilReady() async -> Bool { await follower.caughtUp.wait() ?? false }

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
        // Checked again: a topic that appeared meanwhile may have the kill of an event that was just read from it.
        guard isReady else { return .unavailable }
        let isCurrent = follower.isCurrent
        switch texts.withLock({ $0.find(token, for: devices, now: clock()) }) {
        // The event may be in a topic that is missing, or that cannot be read now.
        case nil: return isCurrent ? .notFound : .unavailable
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

    /// Waits briefly until an event and its outcome are read: a device may request the text as soon as it has the push, which
    /// the worker may have sent before this gateway has read the event, and always before the outcome is written.
    private func waitUntilDecided(_ token: String, for devices: [[Tag]]) async {
        guard isPending(token, for: devices) else { return }
        await withTaskGroup(of: Void.self) { group in
            group.addTask { [patience] in try? await Task.sleep(for: patience) }
            group.addTask { [self] in
                while !Task.isCancelled {
                    // Obtained before the search, so that no record is missed in between.
                    let next = nextRecords.withLock { $0 }
                    guard isPending(token, for: devices) else { return }
                    _ = await next.wait()
                }
            }
            await group.next()
            group.cancelAll()
        }
    }

    private func isPending(_ token: String, for devices: [[Tag]]) -> Bool {
        texts.withLock { $0.isPending(token, for: devices, now: clock()) }
    }

    /// The tags that address a user by name: those planned for events, and the gateway's own.
    private func tags(of name: String) -> [[Tag]] {
        let planned = (try? configuration.news.users.plan(users: [name])) ?? []
        return [planned.flatMap(\.expression.tags) + [GatewayUser(name)?.tag].compactMap(\.self)]
    }
}

/// Decodes the outcomes of secure events.
private enum SecureOutcome {
    private static let mark = Array(#""delivery":"secure""#.utf8)

    /// - Returns: `nil` if the record is not the outcome of a secure event, or cannot be decoded.
    static func read(_ message: KafkaMessage) -> OutcomeRecord? {
        // Most outcomes belong to other events, so decoding them would be a waste.
        guard let value = message.value, value.contains(mark) else { return nil }
        return try? OutcomeRecordReader.read(value.span)
    }
}

extension SourceDecoders {
    /// Returns the event in a record; `nil` if it contains none.
    fileprivate func event(of message: KafkaMessage) -> NewsEvent? {
        let headers = message.headers.map { EventHeader(name: $0.name, value: $0.value) }
        let outcome = message.withValue {
            self[message.topicPartition.topic].decode(value: $0, headers: headers, writtenAt: message.timestamp)
        }
        guard case .event(let event, warnings: _) = outcome else { return nil }
        return event
    }
}
