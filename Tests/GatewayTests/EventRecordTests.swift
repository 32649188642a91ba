import NewsflashGateway
import NewsflashHTTPTransport
import NewsflashKafka
import NewsflashKafkaTestCluster
import NewsflashObservability
import NewsflashStrictJSON
import NewsflashTestSupport
import NewsflashTopicPartitions
import Testing

/// Records of events and their outcomes at the gateway.
@Suite(.timeLimit(.minutes(1)))
struct EventRecordTests {
    private static func event(_ members: String = "", kind: String = "flash") -> String {
        #"{"v":1,"id":"desk-1","story":"urn:desk:42","revision":1,"kind":"\#(kind)","published":"2026-03-02T09:40:00Z","#
            + #""categories":["world"],\#(members)"text":{"en":{"headline":"Bridge closed"}}}"#
    }

    private func records(_ count: Int, of rig: GatewayRig) async throws -> [(value: [UInt8], headers: [String: String])]
    {
        let partition = TopicPartition(topic: rig.topic, partition: 0)
        var found: [(value: [UInt8], headers: [String: String])] = []
        try await rig.cluster.withConsumer(assigned: [partition: .beginning]) { _, recorder in
            found = try await recorder.messages(atLeast: count).map { message in
                let headers = message.headers.map { ($0.name, String(decoding: $0.value ?? [], as: UTF8.self)) }
                return (message.value ?? [], Dictionary(headers) { _, last in last })
            }
        }
        return found
    }

    @Test func `record and log contain the user, the request and the trace of an event`() async throws {
        try await GatewayRig.run { rig in
            let trace = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
            let answer = try await rig.ask(
                "POST",
                "/api/events",
                as: "desk",
                Self.event(),
                headers: [.init("traceparent", trace)]
            )
            #expect(answer.status == 202)
            let headers = try #require(try await records(1, of: rig).first).headers
            let request = try #require(answer.headers["X-Request-Id"])
            #expect(
                headers == [
                    "content-type": "application/json", "newsflash-user": "desk", "newsflash-request": request,
                    "traceparent": trace,
                ]
            )
            let line = try #require(rig.log.audit.first { $0.contains("event.publish") })
            for part in ["subject=desk-1", "story=urn:desk:42", "user=desk", "request.id=\(request)"] {
                #expect(line.contains(part), "\(line)")
            }
            let created = try await rig.ask("POST", "/api/register?handle=AA", as: "anna")
            let id = String(created.text.dropFirst().dropLast())
            #expect(rig.log.audit.contains { $0.contains("registration.create") && $0.contains("subject=\(id)") })
        }
    }

    @Test func `a malformed trace is not continued`() async throws {
        try await GatewayRig.run { rig in
            let headers: HTTPHeaders = [.init("traceparent", "00-0-0-01; x")]
            let answer = try await rig.ask("POST", "/api/events", as: "desk", Self.event(), headers: headers)
            #expect(answer.status == 202)
            #expect(try await records(1, of: rig).first?.headers["traceparent"] == nil)
        }
    }

    @Test func `two approvals need two signed-in users, whatever names the event has`() async throws {
        let section = "  { approvals: signedIn, publishers: [desk, anna], rate: { perUser: 1000, perAddress: 1000 } }"
        try await GatewayRig.run(section) { rig in
            let forged = Self.event(#""approvedBy":["anna","boss"],"#)
            for (user, event) in [
                ("desk", forged), ("desk", forged), ("anna", Self.event()),
                ("anna", forged.replacing("Bridge closed", with: "Bridge open")),
            ] {
                #expect(try await rig.ask("POST", "/api/events", as: user, event).status == 202)
            }
            let found = try await records(4, of: rig)
            let approved = try found.map { record in
                try JSONReader.read(record.value)[member: "approvedBy"]?.array?.compactMap(\.string)
            }
            // The last one has another text, which nobody else has approved.
            #expect(approved == [["desk"], ["desk"], ["desk", "anna"], ["anna"]])
            #expect(found.allSatisfy { $0.headers["newsflash-event"] == "1" })
        }
    }

    @Test func `while outcomes cannot be read, no status of an event is reported`() async throws {
        let cluster = try await KafkaTestCluster.shared()
        var client = cluster.client()
        client.bootstrapServers = "127.0.0.1:1"
        let logger = Logger(label: "t", handler: DiscardingLogHandler())
        let tail = OutcomeFollower(client, topic: "outcomes", logger: logger)
        #expect(tail.find("desk-1") == .unavailable)
        try tail.open()
        #expect(tail.find("desk-1") == .unavailable)
        await tail.close()
    }

    @Test(.needsRealKafka)
    func `outcomes of partitions that are added later are read`() async throws {
        let cluster = try await KafkaTestCluster.shared()
        let topic = try await cluster.makeTopic()
        let tail = OutcomeFollower(
            cluster.client(),
            topic: topic,
            logger: Logger(label: "t", handler: DiscardingLogHandler()),
            interval: .milliseconds(20)
        )
        try tail.open()
        try await waitUntil { tail.find("desk-1") == .none }
        try await KafkaAdmin(cluster.client()).growTopic(topic, to: 2)
        try await cluster.awaitTopic(topic, partitions: 2)
        let outcome = Array(#"{"v":1,"event":"desk-1","outcome":"sent","final":true}"#.utf8)
        try await cluster.write([KafkaRecord(topic: topic, partition: 1, value: outcome)])
        try await waitUntil { tail.find("desk-1") == .record(outcome) }
        await tail.close()
    }
}
