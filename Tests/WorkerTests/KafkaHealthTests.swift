import NewsflashKafka
import NewsflashTimestamps
import NewsflashTopicPartitions
import Testing

@testable import NewsflashWorker

/// The errors of Kafka that the worker remembers.
@Suite(.timeLimit(.minutes(1)))
struct KafkaHealthTests {
    private let start = Timestamp(seconds: 1_000_000)
    private let partition = TopicPartition(topic: "news", partition: 2)

    private func refusal(_ code: KafkaError.Code, of partition: TopicPartition? = nil) -> KafkaError {
        var error = KafkaError(code, "Broker: not for you")
        error.partition = partition
        return error
    }

    @Test
    func `a temporary error is forgotten after a minute, or when something succeeds`() {
        var faults = KafkaHealth(group: "workers")
        faults.failed(KafkaError(.transport, "connection refused"), at: start)
        #expect(faults.present(at: start + .seconds(59)) == ["connection refused [_TRANSPORT]"])
        #expect(faults.present(at: start + .seconds(61)).isEmpty)
        faults.succeeded(.committing)
        #expect(faults.present(at: start).isEmpty)
    }

    @Test
    func `the error that no broker is left does not hide its cause`() {
        var faults = KafkaHealth(group: "workers")
        faults.failed(KafkaError(.authentication, "wrong password"), at: start)
        faults.failed(KafkaError(.allBrokersDown, "1/1 brokers are down"), at: start)
        #expect(faults.present(at: start) == ["wrong password [_AUTHENTICATION]"])
    }

    @Test
    func `the error about an unreadable partition names the right, and stays until it is read`() {
        var faults = KafkaHealth(group: "workers")
        faults.failed(refusal(.topicForbidden, of: partition), at: start)
        let text = faults.present(at: start + .seconds(3600)).first
        #expect(text?.contains("TOPIC_AUTHORIZATION_FAILED") == true)
        #expect(text?.hasSuffix("give the worker's user the right Read on the topic news") == true)
        faults.succeeded(.committing)
        faults.succeeded(.reading(TopicPartition(topic: "news", partition: 1)))
        #expect(faults.present(at: start).count == 1, "other work succeeded")
        faults.succeeded(.reading(partition))
        #expect(faults.present(at: start).isEmpty)
    }

    @Test
    func `an unreadable partition is not reported while it has nothing to read`() {
        var faults = KafkaHealth(group: "workers")
        faults.failed(refusal(.topicForbidden, of: partition), at: start)
        faults.recordPoll(of: partition, isBehind: false)
        #expect(faults.present(at: start).isEmpty)
        faults.recordPoll(of: partition, isBehind: true)
        #expect(faults.present(at: start).count == 1)
        faults.recordPoll(of: partition, isBehind: false)
        faults.failed(refusal(.topicForbidden, of: partition), at: start)
        #expect(faults.present(at: start).count == 1, "it may have something to read by now")
        faults.left([partition])
        #expect(faults.present(at: start).isEmpty)
    }

    @Test
    func `the error about a silent leader stays until it answers or the partition is revoked`() {
        var faults = KafkaHealth(group: "workers")
        let silence = KafkaError(.timedOut, "asking for the ends of news[2]")
        faults.recordPollFailure(of: partition, silence)
        faults.succeeded(.committing)
        let text = faults.present(at: start + .seconds(3600)).first
        #expect(text?.hasPrefix("asking for the ends of news[2] [_TIMED_OUT]; check that the broker") == true)
        faults.recordPoll(of: partition, isBehind: true)
        #expect(faults.present(at: start).isEmpty)
        faults.recordPollFailure(of: partition, silence)
        faults.left([partition])
        #expect(faults.present(at: start).isEmpty)
        faults.recordPollFailure(of: partition, silence)
        faults.beginPoll([TopicPartition(topic: "news", partition: 1)])
        #expect(faults.present(at: start).isEmpty, "the partition had been revoked already")
        faults.recordPollFailure(of: partition, refusal(.topicForbidden))
        #expect(faults.present(at: start).first?.hasSuffix("Read on the topic news") == true)
    }

    @Test
    func `the error about a forbidden group stays until the group is joined`() {
        var faults = KafkaHealth(group: "workers")
        faults.failed(refusal(.groupForbidden), at: start)
        faults.failed(KafkaError(.transport, "connection refused"), at: start)
        #expect(faults.present(at: start).count == 2)
        let later = faults.present(at: start + .seconds(3600))
        #expect(later.first?.hasSuffix("give the worker's user the right Read on the group workers") == true)
        #expect(later.count == 1)
        faults.succeeded(.membership)
        #expect(faults.present(at: start).isEmpty)
    }

    @Test
    func `the error about a forbidden topic does not belong to a partition`() {
        var faults = KafkaHealth(group: "workers")
        faults.failed(refusal(.topicForbidden, of: TopicPartition(topic: "news", partition: -1)), at: start)
        faults.left([partition])
        #expect(faults.present(at: start).first?.hasSuffix("Read on the topic news") == true)
        faults.succeeded(.membership)
        #expect(faults.present(at: start).isEmpty)
    }

    @Test
    func `a forbidden commit is reported until one succeeds, other failures of commits are not`() {
        var faults = KafkaHealth(group: "workers")
        faults.failed(.committing, KafkaError(.rebalanceInProgress, "the group changes"))
        #expect(faults.present(at: start).isEmpty)
        faults.failed(.committing, refusal(.groupForbidden))
        #expect(faults.present(at: start).first?.hasSuffix("Read on the group workers") == true)
        faults.succeeded(.committing)
        #expect(faults.present(at: start).isEmpty)
    }

    @Test
    func `a write error names the topic's right, and a producer's error the cluster's right`() {
        var faults = KafkaHealth(group: "workers")
        let now = Instant.now
        faults.writeFailed(refusal(.topicForbidden, of: partition), at: now)
        #expect(faults.writeFailure?.isForbidden == true)
        #expect(faults.writeFailure?.text.hasSuffix("the right Write on the topic news") == true)
        faults.writeFailed(refusal(.clusterForbidden), at: now)
        faults.writeFailed(KafkaError(KafkaError.Code(rawValue: "_PURGE_QUEUE"), "writing to news"), at: now)
        #expect(faults.writeFailure?.text.contains("IdempotentWrite on the cluster") == true)
        faults.writeFailed(KafkaError(.messageTimedOut, "writing to news"), at: now)
        #expect(faults.writeFailure?.isForbidden == false)
        #expect(faults.writeFailure?.text == "writing to news [_MSG_TIMED_OUT]")
    }
}
