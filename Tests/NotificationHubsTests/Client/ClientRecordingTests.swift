import NewsflashHTTPTransport
import NewsflashHubRecordings
import NewsflashTimestamps
import NotificationHubs
import Testing

@Suite(
    "the client and recorded answers",
    .timeLimit(.minutes(1)),
    .needsRecordings
)
struct ClientRecordingTests {
    /// Creates a client that gets recorded answers in their order.
    private func client(_ recordings: [HubRecording]) throws -> (NotificationHubClient, ScriptedTransport) {
        let transport = ScriptedTransport(
            recordings.map { recording in
                .answer(
                    HTTPResponse(
                        status: recording.status,
                        headers: HTTPHeaders(recording.headers.map { HTTPHeaders.Field($0.name, $0.value) }),
                        body: Array(recording.body.utf8)
                    )
                )
            }
        )
        return (try .scripted(transport, retries: .never), transport)
    }

    private func recordings(_ test: String, _ target: String) throws -> [HubRecording] {
        let found = try HubRecording.dotnet(test).filter { $0.target.contains(target) }
        #expect(!found.isEmpty)
        return found
    }

    @Test func `the id that the service assigned is found`() async throws {
        let recordings = try recordings("CreateRegistrationIdAsync", "registrationids")
        let (client, _) = try client(recordings)
        let id = try await client.createRegistrationID()
        #expect(recordings[0]["Location"]?.contains("/registrationids/\(id)?") == true)
        #expect(id.split(separator: "-").count == 3)
    }

    @Test func `every registration in an answer to a write is parsed`() async throws {
        let entries = try HubRecording.allDotnet().filter { $0.body.hasPrefix("<entry a:etag") }
        let (client, _) = try client(entries)
        for entry in entries {
            let read = try await client.registration("1-2-3")
            let registration = try #require(read)
            #expect(entry.body.contains("<RegistrationId>\(registration.id)</RegistrationId>"))
            #expect(entry.body.contains("<ETag>\(registration.etag)</ETag>"))
        }
        #expect(entries.count >= 15)
    }

    @Test func `every list is parsed, page by page as in the SDK`() async throws {
        let lists = try HubRecording.allDotnet().filter {
            $0.body.hasPrefix("<feed") && $0.target.contains("/registrations")
        }
        let (client, _) = try client(lists)
        for list in lists {
            let page = try await client.registrations()
            #expect(page.registrations.count == HubRecording.contents(of: list.body).count)
            #expect(page.continuation == list["x-ms-continuationtoken"])
        }
        #expect(lists.count >= 15)

        let pages = try recordings("GetAllRegistrationsAsync", "$top=2")
        let (reader, transport) = try self.client(pages)
        var found: [String] = []
        for try await registration in reader.allRegistrations() { found.append(registration.id) }
        #expect(found.count == 3 && Set(found).count == 3)
        #expect(transport.requests.last?.url.hasSuffix("&continuationtoken=MzEobik7Mg%3D%3D") == true)
    }

    @Test func `every installation is parsed`() async throws {
        let answers = try HubRecording.allDotnet().filter {
            $0.target.contains("/installations/") && $0.status == 200 && !$0.body.isEmpty
        }
        let (client, _) = try client(answers)
        for answer in answers {
            let read = try await client.installation("i")
            let installation = try #require(read)
            #expect(answer.target.contains("/installations/\(installation.id)?"))
        }
        #expect(answers.count >= 5)
    }

    @Test(arguments: ["DeleteInstallationAsync", "DeleteRegistrationAsync", "RegistrationExistsAsync"])
    func `a missing resource is recognized by the service's text`(test: String) async throws {
        let answer = try #require(try HubRecording.dotnet(test).last)
        #expect(answer.status == 404)
        let (client, _) = try client([answer, answer, answer])
        let registration = try await client.registration("1-2-3")
        let installation = try await client.installation("i")
        #expect(registration == nil && installation == nil)
        #expect(try await client.deleteRegistration("1-2-3") == false)
    }

    @Test func `the recorded answer to a deletion is accepted`() async throws {
        let installation = try recordings("DeleteInstallationAsync", "/installations/").filter { $0.status == 204 }
        let registration = try recordings("DeleteRegistrationAsync", "/registrations/").filter { $0.status == 200 }
        let (client, transport) = try client([installation[0], registration[0]])
        try await client.deleteInstallation("i")
        #expect(try await client.deleteRegistration("1-2-3"))
        #expect(transport.turnsLeft == 0)
    }

    @Test func `the id of a scheduled message of any length is found`() async throws {
        let (client, _) = try client(try recordings("ScheduleNotificationAsync", "schedulednotifications"))
        let message = try HubMessage.native(format: .apple, body: Array("{}".utf8))
        let scheduled = try await client.schedule(message, to: .broadcast, at: Timestamp(seconds: 1_767_225_600))
        let id = try #require(scheduled.notificationID)
        #expect(id.hasPrefix("af14e491a7994a65b7b3a5681a373337_20181107001832_"))
        #expect(id.hasSuffix("-S68116944391983712"))
    }

    @Test func `the service's text about a refused key is shown`() async throws {
        let refusals = try HubRecording.dotnet("ManagementApi_").filter { $0.status == 401 }
        let (client, _) = try client(refusals)
        for refusal in refusals {
            let error = await #expect(throws: HubError.self) { try await client.registrations() }
            #expect(error?.label == "unauthorized")
            let claims = refusal.body.contains("Manage claim")
            #expect(error?.message.contains(claims ? "Manage claim is required" : "InvalidSignature") == true)
            #expect(error?.reply?.trackingID != nil)
        }
    }
}
