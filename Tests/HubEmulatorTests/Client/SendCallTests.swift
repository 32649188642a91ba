import NewsflashHTTPTransport
import NewsflashHubEmulator
import NewsflashTimestamps
import NotificationHubs
import Testing

@Suite("the client's messages, over HTTP", .timeLimit(.minutes(1)))
struct SendCallTests {
    private static let alert = #"{"aps":{"alert":"hello"}}"#

    private static func phone(_ id: String, _ token: String, _ names: String) throws -> Installation {
        Installation(
            id: id,
            channel: .apns(deviceToken: token),
            tags: try tags(names),
            templates: [
                InstallationTemplate(name: "alerts", body: #"{"aps":{"alert":"$(messageParam)"}}"#)
            ]
        )
    }

    @Test func `the client sends to tags and to everyone`() async throws {
        try await ClientOfHub.run { desk in
            let sent = try await desk.client.send(.hello, to: .tags(TagExpression(parsing: "world && !sports")))
            let broadcast = try await desk.client.send(.hello, to: .broadcast)
            #expect(desk.hub.sends.map(\.notificationID) == [sent.notificationID, broadcast.notificationID])
            #expect(desk.hub.sends.map(\.expression?.description) == ["world && !sports", nil])
            #expect(sent.trackingID != nil && sent.correlationID != nil)
        }
    }

    @Test func `the client sends to one device and to a batch of devices`() async throws {
        try await ClientOfHub.run { desk in
            let message = try HubMessage.native(format: .apple, body: Array(Self.alert.utf8))
            _ = try await desk.client.send(message, to: .device(.apns(deviceToken: "00FC")))
            _ = try await desk.client.send(message, to: .devices(["00FC", "00FD"]))
            #expect(desk.hub.sends.map(\.kind) == [.direct, .batch])
            #expect(desk.hub.sends.map(\.handles) == [["00FC"], ["00FC", "00FD"]])
        }
    }

    @Test func `the client reads the outcome of a test send`() async throws {
        try await ClientOfHub.run { desk in
            try await desk.client.putInstallation(Self.phone("a", "00AA", "world"))
            try await desk.client.putInstallation(Self.phone("b", "00BB", "sports"))
            let outcome = try await desk.client.test(.hello, to: .tags(TagExpression(parsing: "world")))
            #expect(outcome.success == 1 && outcome.failure == 0)
            #expect(outcome.results.map(\.handle) == ["00AA"])
            #expect(outcome.results.map(\.platform) == ["appletemplate"])
            #expect(
                outcome.results.map(\.outcome) == [
                    "The Notification was successfully sent to the Push Notification System"
                ]
            )
            let id = try #require(outcome.results.first?.registrationID)
            #expect(try await desk.client.registration(id)?.description.channel == .apns(deviceToken: "00AA"))
            #expect(String(decoding: outcome.document, as: UTF8.self).hasPrefix("<NotificationOutcome xmlns="))
            #expect(outcome.acceptance.notificationID == desk.hub.sends.first?.notificationID)
            let nobody = try await desk.client.test(.hello, to: .tags(TagExpression(parsing: "nobody")))
            #expect(nobody.success == 0 && nobody.failure == 0 && nobody.results.isEmpty)
            #expect("\(outcome)" == "1 sent, 0 not sent")
        }
    }

    @Test func `a throttled test send is not retried after a minute`() async throws {
        try await ClientOfHub.run({ $0.testSendsPerMinute = 1 }) { desk in
            _ = try await desk.client.test(.hello, to: .broadcast)
            let error = await #expect(throws: HubError.self) { try await desk.client.test(.hello, to: .broadcast) }
            #expect(error?.label == "throttled")
            #expect(error?.reply?.retryAfter == .seconds(60))
            #expect(error?.attempts == 1)
        }
    }

    @Test func `the client schedules a message and cancels it`() async throws {
        try await ClientOfHub.run { desk in
            let time = Timestamp.now() + .seconds(3600)
            let scheduled = try await desk.client.schedule(.hello, to: .broadcast, at: time)
            let id = try #require(scheduled.notificationID)
            let due = try #require(scheduled.scheduledTime)
            #expect(due >= time && due < time + .seconds(1))
            #expect(try await desk.client.telemetry(of: id)?.state == "Scheduled")
            try await desk.client.cancelScheduled(id)
            #expect(try await desk.client.telemetry(of: id)?.state == "Canceled")
            let again = await #expect(throws: HubError.self) { try await desk.client.cancelScheduled(id) }
            #expect(again?.code == .missing)
            let tooFar = await #expect(throws: HubError.self) {
                try await desk.client.schedule(.hello, to: .broadcast, at: time + .seconds(8 * 86_400))
            }
            #expect(tooFar?.reply?.detail == "A notification can be scheduled at most 7 days ahead.")
        }
    }

    @Test func `the client reads the counts of a message by platform and outcome`() async throws {
        try await ClientOfHub.run { desk in
            desk.hub.setFaults([], deliveries: [DeliveryFault(outcome: "ExpiredChannel", platform: .fcmv1)])
            try await desk.client.putInstallation(Self.phone("a", "00AA", "world"))
            try await desk.client.putInstallation(Self.phone("b", "00BB", "world"))
            var android = Installation(id: "c", channel: .fcmv1(registrationID: "c"), tags: try tags("world"))
            android.templates = [
                InstallationTemplate(name: "n", body: #"{"message":{"data":{"m":"$(messageParam)"}}}"#)
            ]
            try await desk.client.putInstallation(android)
            let sent = try await desk.client.send(.hello, to: .tags(TagExpression(parsing: "world")))
            desk.hub.settle()
            let id = try #require(sent.notificationID)
            let telemetry = try #require(try await desk.client.telemetry(of: id))
            #expect(telemetry.id == id)
            #expect(telemetry.state == "Completed" && telemetry.isFinal)
            #expect(telemetry.outcomes == [.apns: ["Success": 2], .fcmv1: ["ExpiredChannel": 1]])
            #expect(telemetry.count(of: "Success") == 2)
            #expect(telemetry.targetPlatforms == ["appletemplate", "fcmv1template"])
            #expect(telemetry.tags == "world")
            #expect(telemetry.body == #"{"messageParam":"Breaking World News : hello"}"#)
            let enqueued = try #require(telemetry.enqueued)
            let ended = try #require(telemetry.ended)
            #expect(enqueued <= ended)
            #expect("\(telemetry)" == "\(id) Completed; apns: Success 2; fcmv1: ExpiredChannel 1")
        }
    }

    @Test func `a message that the hub does not have has no telemetry`() async throws {
        try await ClientOfHub.run { desk in
            let id = "NH-20260101000000000-0123456789abcdef0123456789abcdef-01"
            let unknown = try await desk.client.telemetry(of: id)
            #expect(unknown == nil)
            let malformed = await #expect(throws: HubError.self) { try await desk.client.telemetry(of: "nonsense") }
            #expect(malformed?.reply?.status == 400)
        }
    }

    @Test(arguments: [HubTier.free, .basic])
    func `an error names the tier if it lacks the operation`(tier: HubTier) async throws {
        try await ClientOfHub.run({ $0.tier = tier }) { desk in
            let sent = try await desk.client.send(.hello, to: .broadcast)
            #expect(sent.notificationID == nil)
            let error = await #expect(throws: HubError.self) {
                try await desk.client.schedule(.hello, to: .broadcast, at: .now() + .seconds(60))
            }
            #expect(error?.reply?.status == 403)
            #expect(error?.message.contains("the tier lacks the operation") == true)
        }
    }

    @Test func `a send succeeds after the hub has failed twice`() async throws {
        try await ClientOfHub.run { desk in
            desk.hub.setFault(Fault(status: 503, remaining: 2))
            _ = try await desk.client.send(.hello, to: .broadcast)
            #expect(desk.hub.stats.byStatus == [503: 2, 201: 1])
            #expect(desk.hub.sends.count == 1)
        }
    }

    @Test func `a send that the hub accepted before the connection was cut is not repeated`() async throws {
        try await ClientOfHub.run { desk in
            desk.hub.setFault(Fault(isCut: true, isAccepted: true))
            let error = await #expect(throws: HubError.self) { try await desk.client.send(.hello, to: .broadcast) }
            #expect(error?.mayHaveBeenAccepted == true)
            #expect(error?.attempts == 1)
            #expect(desk.hub.sends.count == 1)
        }
    }

    @Test func `an idempotent request is repeated over a new connection`() async throws {
        try await ClientOfHub.run { desk in
            desk.hub.setFault(Fault(isCut: true, isAccepted: true, remaining: 1))
            try await desk.client.putInstallation(Self.phone("a", "00AA", "world"))
            #expect(try await desk.client.installation("a") != nil)
        }
    }

    @Test func `a request ends when its task is cancelled`() async throws {
        try await ClientOfHub.run { desk in
            desk.hub.setFault(Fault(latency: .seconds(50)))
            let start = ContinuousClock.now
            // Awaited below.
            let task = Task { try await desk.client.send(.hello, to: .broadcast) }
            _ = await desk.hub.waitForSends(count: 1)
            task.cancel()
            let error = await #expect(throws: HubError.self) { try await task.value }
            #expect(error?.code == .cancelled)
            #expect(error?.mayHaveBeenAccepted == true)
            #expect(ContinuousClock.now - start < .seconds(20))
        }
    }
}
