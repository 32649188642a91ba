import NewsflashHTTPTransport
import NewsflashTimestamps
import NotificationHubs
import Testing

@Suite("Documents of the hub about messages", .timeLimit(.minutes(1)))
struct HubDocumentTests {
    private static let namespace = "http://schemas.microsoft.com/netservices/2010/10/servicebus/connect"

    private func test(_ document: String) async throws -> TestSendOutcome {
        let client = try NotificationHubClient.scripted(ScriptedTransport([.status(201, document)]), retries: .never)
        return try await client.test(HubMessage.template(properties: [("a", "b")]), to: .broadcast)
    }

    private func telemetry(_ document: String) async throws -> NotificationTelemetry? {
        let client = try NotificationHubClient.scripted(ScriptedTransport([.status(200, document)]), retries: .never)
        return try await client.telemetry(of: "NH-1")
    }

    @Test func `an outcome in the documented form is parsed`() async throws {
        let document = """
            <?xml version="1.0" encoding="utf-8"?>
            <NotificationOutcome xmlns="\(Self.namespace)" xmlns:i="http://www.w3.org/2001/XMLSchema-instance">
              <Success>1</Success>
              <Failure>1</Failure>
              <Results>
                <RegistrationResult>
                  <ApplicationPlatform>apple</ApplicationPlatform><PnsHandle>00FC</PnsHandle>
                  <RegistrationId>1-2-3</RegistrationId>
                  <Outcome>The Notification was successfully sent to the Push Notification System</Outcome>
                </RegistrationResult>
                <RegistrationResult>
                  <ApplicationPlatform>gcmtemplate</ApplicationPlatform><PnsHandle i:nil="true"/>
                  <Outcome>The Token obtained from the Token Provider is wrong</Outcome>
                </RegistrationResult>
              </Results>
            </NotificationOutcome>
            """
        let outcome = try await test(document)
        #expect(outcome.success == 1 && outcome.failure == 1)
        #expect(outcome.results.map(\.handle) == ["00FC", ""])
        #expect(outcome.results.map(\.registrationID) == ["1-2-3", ""])
        #expect(outcome.results[1].outcome == "The Token obtained from the Token Provider is wrong")
        #expect(outcome.document == Array(document.utf8))
    }

    @Test(
        arguments: [
            "", "x", "<a/>", "<NotificationOutcome/>",
            "<NotificationOutcome><Success>1</Success></NotificationOutcome>",
            "<NotificationOutcome><Success>-1</Success><Failure>0</Failure></NotificationOutcome>",
            "<NotificationOutcome><Success>one</Success><Failure>0</Failure></NotificationOutcome>",
            "<NotificationOutcome><Success>99999999999999999999</Success><Failure>0</Failure></NotificationOutcome>",
            "<!DOCTYPE a><NotificationOutcome><Success>1</Success><Failure>0</Failure></NotificationOutcome>",
        ])
    func `a document without an outcome is refused`(document: String) async throws {
        let error = await #expect(throws: HubError.self) { try await test(document) }
        #expect(error?.code == .unreadableAnswer)
    }

    @Test func `telemetry in the documented form is parsed`() async throws {
        let read = try await telemetry(
            """
            <NotificationDetails xmlns="\(Self.namespace)" xmlns:i="http://www.w3.org/2001/XMLSchema-instance">
              <NotificationId>NH-1</NotificationId>
              <Location>sb://newsdesk.servicebus.windows.net/breaking/messages/NH-1?api-version=2016-07</Location>
              <State>Processing</State>
              <EnqueueTime>2026-01-01T12:00:00.1Z</EnqueueTime><StartTime>2026-01-01T12:00:00.4</StartTime>
              <NotificationBody>{"News_English":"Dam gives way"}</NotificationBody>
              <Tags>breaking</Tags><TargetPlatforms>windows, apple,gcm</TargetPlatforms>
              <ApnsOutcomeCounts>
                <Outcome><Name>Success</Name><Count>3</Count></Outcome>
                <Outcome><Name>WrongToken</Name><Count>1</Count></Outcome>
              </ApnsOutcomeCounts>
              <GcmOutcomeCounts><Outcome><Name>Success</Name><Count>4</Count></Outcome></GcmOutcomeCounts>
              <FcmOutcomeCounts><Outcome><Name>Success</Name><Count>5</Count></Outcome></FcmOutcomeCounts>
              <SomethingNewOutcomeCounts><Outcome/></SomethingNewOutcomeCounts>
            </NotificationDetails>
            """
        )
        let telemetry = try #require(read)
        #expect(telemetry.state == "Processing" && !telemetry.isFinal)
        #expect(telemetry.outcomes[.apns] == ["Success": 3, "WrongToken": 1])
        #expect(telemetry.outcomes[.gcm] == ["Success": 9])
        #expect(telemetry.count(of: "Success") == 12)
        #expect(telemetry.targetPlatforms == ["windows", "apple", "gcm"])
        #expect(telemetry.ended == nil)
        #expect(telemetry.started?.rfc3339 == "2026-01-01T12:00:00.400Z")
        #expect(!telemetry.description.contains("Dam"))
    }

    @Test(arguments: [("Canceled", "Canceled"), ("Cancelled", "Canceled"), ("New", "New")])
    func `a state is parsed in any spelling, even a new one`(text: String, state: String) async throws {
        let read = try await telemetry(
            "<NotificationDetails><NotificationId>NH-1</NotificationId><State>\(text)</State></NotificationDetails>"
        )
        #expect(read?.state == state)
    }

    @Test func `a list ends if its next page is the same page`() async throws {
        let page = ScriptedTransport.Turn.status(
            200,
            "<feed><title>Registrations</title></feed>",
            headers: [.init("x-ms-continuationtoken", "again")]
        )
        let transport = ScriptedTransport(Array(repeating: page, count: 9))
        let client = try NotificationHubClient.scripted(transport)
        let error = await #expect(throws: HubError.self) {
            for try await _ in client.allRegistrations() {}
        }
        #expect(error?.code == .unreadableAnswer)
        #expect(transport.requests.count == 2)
    }
}
