import Testing

@testable import Kafka

@Suite(.timeLimit(.minutes(1)))
struct MembershipTests {
    @Test(arguments: [
        ([], false),
        (["wait-assign-call -> steady"], true),
        (["wait-assign-call -> steady", "steady -> wait-join"], false),
        (["wait-assign-call -> steady", "steady -> init", "wait-assign-call -> steady"], true),
    ])
    func `a group is at rest in one state only`(changes: [String], isSettled: Bool) throws {
        let membership = Membership(wakeUp: try WakeUp())
        for change in changes {
            membership.read(facility: "CGRPJOINSTATE", message: "Group \"g\" changed join state \(change) (state up)")
            membership.read(facility: "HEARTBEAT", message: "Group \"g\" changed join state x -> steady (state up)")
        }
        #expect(membership.isSettled == isSettled)
    }
}
