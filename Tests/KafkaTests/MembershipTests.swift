import Testing

@testable import NewsflashKafka

@Suite(.timeLimit(.minutes(1)))
struct MembershipTests {
    private func membership(after changes: [String]) throws -> Membership {
        let membership = Membership(wakeUp: try WakeUp())
        for change in changes {
            switch change {
            case "subscribe": membership.subscribed(at: .now)
            case "close": membership.isClosing()
            case "closed": membership.hasClosed()
            default:
                let line = "Group \"g -> x\" changed join state \(change) (state up)"
                membership.read(facility: "CGRPJOINSTATE", message: line)
                membership.read(facility: "HEARTBEAT", message: "Group \"g\" changed join state x -> steady (state up)")
            }
        }
        return membership
    }

    @Test(arguments: [
        ([], false),
        (["wait-assign-call -> steady"], true),
        (["wait-assign-call -> steady", "steady -> wait-join"], false),
        (["wait-assign-call -> steady", "steady -> init", "wait-assign-call -> steady"], true),
    ])
    func `a group is settled in one state only`(changes: [String], isSettled: Bool) throws {
        #expect(try membership(after: changes).isSettled == isSettled)
    }

    @Test
    func `no commit waits for a missing coordinator, or is sent to one that has just returned`() throws {
        let membership = Membership(wakeUp: try WakeUp())
        let start = ContinuousClock.now
        func turn(_ change: String) {
            membership.read(facility: "CGRPSTATE", message: "Group \"g\" changed state \(change) (join-state steady)")
        }
        turn("init -> query-coord")
        #expect(membership.hasCoordinator(at: start))
        #expect(membership.groupState.coordinatorSince == nil)
        turn("wait-broker-transport -> up")
        #expect(membership.hasCoordinator(at: start))
        let since = try #require(membership.groupState.coordinatorSince)
        #expect(since >= start)
        membership.read(facility: "FAIL", message: "GroupCoordinator: 127.0.0.1:9092: Disconnected (in state UP)")
        #expect(!membership.hasCoordinator(at: start + .seconds(1)))
        #expect(membership.hasCoordinator(at: .now + .seconds(2)))
        turn("up -> query-coord")
        turn("query-coord -> wait-coord")
        #expect(!membership.hasCoordinator(at: start + .seconds(60)))
        #expect(membership.groupState.coordinatorSince == nil)
        turn("wait-broker-transport -> up")
        #expect(try #require(membership.groupState.coordinatorSince) > since)
        #expect(!membership.hasCoordinator(at: start))
        #expect(membership.hasCoordinator(at: .now + .seconds(1)))
    }

    @Test(
        arguments: [
            ([], .outside, "init"),
            (["subscribe"], .joining, "init"),
            (["subscribe", "init -> wait-join"], .joining, "wait-join"),
            (["subscribe", "wait-assign-call -> steady", "subscribe"], .steady, "steady"),
            (["subscribe", "x -> steady", "steady -> wait-unassign-call"], .joining, "wait-unassign-call"),
            (["subscribe", "x -> steady", "close", "steady -> wait-unassign-call"], .leaving, "wait-unassign-call"),
            (["subscribe", "x -> steady", "close", "steady -> init", "closed"], .outside, "init"),
        ] as [([String], KafkaGroupState.Phase, String)]
    )
    func `states determine a member's phase`(changes: [String], phase: KafkaGroupState.Phase, step: String) throws {
        let state = try membership(after: changes).groupState
        #expect(state.phase == phase)
        #expect(state.step == step)
    }

    @Test(arguments: [
        (["subscribe", "init -> wait-join"], false),
        (["subscribe", "init -> wait-join", "wait-join -> wait-sync"], true),
        (["subscribe", "wait-join -> wait-metadata", "wait-metadata -> wait-sync", "wait-sync -> init"], true),
        (["subscribe", "wait-join -> wait-sync", "wait-sync -> wait-assign-call"], false),
        (["subscribe", "x -> wait-sync", "x -> wait-assign-call", "x -> steady", "x -> wait-sync"], false),
    ])
    func `a member that joined waits for its first assignment`(changes: [String], waits: Bool) throws {
        #expect(try membership(after: changes).waitsForFirstAssignment == waits)
    }

    @Test
    func `the steps of one join count as one`() throws {
        let membership = try membership(after: ["subscribe", "x -> steady", "steady -> init"])
        let since = membership.groupState.since
        membership.read(facility: "CGRPJOINSTATE", message: "changed join state init -> wait-join (state up)")
        #expect(membership.groupState.since == since)
        membership.read(facility: "CGRPJOINSTATE", message: "changed join state wait-join -> steady (state up)")
        #expect(membership.groupState.since > since)
    }

    // MARK: - Without log lines

    /// Checks once a second, as the consumer's thread does.
    private func look(at membership: Membership, from start: ContinuousClock.Instant, for seconds: Int) -> [Int] {
        (0...seconds).filter { membership.missesLines(at: start + .seconds($0)) }
    }

    @Test
    func `a member without log lines for a minute relies on callbacks, and warns once`() throws {
        let membership = Membership(wakeUp: try WakeUp())
        let start = ContinuousClock.now
        membership.subscribed(at: start)
        #expect(look(at: membership, from: start, for: 59).isEmpty)
        #expect(!membership.isSettled)
        #expect(membership.groupState.isReported)
        #expect(look(at: membership, from: start, for: 600) == [60])
        #expect(membership.isSettled)
        #expect(!membership.groupState.isReported)
        #expect(membership.groupState.phase == .joining)
        #expect(membership.waitsForFirstAssignment)
        membership.wasAssigned()
        #expect(membership.groupState.phase == .steady)
        #expect(!membership.waitsForFirstAssignment)
        membership.wasRevoked()
        #expect(membership.groupState.phase == .joining)
    }

    @Test
    func `an assignment without a log line before it proves that lines are missing`() throws {
        let membership = Membership(wakeUp: try WakeUp())
        membership.subscribed(at: .now)
        membership.wasAssigned()
        #expect(membership.isSettled)
        #expect(membership.groupState.phase == .steady)
        #expect(look(at: membership, from: .now, for: 600) == [0])
    }

    @Test
    func `with log lines, an assignment does not mean that the group has settled`() throws {
        let membership = try membership(after: ["subscribe", "init -> wait-join", "wait-sync -> wait-assign-call"])
        membership.wasAssigned()
        #expect(!membership.isSettled)
        #expect(membership.groupState.phase == .joining)
        #expect(look(at: membership, from: .now, for: 600).isEmpty)
    }

    @Test
    func `an unknown last step does not stop commits, and a known step counts again`() throws {
        let membership = try membership(after: ["subscribe", "init -> wait-join", "wait-sync -> wait-assign-call"])
        membership.wasAssigned()
        membership.read(facility: "CGRPJOINSTATE", message: "changed join state wait-assign-call -> stable (state up)")
        #expect(membership.isSettled)
        #expect(membership.groupState.phase == .steady)
        #expect(look(at: membership, from: .now, for: 600) == [0])
        membership.read(facility: "CGRPJOINSTATE", message: "changed join state stable -> wait-join (state up)")
        #expect(!membership.isSettled)
        #expect(membership.groupState.phase == .joining)
    }

    @Test
    func `no log line is missed in an outage of Kafka`() throws {
        let membership = Membership(wakeUp: try WakeUp())
        let start = ContinuousClock.now
        membership.subscribed(at: start)
        func turn(_ change: String) {
            membership.read(facility: "CGRPSTATE", message: "Group \"g\" changed state \(change) (join-state init)")
        }
        turn("init -> query-coord")
        #expect(look(at: membership, from: start, for: 600).isEmpty)
        turn("wait-broker-transport -> up")
        #expect(look(at: membership, from: start + .seconds(600), for: 59).isEmpty)
        #expect(look(at: membership, from: start + .seconds(600), for: 600) == [60])
    }
}
