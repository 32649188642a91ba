import NewsflashHTTPTransport
import NewsflashTimestamps
import NotificationHubs
import Testing

@Suite(.timeLimit(.minutes(1)))
struct ReplacingHeadersTests {
    @Test(
        arguments: [
            (Int64(1_770_000_000), Int64(86_400), 5), (0, 0, nil), (-5, -7, nil), (.max, .max, 10),
        ] as [(Int64, Int64, Int?)]
    )
    func `the headers are those of each platform`(expires: Int64, timeToLive: Int64, priority: Int?) throws {
        let made = try HTTPHeaders.replacing(
            collapseID: "0123456789abcdef",
            expires: Timestamp(seconds: expires),
            timeToLive: .seconds(timeToLive),
            priority: priority
        )
        var headers = HTTPHeaders()
        if let priority { headers.append("apns-priority", String(priority)) }
        headers.append("apns-expiration", String(max(0, Timestamp(seconds: expires).seconds)))
        headers.append("apns-collapse-id", "0123456789abcdef")
        headers.append("X-WNS-TTL", String(max(0, timeToLive)))
        headers.append("X-WNS-Tag", "0123456789abcdef")
        headers.append("X-WNS-Group", "newsflash")
        #expect(made.fields == headers.fields)
    }

    @Test(arguments: ["", "0123456789abcdefg", "a b", "a\r\nb", "größe"])
    func `an id of other characters than letters and digits is refused`(id: String) throws {
        let error = try #require(throws: HubValueError.self) {
            try HTTPHeaders.replacing(collapseID: id, expires: Timestamp(seconds: 0), timeToLive: .zero, priority: nil)
        }
        #expect(error.code == .messageInvalidHeader)
    }
}
