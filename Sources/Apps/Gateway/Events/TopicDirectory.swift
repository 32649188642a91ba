import NewsflashBasics
import NewsflashKafka
import NewsflashTimestamps

/// Finds out which topics exist. Concurrent requests share one query of the cluster, whose result is valid for a second, so
/// that
/// many requests during an outage cause no more load than one.
final class TopicDirectory: Sendable {
    typealias QueryResult = Result<Set<String>, KafkaError>

    private struct State {
        /// Topics found so far; they are assumed to exist permanently.
        var known: Set<String> = []
        var last: (at: Instant, result: QueryResult)?
        /// The requests that wait for the current query; `nil` if no query is running.
        var waiting: [CheckedContinuation<QueryResult, Never>]?
    }

    private static let memory = Duration.seconds(1)

    private let query: @Sendable () async -> QueryResult
    private let clock: @Sendable () -> Instant
    private let state = Locked(State())

    /// Creates an empty directory.
    ///
    /// - Parameters:
    ///   - clock: Returns the current instant.
    ///   - query: Queries the cluster for the names of all topics.
    init(clock: @escaping @Sendable () -> Instant = { .now }, query: @escaping @Sendable () async -> QueryResult) {
        self.query = query
        self.clock = clock
    }

    /// The error of the last query; `nil` if it succeeded or none was made.
    var fault: KafkaError? {
        state.withLock { state in
            if case .failure(let error) = state.last?.result { error } else { nil }
        }
    }

    /// The number of requests that wait for a query.
    var waitingCount: Int { state.withLock { $0.waiting?.count ?? 0 } }

    /// Whether a topic exists.
    ///
    /// - Throws: `KafkaError` if the cluster cannot be queried.
    func contains(_ topic: String) async throws(KafkaError) -> Bool {
        guard !state.withLock({ $0.known.contains(topic) }) else { return true }
        return try await topics().get().contains(topic)
    }

    private func topics() async -> QueryResult {
        await withCheckedContinuation { continuation in
            let now = clock()
            let (remembered, isFirst) = state.withLock { state -> (QueryResult?, Bool) in
                if let last = state.last, now - last.at < Self.memory { return (last.result, false) }
                defer { state.waiting = (state.waiting ?? []) + [continuation] }
                return (nil, state.waiting == nil)
            }
            if let remembered { return continuation.resume(returning: remembered) }
            guard isFirst else { return }
            // The query has a time-out. It is not cancelled with a request, because others wait for it too.
            Task {
                let found = await query()
                let waiting = state.withLock { state in
                    if case .success(let topics) = found { state.known.formUnion(topics) }
                    state.last = (clock(), found)
                    return state.waiting.take() ?? []
                }
                for continuation in waiting { continuation.resume(returning: found) }
            }
        }
    }
}
