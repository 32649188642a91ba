import NewsflashHTTP1
import NewsflashHTTPTransport
import NewsflashHubRecordings
import Testing

@Suite(.timeLimit(.minutes(2)), .needsRecordings)
struct RecordedAnswerTests {
    /// Returns the recorded answer as it was on the wire.
    private func wire(_ recording: HubRecording) -> [UInt8] {
        let isChunked = recording["Transfer-Encoding"] != nil
        let hasBody = recording.status != 204 && recording.status != 304
        var text = "HTTP/1.1 \(recording.status) Recorded\r\n"
        for header in recording.headers where header.name.lowercased() != "content-length" {
            text += "\(header.name): \(header.value)\r\n"
        }
        if isChunked {
            text += "\r\n"
            var rest = Array(recording.body.utf8)[...]
            while !rest.isEmpty {
                let piece = rest.prefix(1000)
                text += String(piece.count, radix: 16) + "\r\n" + String(decoding: piece, as: UTF8.self) + "\r\n"
                rest = rest.dropFirst(1000)
            }
            text += "0\r\n\r\n"
        } else {
            text += "Content-Length: \(recording.body.utf8.count)\r\n\r\n" + (hasBody ? recording.body : "")
        }
        return Array(text.utf8)
    }

    @Test func `recorded answers of the real hub are parsed, split anywhere`() throws {
        let recordings = try HubRecording.allDotnet() + [HubRecording.javaScriptSend()]
        #expect(recordings.count > 20)
        for recording in recordings where recording.body.utf8.allSatisfy({ $0 < 0x80 }) {
            let bytes = wire(recording)
            for cut in stride(from: 0, through: bytes.count, by: 7) {
                var parser = ResponseParser.read([bytes[..<cut], bytes[cut...]])

                #expect(parser.state == .whole, "\(recording.target) cut at \(cut)")
                let response = parser.removeResponse()
                #expect(response.status == recording.status)
                #expect(response.body == Array(recording.body.utf8))
                #expect(response.headers["server"] == recording["Server"])
            }
        }
    }
}
