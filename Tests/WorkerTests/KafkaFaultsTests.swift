import Kafka
import Testing
import Timestamps

@testable import Worker

/// What the worker remembers of Kafka's complaints.
@Suite(.timeLimit(.minutes(1)))
struct KafkaFaultsTests {
    private let start = Timestamp(seconds: 1_000_000)
    private let partition = KafkaTopicPartition(topic: "news", partition: 2)

    private func refusal(_ code: KafkaError.Code, of partition: KafkaTopicPartition? = nil) -> KafkaError {
        var error = KafkaError(code, "Broker: not for you")
        error.partition = partition
        return error
    }

    @Test
    func `a passing complaint is forgotten after a minute, or when something succeeds`() {
        var faults = KafkaFaults(group: "workers")
        faults.failed(KafkaError(.transport, "connection refused"), at: start)
        #expect(faults.present(at: start + .seconds(59)) == ["connection refused [_TRANSPORT]"])
        #expect(faults.present(at: start + .seconds(61)).isEmpty)
        faults.succeeded(.committing)
        #expect(faults.present(at: start).isEmpty)
    }

    @Test
    func `that no broker is left does not hide why`() {
        var faults = KafkaFaults(group: "workers")
        faults.failed(KafkaError(.authentication, "wrong password"), at: start)
        faults.failed(KafkaError(.allBrokersDown, "1/1 brokers are down"), at: start)
        #expect(faults.present(at: start) == ["wrong password [_AUTHENTICATION]"])
    }

    @Test
    func `a partition that may not be read stands until it is read, and names the right`() {
        var faults = KafkaFaults(group: "workers")
        faults.failed(refusal(.topicForbidden, of: partition), at: start)
        let text = faults.present(at: start + .seconds(3600)).first
        #expect(text?.contains("TOPIC_AUTHORIZATION_FAILED") == true)
        #expect(text?.hasSuffix("give the worker's user the right Read on the topic news") == true)
        faults.succeeded(.committing)
        faults.succeeded(.reading(KafkaTopicPartition(topic: "news", partition: 1)))
        #expect(faults.present(at: start).count == 1, "other work")
        faults.succeeded(.reading(partition))
        #expect(faults.present(at: start).isEmpty)
    }

    @Test
    func `a partition that may not be read is nobody's trouble while it has nothing to read`() {
        var faults = KafkaFaults(group: "workers")
        faults.failed(refusal(.topicForbidden, of: partition), at: start)
        faults.looked(at: partition, isBehind: false)
        #expect(faults.present(at: start).isEmpty)
        faults.looked(at: partition, isBehind: true)
        #expect(faults.present(at: start).count == 1)
        faults.looked(at: partition, isBehind: false)
        faults.failed(refusal(.topicForbidden, of: partition), at: start)
        #expect(faults.present(at: start).count == 1, "it may have something to read by now")
        faults.left([partition])
        #expect(faults.present(at: start).isEmpty)
    }

    @Test
    func `a leader that does not answer stands until it does, or the partition leaves`() {
        var faults = KafkaFaults(group: "workers")
        let silence = KafkaError(.timedOut, "asking for the ends of news[2]")
        faults.asked(partition, inVain: silence)
        faults.succeeded(.committing)
        let text = faults.present(at: start + .seconds(3600)).first
        #expect(text?.hasPrefix("asking for the ends of news[2] [_TIMED_OUT]; see that the broker") == true)
        faults.looked(at: partition, isBehind: true)
        #expect(faults.present(at: start).isEmpty)
        faults.asked(partition, inVain: silence)
        faults.left([partition])
        #expect(faults.present(at: start).isEmpty)
        faults.asked(partition, inVain: silence)
        faults.willAsk([KafkaTopicPartition(topic: "news", partition: 1)])
        #expect(faults.present(at: start).isEmpty, "it had left already")
        faults.asked(partition, inVain: refusal(.topicForbidden))
        #expect(faults.present(at: start).first?.hasSuffix("Read on the topic news") == true)
    }

    @Test
    func `a group that may not be joined stands until it is joined`() {
        var faults = KafkaFaults(group: "workers")
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
    func `a topic that may not be seen is not a partition's trouble`() {
        var faults = KafkaFaults(group: "workers")
        faults.failed(refusal(.topicForbidden, of: KafkaTopicPartition(topic: "news", partition: -1)), at: start)
        faults.left([partition])
        #expect(faults.present(at: start).first?.hasSuffix("Read on the topic news") == true)
        faults.succeeded(.membership)
        #expect(faults.present(at: start).isEmpty)
    }

    @Test
    func `a commit that is refused stands until one succeeds, another failure of a commit is not told`() {
        var faults = KafkaFaults(group: "workers")
        faults.failed(.committing, KafkaError(.rebalanceInProgress, "the group changes"))
        #expect(faults.present(at: start).isEmpty)
        faults.failed(.committing, refusal(.groupForbidden))
        #expect(faults.present(at: start).first?.hasSuffix("Read on the group workers") == true)
        faults.succeeded(.committing)
        #expect(faults.present(at: start).isEmpty)
    }

    @Test
    func `a record that may not be written says where, a producer that may not begin says what else it needs`() {
        var faults = KafkaFaults(group: "workers")
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
