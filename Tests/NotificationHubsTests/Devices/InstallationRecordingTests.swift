import NewsflashHubRecordings
import NotificationHubs
import Testing

@Suite(
    "Recorded installations",
    .timeLimit(.minutes(1)),
    .needsRecordings
)
struct InstallationRecordingTests {
    @Test
    func `every recorded installation is parsed and written again byte for byte`() throws {
        let answers = try HubRecording.allDotnet().filter { $0.body.hasPrefix("{\"installationId\"") }
        #expect(answers.count == 5)
        for answer in answers {
            let id = try #require(answer.target.split(separator: "/").last?.split(separator: "?").first)
            let installation = try InstallationJSON.read(Array(answer.body.utf8), id: String(id))
            #expect(String(decoding: InstallationJSON.write(installation), as: UTF8.self) == answer.body)
        }
    }
}
