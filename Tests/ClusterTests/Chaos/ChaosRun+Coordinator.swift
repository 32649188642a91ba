import NewsflashKafka
import NewsflashTimestamps
import Testing

extension ChaosRun {
    /// The broker that coordinates the workers' group: the leader of the group's partition of `__consumer_offsets`.
    ///
    /// - Returns: Its id, from 1.
    /// - Throws: `KafkaError` if no broker responds.
    func coordinator() async throws -> Int32 {
        let offsets = try #require(try await newsroom.admin.topic("__consumer_offsets"))
        let number = coordinatingPartition(of: newsroom.group, among: offsets.partitions.count)
        let partition = try #require(offsets.partitions.first { Int($0.number) == number })
        return try #require(partition.leader)
    }

    /// Waits until another broker coordinates the workers' group.
    ///
    /// - Parameter broker: The coordinator until then.
    /// - Returns: The time of the move.
    /// - Throws: `CancellationError` if the task is cancelled.
    func coordinatorMoves(from broker: Int32) async throws -> Timestamp {
        while await (try? coordinator()) ?? broker == broker { try await wait(.milliseconds(50)) }
        return .now()
    }
}

/// The partition of `__consumer_offsets` that stores a group: Java's `hashCode` of its name, without the sign.
///
/// - Parameters:
///   - group: The name of the group, in ASCII.
///   - count: The number of partitions.
/// - Returns: Its number.
func coordinatingPartition(of group: String, among count: Int) -> Int {
    let hash = group.utf16.reduce(Int32(0)) { $0 &* 31 &+ Int32($1) }
    return hash == .min ? 0 : Int(abs(hash)) % count
}
