import NewsflashBasics
import NewsflashGuarantees
import NewsflashHubEmulator
import NewsflashTestSupport
import NewsflashTopicPartitions

/// Reads the sends that a hub accepts as they arrive, with the sender for each partition.
final class AcceptanceReader: Sendable {
    private struct State: Sendable {
        var acceptances: [Acceptance] = []
        var owners: [TopicPartition: String] = [:]
        var last: Int64 = 0
        /// The number of sends that the hub removed before they were read.
        var missed: Int64 = 0
        var unreadable: [String] = []

        mutating func see(_ record: SendRecord) {
            if last > 0 { missed += record.sequence - last - 1 }
            last = record.sequence
        }
    }

    /// The error if the hub removed sends before this reader had read them.
    struct Missed: Error {
        var count: Int64
    }

    private let state = Locked(State())
    private let label: String
    private let placeOf: @Sendable (String) -> TopicPartition?
    /// The life of the worker that sent each partition's last accepted request; one entry for each change.
    private let owners = EventLog<[TopicPartition: String]>()
    private let task = Locked<Task<Void, Never>?>(nil)

    /// Starts reading.
    ///
    /// - Parameters:
    ///   - hub: The hub, read from its next send on.
    ///   - label: Its name in the configuration of the workers.
    ///   - place: The partition of an event, if it is known already.
    init(_ hub: HubEmulator, label: String, place: @escaping @Sendable (String) -> TopicPartition?) {
        self.label = label
        placeOf = place
        let sends = hub.sendStream()
        let task = Task { [weak self] in
            for await record in sends { self?.receive(record) }
        }
        self.task.withLock { $0 = task }
    }

    /// Ends reading.
    func close() {
        task.withLock { $0 }?.cancel()
    }

    private func receive(_ record: SendRecord) {
        guard !record.isProbe else { return state.withLock { $0.see(record) } }
        let acceptance = Result { try Acceptance(record, at: label) }
        let partition = (try? acceptance.get()).flatMap { placeOf($0.event) }
        let changed = state.withLock { state -> [TopicPartition: String]? in
            state.see(record)
            switch acceptance {
            case .failure: state.unreadable.append(record.text)
            case .success(let acceptance):
                state.acceptances.append(acceptance)
                guard let partition, state.owners[partition] != acceptance.worker else { return nil }
                state.owners[partition] = acceptance.worker
                return state.owners
            }
            return nil
        }
        if let changed { owners.append(changed) }
    }

    /// All acceptances read so far, in the order of the hub.
    var acceptances: [Acceptance] { state.withLock { $0.acceptances } }

    /// All acceptances of the hub, in its order, however old.
    ///
    /// - Parameter kept: The sends that the hub still has; unread ones are added.
    /// - Returns: The acceptances read so far, and those after them.
    /// - Throws: ``Missed``, or ``Acceptance/Unreadable`` if the hub accepted a request that none of the workers sends.
    func all(with kept: [SendRecord]) throws -> [Acceptance] {
        let state = state.withLock { $0 }
        let first = kept.first?.sequence ?? 0
        let missed = state.missed + max(0, state.last > 0 ? first - state.last - 1 : 0)
        guard missed == 0 else { throw Missed(count: missed) }
        if let body = state.unreadable.first { throw Acceptance.Unreadable(body: body) }
        return try state.acceptances
            + kept.lazy.filter { $0.sequence > state.last && !$0.isProbe }.map { try Acceptance($0, at: label) }
    }

    /// The bodies of sends that are not from the workers.
    var unreadable: [String] { state.withLock { $0.unreadable } }

    /// The sequence number of the last send that was read.
    var last: Int64 { state.withLock { $0.last } }

    /// Waits until the last acceptances of the partitions come from the right workers.
    ///
    /// - Parameter isRight: Checks the life of the worker that sent each partition's last accepted request.
    /// - Throws: `CancellationError` if the task is cancelled.
    func waitForOwners(_ isRight: @escaping @Sendable ([TopicPartition: String]) -> Bool) async throws {
        try await owners.wait { $0.last.map(isRight) == true ? () : nil }
    }

    /// The sender of the last accepted request of each partition.
    var presentOwners: [TopicPartition: String] { state.withLock { $0.owners } }
}
