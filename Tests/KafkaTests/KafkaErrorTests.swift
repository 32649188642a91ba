import NewsflashKafka
import Testing

@Suite(.timeLimit(.minutes(1)))
struct KafkaErrorTests {
    @Test(arguments: [
        (KafkaError.Code.unknownTopicOrPartition, "unknown_topic_or_part"), (.transport, "local_transport"),
        (.messageTimedOut, "local_msg_timed_out"),
    ])
    func `a code has a label for metrics`(code: KafkaError.Code, label: String) {
        #expect(KafkaError(code, "x").label == label)
    }

    @Test
    func `temporary errors are retriable, refusals are not`() {
        #expect(KafkaError(.transport, "x").isRetriable)
        #expect(KafkaError(.queueFull, "x").isRetriable)
        #expect(!KafkaError(.messageTooLarge, "x").isRetriable)
        #expect(!KafkaError(.unknownTopic, "x").isRetriable)
        #expect(KafkaError(.fatal, "x", isRetriable: true).isRetriable)
    }

    @Test
    func `the description of an error has the message and the code`() {
        #expect(KafkaError(.noOffset, "reading news[0]").description == "reading news[0] [_AUTO_OFFSET_RESET]")
    }
}
