import NewsflashHTTPTransport
import NewsflashTimestamps
import NotificationHubs
import Testing

@Suite(.timeLimit(.minutes(1)))
struct ReplyHeadersTests {
    // Blanks and line ends would not be part of the value.
    private static let bytes: ClosedRange<UInt8> = 0x21...0xFF

    private func reply(_ name: String, _ value: [UInt8]) -> HubReply {
        let lines = Array("\(name): ".utf8) + value + Array("\r\n".utf8)
        let response = HTTPResponse(status: 201, headers: HTTPHeaders(checkedLines: lines))
        return HubClient.reply(to: .success(response), now: Timestamp(seconds: 0))
    }

    @Test(arguments: [1, 7, 8, 9, 17])
    func `a name may have letters, digits, hyphens and underscores`(length: Int) {
        for place in 0..<length {
            for byte in Self.bytes {
                var value = [UInt8](repeating: UInt8(ascii: "_"), count: length)
                value[place] = byte

                let isName = "-_".utf8.contains(byte) || Character(Unicode.Scalar(byte)).isASCIILetterOrDigit
                let name = isName ? String(decoding: value, as: UTF8.self) : nil
                #expect(reply("TrackingId", value).trackingID == name, "\(value)")
                #expect(reply("x-ms-correlation-request-id", value).correlationID == name, "\(value)")
            }
        }
    }

    @Test func `a name has 1 to 64 bytes`() {
        for (length, isName) in [(0, false), (64, true), (65, false)] {
            let value = [UInt8](repeating: UInt8(ascii: "a"), count: length)

            #expect((reply("TrackingId", value).trackingID != nil) == isName)
            #expect((reply("x-ms-correlation-request-id", value).correlationID != nil) == isName)
        }
    }

    @Test(arguments: ["a", "/", "sb://", "sb://h/12345", "https://h/messages/12345678"])
    func `the last part of a path is found as by a look at each byte`(start: String) {
        for length in [0, 1, 7, 8, 9, 300] {
            for place in 0..<min(max(1, length), 9) {
                for byte in Self.bytes {
                    var value = Array(start.utf8) + [UInt8](repeating: UInt8(ascii: "a"), count: length)
                    if length > 0 { value[start.utf8.count + place] = byte }

                    let id = reply("Location", value).notificationID
                    #expect(id == Self.lastPart(of: value).map { String(decoding: $0, as: UTF8.self) }, "\(value)")
                }
            }
        }
    }

    private static func lastPart(of value: [UInt8]) -> ArraySlice<UInt8>? {
        let path = value.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
        guard let slash = path.lastIndex(of: UInt8(ascii: "/")), slash + 1 < path.count else { return nil }
        return slash > 0 && path[slash - 1] == UInt8(ascii: "/") ? nil : path[(slash + 1)...].prefix(256)
    }
}

extension Character {
    fileprivate var isASCIILetterOrDigit: Bool { isASCII && (isLetter || isNumber) }
}
