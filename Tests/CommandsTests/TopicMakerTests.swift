import Kafka
import Testing

@testable import Commands

@Suite(.timeLimit(.minutes(1)))
struct TopicMakerTests {
    private func answer(_ result: TopicMaker.Answer.Result) -> TopicMaker.Answer {
        TopicMaker.Answer(needed: NeededTopic(role: .ledger, name: "topic"), result: result)
    }

    @Test func `a topic that was made is told with its settings, others without`() {
        #expect(
            answer(.made(partitions: 12)).line
                == "topic: made (memory of stories, 12 partitions, cleanup.policy=compact "
                + "delete.retention.ms=86400000 max.message.bytes=1048588 min.cleanable.dirty.ratio=0.1 "
                + "segment.bytes=67108864 segment.ms=3600000)"
        )
        #expect(answer(.exists).line == "topic: exists (memory of stories)")
        let failed = answer(.failed(KafkaError(.invalidArgument, "no")))
        #expect(failed.line == "topic: failed (memory of stories)")
        #expect(failed.error?.message == "no")
        #expect(answer(.exists).error == nil)
    }

    @Test func `machines read what became of each topic`() {
        let json = String(decoding: answer(.made(partitions: 12)).json, as: UTF8.self)
        #expect(json == #"{"topic":"topic","role":"ledger","result":"made"}"#)
    }
}
