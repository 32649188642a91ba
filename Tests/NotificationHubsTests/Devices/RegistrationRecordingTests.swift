import NewsflashHubRecordings
import NewsflashStrictXML
import NotificationHubs
import Testing

@Suite(
    "Recorded registrations",
    .timeLimit(.minutes(1)),
    .needsRecordings
)
struct RegistrationRecordingTests {
    @Test
    func `every recorded registration is parsed and written again byte for byte`() throws {
        var count = 0
        for answer in try HubRecording.allDotnet() {
            // Answers to writes have times without a zone.
            let purpose = answer.body.contains("23:59:59.999<") ? RegistrationXML.Purpose.answerToWrite : .answerToRead
            for content in HubRecording.contents(of: answer.body) where !content.hasPrefix("<NotificationHub") {
                let registration = try RegistrationXML.readAnswer(Array(content.utf8))
                var writer = XMLWriter()
                RegistrationXML.write(registration, to: &writer, for: purpose)
                #expect(String(decoding: writer.bytes, as: UTF8.self) == content)
                count += 1
            }
        }
        #expect(count >= 47)
    }

    @Test
    func `a registration that was read can be sent again unchanged`() throws {
        var count = 0
        for answer in try HubRecording.allDotnet() where answer.body.hasPrefix("<entry a:etag") {
            count += 1
            let description = try RegistrationXML.read(Array(answer.body.utf8))
            #expect(try RegistrationXML.readAnswer(Array(answer.body.utf8)).description == description)
            #expect(try RegistrationXML.read(RegistrationXML.request(description)) == description)
        }
        #expect(count >= 20)
    }
}
