import Kafka
import Locks
import Timestamps

/// Knows which topics exist. One look at the cluster serves all who wait, and what it found holds for a second: so any number of
/// requests costs no more while the cluster is away than one.
final class TopicDirectory: Sendable {
    typealias Look = Result<Set<String>, KafkaError>

    private struct State {
        /// Topics that were seen once: they stay.
        var known: Set<String> = []
        var last: (at: Instant, look: Look)?
        /// The requests that wait for the look that is being taken; `nil` if none is.
        var waiting: [CheckedContinuation<Look, Never>]?
    }

    private static let memory = Duration.seconds(1)

    private let look: @Sendable () async -> Look
    private let clock: @Sendable () -> Instant
    private let state = Locked(State())

    /// Makes a directory that knows nothing yet.
    ///
    /// - Parameters:
    ///   - clock: Returns the present instant.
    ///   - look: Asks the cluster for the names of all topics.
    init(clock: @escaping @Sendable () -> Instant = { .now }, look: @escaping @Sendable () async -> Look) {
        self.look = look
        self.clock = clock
    }

    /// Why the last look failed; `nil` if it did not, or none was taken.
    var fault: KafkaError? {
        state.withLock { state in
            if case .failure(let error) = state.last?.look { error } else { nil }
        }
    }

    /// How many requests wait for a look.
    var waitingCount: Int { state.withLock { $0.waiting?.count ?? 0 } }

    /// Whether a topic exists.
    ///
    /// - Throws: `KafkaError` if the cluster cannot be asked.
    func contains(_ topic: String) async throws(KafkaError) -> Bool {
        guard !state.withLock({ $0.known.contains(topic) }) else { return true }
        return try await topics().get().contains(topic)
    }

    private func topics() async -> Look {
        await withCheckedContinuation { continuation in
            let now = clock()
            let (remembered, isFirst) = state.withLock { state -> (Look?, Bool) in
                if let last = state.last, now - last.at < Self.memory { return (last.look, false) }
                defer { state.waiting = (state.waiting ?? []) + [continuation] }
                return (nil, state.waiting == nil)
            }
            if let remembered { return continuation.resume(returning: remembered) }
            guard isFirst else { return }
            // Ends with the look, which has a time-out; nobody cancels it, since others wait for it too.
            Task {
                let found = await look()
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
