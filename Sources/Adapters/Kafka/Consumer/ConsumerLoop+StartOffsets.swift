import CRDKafka

extension ConsumerLoop {
    /// Fills in where the group left off, before partitions are assigned.
    ///
    /// librdkafka would ask by itself, once: when the coordinator moves at that moment, version 2.0.2 reports the error and
    /// never starts those partitions. So they are asked for here, again and again for as long as a rebalance may take.
    /// Where there is no answer, it is left to librdkafka and its `auto.offset.reset`. Where there is no offset, the same is
    /// said outright: librdkafka 2.0.2 waits half a second before it resets one.
    ///
    /// - Parameter list: What is about to be assigned; explicit offsets stay.
    func fillInCommittedOffsets(_ list: borrowing TopicPartitionList) {
        let unknown = list.entries.filter {
            [KafkaOffset.committed.number, TopicPartitionList.noOffset].contains($0.offset)
        }
        guard !unknown.isEmpty else { return }
        let end = ContinuousClock.now + consumer.configuration.revokeDeadline
        let question = TopicPartitionList(unknown.map(\.partition))
        var response = RD_KAFKA_RESP_ERR__TIMED_OUT
        while true {
            response = rd_kafka_committed(client.pointer, question.pointer, (end - .now).milliseconds)
            let isTransient = KafkaError(response, doing: "").isRetriable
            guard isTransient, end - .now > .milliseconds(100) else { break }
            // Whatever signals meanwhile is served once this rebalance is done.
            wakeUp.wait(atMost: .milliseconds(100))
        }
        guard response == RD_KAFKA_RESP_ERR_NO_ERROR else {
            let error = KafkaError(response, doing: "asking where the group left off")
            delegate.kafkaConsumer(consumer, didFail: error)
            return
        }
        for entry in question.entries where entry.response == RD_KAFKA_RESP_ERR_NO_ERROR {
            guard entry.offset < 0 else {
                list.set(entry.offset, of: entry.partition)
                continue
            }
            switch consumer.configuration.offsetReset {
            case .earliest: list.set(KafkaOffset.beginning.number, of: entry.partition)
            case .latest: list.set(KafkaOffset.end.number, of: entry.partition)
            case .error: break
            }
        }
    }
}
