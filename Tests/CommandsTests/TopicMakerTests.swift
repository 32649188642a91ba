import Kafka
import Testing

@testable import Commands
@testable import Operations

@Suite(.timeLimit(.minutes(1)))
struct TopicMakerTests {
    private func answer(_ result: TopicMaker.Answer.Result) -> TopicMaker.Answer {
        TopicMaker.Answer(needed: NeededTopic(role: .ledger, name: "topic"), result: result)
    }

    @Test func `a created topic is printed with its settings, other topics without`() {
        #expect(
            answer(.made(partitions: 12)).line
                == "topic: made (ledger, 12 partitions, cleanup.policy=compact "
                + "delete.retention.ms=86400000 max.message.bytes=1048588 min.cleanable.dirty.ratio=0.1 "
                + "min.compaction.lag.ms=600000 "
                + "segment.bytes=67108864 segment.ms=3600000)"
        )
        #expect(answer(.exists).line == "topic: exists (ledger)")
        let failed = answer(.failed(KafkaError(.invalidArgument, "no")))
        #expect(failed.line == "topic: failed (ledger)")
        #expect(failed.error?.message == "no")
        #expect(answer(.exists).error == nil)
    }

    @Test func `the JSON form has the result of each topic`() {
        let json = String(decoding: answer(.made(partitions: 12)).json, as: UTF8.self)
        #expect(json == #"{"topic":"topic","role":"ledger","result":"made"}"#)
    }

    @Test(arguments: [
        ("INVALID_REPLICATION_FACTOR", OperationError.Kind.foundProblems, "leave out --replication"),
        ("CLUSTER_AUTHORIZATION_FAILED", .badConfiguration, "the right Create"),
        ("TOPIC_AUTHORIZATION_FAILED", .badConfiguration, "the right Create"),
        ("POLICY_VIOLATION", .foundProblems, "run the command again"),
        ("REQUEST_TIMED_OUT", .unavailable, "run the command again"),
    ])
    func `the exit code shows why no topic was created`(code: String, kind: OperationError.Kind, remedy: String) throws
    {
        let refused = answer(.failed(KafkaError(KafkaError.Code(rawValue: code), "making topic: no")))
        let error = try #require(TopicMaker.failure(of: [answer(.exists), refused], needed: [refused.needed]))
        #expect(error.kind == kind)
        #expect(error.description.contains(remedy))
    }

    @Test func `a ledger whose source has no partitions is not created, and other results are not failures`() {
        let missing = NeededTopic(role: .ledger, name: "other")
        let error = TopicMaker.failure(of: [answer(.exists)], needed: [missing])
        #expect(error?.description.hasPrefix("other was not made") == true)
        #expect(TopicMaker.failure(of: [answer(.exists)], needed: [answer(.exists).needed]) == nil)
    }
}
