import NewsflashKafka
import NewsflashKafkaTestCluster
import NewsflashTestSupport
import NewsflashTopicPartitions
import Testing

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Groups that change while records are written.
@Suite(.timeLimit(.minutes(10)))
struct FleetTests {
    @Test(arguments: KafkaTestCluster.isReal ? [false, true] : [false])
    func `when a member dies the others continue, and with a static name its partitions soon do too`(
        hasName: Bool
    ) async throws {
        let fleet = try await Fleet(KafkaTestCluster.shared(), partitions: 6)
        let members = try (1...2).map { try Fleet.Member(fleet.configuration(name: hasName ? "m\($0)" : nil), fleet) }
        let configuration = fleet.configuration(name: hasName ? "m3" : nil)
        let dying = try VanishingMember(configuration, fleet)
        let writing = Task { try await fleet.write() }
        defer { writing.cancel() }
        try await fleet.receipts.wait { _ in
            let owned = members.flatMap(\.consumer.assignment).map(\.partition) + dying.assignment
            return members.allSatisfy { $0.consumer.assignment.count == 2 } && owned.sorted() == Array(0..<6) ? () : nil
        }
        let lost = dying.assignment
        try await fleet.receive(50)
        let death = ContinuousClock.now
        try await dying.vanish()
        let heir = try Fleet.Member(configuration, fleet)
        // Until each partition of the dead member has delivered a record again.
        try await fleet.receipts.wait { events in
            Set(events.joined().filter { lost.contains($0.partition) && $0.at > death }.map(\.partition)).count
                == lost.count ? () : nil
        }
        let end = ContinuousClock.now
        let gaps = fleet.gaps(from: death, to: end)
        let pause = fleet.pauseOfWriter(from: death, to: end)
        writing.cancel()
        let count = try await writing.value
        print(
            "a member with\(hasName ? "" : "out") a name died: \(gaps.sorted { $0.key < $1.key }), its own: \(lost), none written for \(pause)"
        )
        // Only checked with a real broker, because the mock needs seconds for a change.
        for (partition, gap) in gaps where KafkaTestCluster.isReal && !lost.contains(partition) {
            #expect(gap < .seconds(3) + pause, "partition \(partition)")
        }
        if hasName { for partition in lost { #expect(gaps[partition] ?? .zero < .seconds(6) + pause) } }
        let missing = await fleet.missing(of: count)
        #expect(missing == [])
        for member in members + [heir] { #expect(await member.consumer.close(deadline: .seconds(20))) }
        #expect(fleet.complaints.events == [])
    }

    @Test
    func `members join and leave at random, and every record is received`() async throws {
        // The mock needs seconds for each change, so it sees a few.
        try await comeAndGo(times: KafkaTestCluster.isReal ? 20 : 3)
    }

    @Test(.long, .needsRealKafka)
    func `two hundred changes in a row do not hang a group`() async throws {
        try await comeAndGo(times: 200)
    }

    private func comeAndGo(times: Int) async throws {
        let seed = variable("NEWSFLASH_SEED").flatMap { UInt64($0) } ?? .random(in: 0...9999)
        print("seed \(seed)")
        var random = SeededGenerator(seed: seed)
        let fleet = try await Fleet(KafkaTestCluster.shared(), partitions: 6)
        var members = [try Fleet.Member(fleet.configuration(), fleet)]
        let writing = Task { try await fleet.write() }
        defer { writing.cancel() }
        try await fleet.settle(members)
        let start = ContinuousClock.now
        for change in 1...times {
            let joins = members.count == 1 || members.count < 4 && Bool.random(using: &random)
            if joins {
                members.append(try Fleet.Member(fleet.configuration(), fleet))
            } else {
                let leaving = members.remove(at: .random(in: 0..<members.count, using: &random))
                // Some members leave while others join or leave.
                if Bool.random(using: &random) {
                    #expect(await leaving.consumer.close(deadline: .seconds(30)), "change \(change)")
                } else {
                    Task {
                        if await leaving.consumer.close(deadline: .seconds(30)) { return }
                        fleet.complaints.append("change \(change): did not close")
                    }
                }
            }
            if Bool.random(using: &random) {
                try await fleet.settle(members)
            } else {
                try await fleet.receive(.random(in: 1...30, using: &random))
            }
        }
        try await fleet.settle(members)
        print("\(times) changes took \(ContinuousClock.now - start)")
        writing.cancel()
        let count = try await writing.value
        let missing = await fleet.missing(of: count)
        #expect(missing == [])
        print("\(count) records were received \(fleet.received) times")
        for member in members { #expect(await member.consumer.close(deadline: .seconds(30))) }
        #expect(fleet.complaints.events == [])
    }
}
