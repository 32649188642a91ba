import NewsflashKafka
import NewsflashTopicPartitions

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
        note: @escaping @Sendable (String) -> Void = ProgressNotes.current.write,
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
