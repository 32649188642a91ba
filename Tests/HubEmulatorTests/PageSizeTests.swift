import NewsflashHTTPTransport
import NewsflashHubEmulator
import NewsflashStrictJSON
import NotificationHubs
import Testing

@Suite("The sizes of pages and stored lists", .timeLimit(.minutes(1)))
struct PageSizeTests {
    /// All pages, and their sizes in bytes.
    private func pages(_ desk: Desk, _ name: String) throws -> (sequences: [[Int64]], bytes: [Int]) {
        var sequences: [[Int64]] = []
        var bytes: [Int] = []
        var last: Int64 = 0
        while true {
            let body = desk.inspect("GET", "\(name)?after=\(last)").body
            let page = try JSONReader.read(body)
            let found = page[member: name]?.array?.compactMap { $0[member: "sequence"]?.int64 } ?? []
            last = try #require(page[member: "last"]?.int64)
            guard !found.isEmpty else { return (sequences, bytes) }
            sequences.append(found)
            bytes.append(body.count)
        }
    }

    @Test func `a page of sends ends after the one that makes it larger than 4 MB`() throws {
        let desk = try Desk()
        for _ in 0..<150 { must(desk.post(body: #"{"a":""# + String(repeating: "x", count: 60_000) + #""}"#)) }
        let (sequences, bytes) = try pages(desk, "sends")
        #expect(sequences.count == 3)
        #expect(sequences.flatMap(\.self) == Array(1...150))
        #expect(bytes.allSatisfy { $0 < 4 << 20 + 70_000 })
    }

    @Test func `a page of deliveries ends after the one that makes it larger than 4 MB`() throws {
        let desk = try Desk()
        desk.install("p", body: #"{"aps":{"alert":"$(a)"}}"#)
        for _ in 0..<600 { must(desk.post(body: #"{"a":""# + String(repeating: "x", count: 10_000) + #""}"#)) }
        #expect(desk.hub.settledDeliveries.count == 600)
        let (sequences, bytes) = try pages(desk, "deliveries")
        #expect(sequences.count == 2)
        #expect(sequences.flatMap(\.self) == Array(1...600))
        #expect(bytes.allSatisfy { $0 < 4 << 20 + 20_000 })
    }

    @Test func `deliveries are kept up to a number of bytes, and shared texts count once`() throws {
        let desk = try Desk { $0.deliveryBytesKept = 20_000 }
        let text = String(repeating: "x", count: 1000)
        for number in 0..<50 { desk.install("shared-\(number)", tags: ["shared"], body: #"{"aps":{"alert":"$(a)"}}"#) }
        desk.send(["a": text], tags: "shared")
        #expect(desk.hub.settledDeliveries.count == 50)
        for number in 0..<50 {
            desk.install(
                "own-\(number)",
                tags: ["own"],
                body: #"{"aps":{"alert":"{$(a) + $(me)}"}}"#,
                extra: #","pushVariables":{"me":"\#(number)"}"#
            )
        }
        desk.send(["a": text], tags: "own")
        let kept = desk.hub.settledDeliveries
        #expect((10..<20).contains(kept.count))
        #expect(kept.map(\.sequence) == Array((101 - Int64(kept.count))...100))
        #expect(Set(kept.compactMap(\.installationID)).count == kept.count)
    }

    @Test func `the newest delivery is kept whatever its size`() throws {
        let desk = try Desk { $0.deliveryBytesKept = 10 }
        desk.install("p")
        for _ in 0..<3 { desk.send() }
        #expect(desk.hub.settledDeliveries.map(\.sequence) == [3])
    }

    @Test(arguments: [
        (#"{"aps":{"alert":"$(a)","b":"$(a)"}}"#, "apns"), (#"{"aps":{"alert":"{$(a) + $(a)}"}}"#, "apns"),
        (#"<toast><visual lang="$(a)"><text>$(a)</text></visual></toast>"#, "wns"),
    ])
    func `a notification is rendered only until it is too large for every platform`(body: String, platform: String)
        throws
    {
        let desk = try Desk()
        desk.install("p", platform: platform, body: body)
        desk.send(["a": String(repeating: "x", count: 60_000)])
        let delivery = try #require(desk.hub.settledDeliveries.first)
        #expect(delivery.outcome == .invalidNotificationSize)
        #expect(delivery.notification.body.count == 8192)
        #expect(delivery.notification.fault?.message.contains("more than 8192 bytes") == true)
    }

    @Test func `headers and audience of a send count towards the kept bytes`() throws {
        let desk = try Desk { $0.bytesKept = 3000 }
        for _ in 0..<5 { desk.send(headers: [.init("apns-collapse-id", String(repeating: "x", count: 980))]) }
        #expect(desk.hub.sends.map(\.sequence) == [4, 5])
        for _ in 0..<20 { desk.send(tags: (1...20).map { "tag-number-\($0)" }.joined(separator: " || ")) }
        #expect((5..<10).contains(desk.hub.sends.count))
    }
}
