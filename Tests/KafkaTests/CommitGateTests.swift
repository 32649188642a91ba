import NewsflashKafka
import Testing

@Suite(.timeLimit(.minutes(1)))
struct CommitGateTests {
    /// An event that a gate receives.
    enum Step: Sendable {
        case refused, revoked, lost, assigned, patienceEnded
    }

    @Test(
        arguments: [
            ([], true),
            ([.refused], false),
            ([.refused, .assigned], true),
            ([.revoked], false),
            ([.revoked, .assigned], false),
            ([.revoked, .assigned, .assigned], true),
            ([.refused, .revoked, .assigned], false),
            ([.refused, .revoked, .assigned, .assigned], true),
            ([.revoked, .refused, .assigned], false),
            ([.revoked, .assigned, .refused, .assigned], true),
            ([.revoked, .assigned, .revoked, .assigned], false),
            ([.lost], false),
            ([.lost, .assigned], true),
            ([.assigned], true),
            ([.assigned, .refused], false),
            ([.revoked, .patienceEnded], true),
            ([.refused, .patienceEnded], true),
        ] as [([Step], Bool)]
    )
    func `a commit gate opens only when the group has settled`(steps: [Step], isOpen: Bool) {
        let start = ContinuousClock.now
        var gate = CommitGate(patience: .seconds(10))
        for step in steps {
            switch step {
            case .refused: gate.commitWasRefused(at: start)
            case .revoked: gate.partitionsWereRevoked(isLost: false, at: start)
            case .lost: gate.partitionsWereRevoked(isLost: true, at: start)
            case .assigned: gate.partitionsWereAssigned(at: start)
            case .patienceEnded: gate.timePassed(to: start + .seconds(10))
            }
        }
        #expect(gate.isOpen == isOpen)
    }

    @Test
    func `a commit gate stays closed until its patience has ended`() {
        let start = ContinuousClock.now
        var gate = CommitGate(patience: .seconds(10))
        gate.partitionsWereRevoked(isLost: false, at: start)
        gate.partitionsWereAssigned(at: start + .seconds(5))
        gate.timePassed(to: start + .seconds(14))
        #expect(!gate.isOpen)
    }
}
