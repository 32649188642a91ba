import NewsflashGateway
import NewsflashHTTPTransport
import NewsflashKafka
import NewsflashKafkaTestCluster
import NewsflashTestSupport
import NewsflashTopicPartitions
import Testing

@Suite(.timeLimit(.minutes(1)))
struct EventTests {
    private static let event = """
        {"v":1,"id":"desk-1","story":"urn:desk:42","revision":1,"kind":"flash","published":"2026-03-02T09:40:00Z",\
        "categories":["world"],"text":{"en":{"headline":"Bridge closed"}}}
        """

    @Test func `an event is written with its story as key before it is accepted`() async throws {
        try await GatewayRig.run { rig in
            let answer = try await rig.ask("POST", "/api/events", as: "desk", Self.event)
            #expect(answer.status == 202)
            #expect(answer.headers["Location"] == "/api/events/desk-1")
            #expect(answer.text == #"{"id":"desk-1","story":"urn:desk:42"}"#)
            let end = try await KafkaAdmin(rig.cluster.client())
                .watermarks(of: TopicPartition(topic: rig.topic, partition: 0))
            #expect(end.high == 1)
            let partition = TopicPartition(topic: rig.topic, partition: 0)
            try await rig.cluster.withConsumer(assigned: [partition: .beginning]) { _, recorder in
                let record = try #require(try await recorder.messages(atLeast: 1).first)
                #expect(record.key == Array("urn:desk:42".utf8))
                #expect(record.value == Array(Self.event.utf8))
            }
        }
    }

    @Test(arguments: [
        (#"{"v":1}"#, "invalid.schema"), ("{", "invalid.json"), ("[]", "invalid.not_object"),
        (#"{"v":1,"v":1}"#, "invalid.duplicate_member"),
    ])
    func `a body that is not an event is refused, and nothing is written`(body: String, label: String) async throws {
        try await GatewayRig.run { rig in
            let answer = try await rig.ask("POST", "/api/events", as: "desk", body)
            #expect(answer.status == 400)
            #expect(answer.text.contains("\"error\":\"\(label)\""))
            let end = try await KafkaAdmin(rig.cluster.client())
                .watermarks(of: TopicPartition(topic: rig.topic, partition: 0))
            #expect(end.high == 0)
        }
    }

    @Test func `the error of an event names its member`() async throws {
        try await GatewayRig.run { rig in
            let wrong = Self.event.replacing(#""kind":"flash""#, with: #""kind":"gossip""#)
            let answer = try await rig.ask("POST", "/api/events", as: "desk", wrong)
            #expect(answer.status == 400)
            #expect(answer.text.contains(#""path":"/kind""#))
            #expect(!answer.text.contains("Bridge"))
        }
    }

    @Test func `the status of an event is unknown until its outcome is in the topic`() async throws {
        try await GatewayRig.run { rig in
            // No status is reported before the topic is read.
            let before = try await waitFor {
                let answer = try await rig.ask("GET", "/api/events/desk-1", as: "desk")
                return answer.status == 503 ? nil : answer
            }
            #expect(before.status == 404)
            #expect(before.text.contains(#""state":"unknown""#))
            let outcome = #"{"v":1,"event":"desk-1","story":"urn:desk:42","outcome":"sent","final":true}"#
            try await rig.cluster.write([KafkaRecord(topic: rig.outcomes, value: Array(outcome.utf8))])
            // The gateway reads the topic in the background; the suite's limit bounds the wait.
            let after = try await waitFor {
                let answer = try await rig.ask("GET", "/api/events/desk-1", as: "desk")
                return answer.status == 404 ? nil : answer
            }
            #expect(after.text == outcome)
        }
    }

    @Test func `only publishers publish, and only senders notify others, if they are configured`() async throws {
        try await GatewayRig.run("  { publishers: [desk], senders: [bob] }") { rig in
            let refused = try await rig.ask("POST", "/api/events", as: "anna", Self.event)
            #expect(refused.status == 403)
            #expect(try await rig.ask("GET", "/api/events/desk-1", as: "anna").status == 403)
            #expect(try await rig.ask("POST", "/api/events", as: "desk", Self.event).status == 202)
            let path = "/api/notifications?pns=apns&to_tag=anna"
            #expect(try await rig.ask("POST", path, as: "desk", #""Hi""#).status == 403)
            #expect(try await rig.ask("POST", path, as: "bob", #""Hi""#).status == 200)
            #expect(try await rig.ask("POST", path, as: "anna", #""Hi""#).status == 200)
        }
    }

    @Test func `an unknown source is refused`() async throws {
        try await GatewayRig.run { rig in
            let refused = try await rig.ask("POST", "/api/events?source=wire", as: "desk", Self.event)
            #expect(refused.status == 400)
            #expect(try await rig.ask("POST", "/api/events?source=desk", as: "desk", Self.event).status == 202)
        }
    }
}
