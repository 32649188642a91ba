import CommandLineArguments
import Kafka
import Timestamps
import TopicPartitions
import Worker

/// Reads topics from a beginning to an end. Both are fixed when the scan starts.
struct TopicScan: Sendable {
    /// The first record to read of each partition.
    enum Beginning: Sendable {
        /// The oldest record.
        case earliest
        /// The first record of that time or later.
        case time(Timestamp)
        /// The record at an offset. Partitions without an offset are not read.
        case offsets([TopicPartition: Int64])
        /// The next record after the present end.
        case present
    }

    /// The end of the scan in each partition.
    enum Ending: Sendable {
        /// After the newest record at the start of the scan.
        case present
        /// Before the first record of that time or later.
        case time(Timestamp)
        /// Before the record at an offset. Partitions without an offset are read to their present end.
        case offsets([TopicPartition: Int64])
        /// No end: records written later are read, too, until the task is cancelled.
        case never
    }

    private let cluster: KafkaConfiguration
    private let topics: [String]
    private let beginning: Beginning
    private let ending: Ending

    init(_ cluster: KafkaConfiguration, topics: [String], from beginning: Beginning, to ending: Ending) {
        self.cluster = cluster
        self.topics = topics
        self.beginning = beginning
        self.ending = ending
    }

    /// Runs the scan.
    ///
    /// - Parameter receive: Called on the reader's thread with messages of one partition, in order; `false` ends the scan.
    /// - Returns: The extent read of each partition, including empty ones.
    /// - Throws: ``CommandError`` if a topic is missing or cannot be read.
    func run(_ receive: @escaping @Sendable ([KafkaMessage]) -> Bool) async throws(CommandError) -> ScanExtent {
        let partitions = try await partitions()
        do throws(KafkaError) {
            let spans = try await spans(of: partitions)
            let reading = ScanReading(spans, receive: receive)
            try await read(spans.filter { !$0.value.isEmpty }, by: reading)
            return reading.extent
        } catch {
            throw CommandError(.unavailable, cluster, error, right: right)
        }
    }

    /// The right that reading needs.
    private var right: String { "Read on the topic \(topics.joined(separator: ", "))" }

    private func read(
        _ spans: [TopicPartition: ScanSpan],
        by reading: ScanReading
    ) async throws(KafkaError) {
        guard !spans.isEmpty else { return }
        let reader = try KafkaReader(KafkaReaderConfiguration(client: cluster, recovery: .tell), delegate: reading)
        for (partition, span) in spans { reader.start(partition, at: .at(span.from)) }
        let failure =
            switch ending {
            case .never: await BrokerMonitor.noting(cluster, topic: topics.first ?? "") { await reading.ended() }
            case .present, .time, .offsets:
                await SlowOperationNotice.noting("reading \(topics.joined(separator: ", "))") { await reading.ended() }
            }
        await reader.close(deadline: .seconds(5))
        if let failure { throw failure }
    }

    /// The partitions of the topics. Lists all topics, because a request for a topic's name may create it.
    private func partitions() async throws(CommandError) -> [TopicPartition] {
        let present: [KafkaTopic]
        do throws(KafkaError) {
            let admin = try KafkaAdmin(cluster)
            present = try await SlowOperationNotice.noting("asking Kafka at \(cluster.bootstrapServers)") {
                () async throws(KafkaError) in
                try await admin.topics()
            }
        } catch {
            throw CommandError(.unavailable, cluster, error, right: right)
        }
        var partitions: [TopicPartition] = []
        for name in topics {
            guard let topic = present.first(where: { $0.name == name }) else {
                throw CommandError(
                    .unavailable,
                    "Kafka at \(cluster.bootstrapServers) has no topic \(name), or does not show it to \(cluster.user): look with "
                        + "'newsflash topics list', make it with 'newsflash topics create'"
                )
            }
            if let error = topic.error { throw CommandError(.unavailable, cluster, error, right: right) }
            partitions += topic.partitions.map { TopicPartition(topic: name, partition: $0.number) }
        }
        guard case .offsets(let offsets) = beginning else { return partitions }
        return partitions.filter { offsets[$0] != nil }
    }

    private func spans(
        of partitions: [TopicPartition]
    ) async throws(KafkaError) -> [TopicPartition: ScanSpan] {
        guard !partitions.isEmpty else { return [:] }
        let admin = try KafkaAdmin(cluster)
        let watermarks = try await admin.watermarks(of: partitions)
        var begins = watermarks.mapValues(\.low)
        switch beginning {
        case .earliest: break
        case .present: begins = watermarks.mapValues(\.high)
        case .time(let time): begins = try await admin.offsets(of: partitions, at: time)
        case .offsets(let offsets): begins.merge(offsets.filter { begins[$0.key] != nil }) { max($0, $1) }
        }
        var ends = watermarks.mapValues(\.high)
        switch ending {
        case .present, .never: break
        case .time(let time): ends.merge(try await admin.offsets(of: partitions, at: time)) { min($0, $1) }
        case .offsets(let offsets): ends.merge(offsets.filter { ends[$0.key] != nil }) { min($0, $1) }
        }
        var spans: [TopicPartition: ScanSpan] = [:]
        for (partition, from) in begins {
            if case .never = ending {
                spans[partition] = ScanSpan(from: from, to: nil)
            } else {
                spans[partition] = ScanSpan(from: from, to: max(from, ends[partition] ?? from))
            }
        }
        return spans
    }
}

/// Prints a note when brokers stop answering during a scan without an end, and when they answer again.
///
/// librdkafka detects a stalled broker only after a minute, and a topic without new records looks the same.
enum BrokerMonitor {
    /// Runs some work, and queries the brokers regularly while it runs.
    ///
    /// - Parameters:
    ///   - cluster: The brokers.
    ///   - topic: A topic whose first partition is queried.
    ///   - pause: The time between two queries, and the timeout of a query.
    ///   - note: Prints a line for people.
    ///   - work: The work, which starts at once.
    /// - Returns: The result of the work.
    static func noting<Result>(
        _ cluster: KafkaConfiguration,
        topic: String,
        pause: Duration = .seconds(5),
        note: @escaping @Sendable (String) -> Void = StandardError.write,
        while work: () async -> Result
    ) async -> Result {
        let watch = Task.detached { await ask(cluster, topic, pause, note) }
        defer { watch.cancel() }
        return await work()
    }

    private static func ask(
        _ cluster: KafkaConfiguration,
        _ topic: String,
        _ pause: Duration,
        _ note: @Sendable (String) -> Void
    ) async {
        var quiet = cluster
        quiet.log = { _ in }
        guard let admin = try? KafkaAdmin(quiet) else { return }
        let partition = TopicPartition(topic: topic, partition: 0)
        var silentSince: ContinuousClock.Instant?
        while (try? await Task.sleep(for: pause)) != nil {
            let asked = ContinuousClock.now
            do throws(KafkaError) {
                // The leader of the partition must answer this.
                _ = try await admin.watermarks(of: partition, timeout: pause)
                guard silentSince != nil else { continue }
                silentSince = nil
                note("Kafka at \(cluster.bootstrapServers) answers again")
            } catch {
                guard silentSince == nil, error.isRetriable || error.meansUnreachable, !Task.isCancelled else {
                    continue
                }
                silentSince = asked
                note("Kafka at \(cluster.bootstrapServers) does not answer; waiting for it, end with Ctrl-C")
            }
        }
    }
}

/// `--since` and `--until`.
struct TimeOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The beginning, by the times of the records: an age such as 30m, 2h or 7d, or an RFC 3339 date-time.",
            valueName: "time"
        )
    )
    var since: String?

    @Option(help: ArgumentHelp("The end, in the same form; without it, now.", valueName: "time"))
    var until: String?

    func validate() throws {
        _ = try range(now: .now())
    }

    /// The times of the options.
    ///
    /// - Parameter now: The current time, from which ages count back.
    /// - Returns: The times; `nil` for options that are not given.
    /// - Throws: `ValidationError` if a time cannot be parsed, or the end is not after the beginning.
    func range(now: Timestamp) throws(ValidationError) -> (since: Timestamp?, until: Timestamp?) {
        let since = try Self.time(self.since, "--since", now)
        let until = try Self.time(self.until, "--until", now)
        if let since, let until, until <= since {
            throw ValidationError("'--until' (\(until.rfc3339)) must be after '--since' (\(since.rfc3339)).")
        }
        return (since, until)
    }

    private static func time(
        _ text: String?,
        _ option: String,
        _ now: Timestamp
    ) throws(ValidationError) -> Timestamp? {
        guard let text else { return nil }
        if let length = Duration(configured: text) { return now - length }
        if let time = Timestamp(rfc3339: text) { return time }
        throw ValidationError(
            "'\(option)' cannot be parsed: write an age such as 30m, 2h or 7d, or a date-time such as "
                + "2026-03-02T08:40:00Z."
        )
    }
}
