import NewsflashKafka
import NewsflashPublishing
import NewsflashTimestamps
import NewsflashTopicPartitions
import Testing

@testable import NewsflashWorker

/// The search for late writers after a partition is restored, which ends after two minutes.
@Suite(.timeLimit(.minutes(1)))
struct LateWriterPollerTests {
    @Test
    func `each round starts at the end of the previous one, for two minutes`() {
        let start = Instant.now
        var watch = LateWriterPoller(TopicPartition(topic: "news", partition: 0), from: 7, now: start)
        // The third is requested while a round is in progress.
        var rounds = [4, 5, 60].map { watch.beginRound(now: start + .seconds($0)) }
        watch.roundEnded(at: 9, now: start + .seconds(6))
        rounds.append(watch.beginRound(now: start + .seconds(11)))
        watch.roundEnded(at: 9, now: start + .seconds(120))
        rounds.append(watch.beginRound(now: start + .seconds(500)))
        #expect(rounds == [nil, .at(7), nil, .at(9), nil])
    }

    @Test
    func `a failed round is read again, from the beginning if records were lost`() {
        let start = Instant.now
        var watch = LateWriterPoller(TopicPartition(topic: "news", partition: 0), from: 7, now: start)
        var rounds = [watch.beginRound(now: start + .seconds(5))]
        watch.roundFailed(hasLostRecords: false, now: start + .seconds(6))
        rounds += [10, 11].map { watch.beginRound(now: start + .seconds($0)) }
        // The last round within the two minutes.
        watch.roundFailed(hasLostRecords: true, now: start + .seconds(300))
        rounds.append(watch.beginRound(now: start + .seconds(305)))
        watch.roundEnded(at: 3, now: start + .seconds(306))
        rounds.append(watch.beginRound(now: start + .seconds(900)))
        #expect(rounds == [.at(7), nil, .at(7), .beginning, nil])
    }
}
