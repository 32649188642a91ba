import Kafka
import Publishing
import Testing
import Timestamps

@testable import Worker

/// A worker that was suspended may not own its partitions any more.
@Suite(.timeLimit(.minutes(1)))
struct LeaseTests {
    private let start = ContinuousClock.now

    @Test
    func `a loop that checks every second is sure of its partitions`() {
        var lease = Lease(sessionTimeout: .seconds(10), now: start)
        for second in 1...60 {
            let now = start + .seconds(second)
            let isHeld = lease.isHeld(now: now, confirmed: now - .seconds(2))
            #expect(isHeld)
        }
    }

    @Test
    func `after a suspension the lease does not hold until the membership is confirmed again`() {
        var lease = Lease(sessionTimeout: .seconds(10), now: start)
        let awake = start + .seconds(20)
        let looks = [(0, -20_000), (50, 0), (100, 80)].map { look, confirmed in
            lease.isHeld(now: awake + .milliseconds(look), confirmed: awake + .milliseconds(confirmed))
        }
        #expect(looks == [false, false, true])
    }

    @Test
    func `a membership that was not confirmed for a session has no effect`() {
        var lease = Lease(sessionTimeout: .seconds(10), now: start)
        let early = (1...8).map { lease.isHeld(now: start + .seconds($0), confirmed: start) }
        #expect(!early.contains(false))
        let late = [(9500, 0), (10_000, 9000), (11_000, 10_500)].map { look, confirmed in
            lease.isHeld(now: start + .milliseconds(look), confirmed: start + .milliseconds(confirmed))
        }
        #expect(late == [false, false, true])
    }
}

/// The search for late writers after a partition is restored, which ends after two minutes.
@Suite(.timeLimit(.minutes(1)))
struct LateWriterPollerTests {
    @Test
    func `each round starts at the end of the previous one, for two minutes`() {
        let start = Instant.now
        var watch = LateWriterPoller(SourcePartition(topic: "news", number: 0), from: 7, now: start)
        // The third is requested while a round is in progress.
        var rounds = [4, 5, 60].map { watch.takeRound(now: start + .seconds($0)) }
        watch.roundEnded(at: 9, now: start + .seconds(6))
        rounds.append(watch.takeRound(now: start + .seconds(11)))
        watch.roundEnded(at: 9, now: start + .seconds(120))
        rounds.append(watch.takeRound(now: start + .seconds(500)))
        #expect(rounds == [nil, .at(7), nil, .at(9), nil])
    }

    @Test
    func `a failed round is read again, from the beginning if records were lost`() {
        let start = Instant.now
        var watch = LateWriterPoller(SourcePartition(topic: "news", number: 0), from: 7, now: start)
        var rounds = [watch.takeRound(now: start + .seconds(5))]
        watch.roundFailed(hasLostRecords: false, now: start + .seconds(6))
        rounds += [10, 11].map { watch.takeRound(now: start + .seconds($0)) }
        // The last round within the two minutes.
        watch.roundFailed(hasLostRecords: true, now: start + .seconds(300))
        rounds.append(watch.takeRound(now: start + .seconds(305)))
        watch.roundEnded(at: 3, now: start + .seconds(306))
        rounds.append(watch.takeRound(now: start + .seconds(900)))
        #expect(rounds == [.at(7), nil, .at(7), .beginning, nil])
    }
}
