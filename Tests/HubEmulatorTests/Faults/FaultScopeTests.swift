import NewsflashHTTPTransport
import NewsflashHubEmulator
import NotificationHubs
import Testing

@Suite("The requests that a fault applies to", .timeLimit(.minutes(1)))
struct FaultScopeTests {
    private static let requests: [(method: String, path: String)] = [
        ("POST", "/Breaking-News/messages"), ("POST", "/breaking-news/Messages/?direct"),
        ("POST", "/Breaking-News/messages/$batch"), ("POST", "/Breaking-News/schedulednotifications"),
        ("GET", "/Breaking-News/messages/NH-1"), ("POST", "/Breaking-News/registrationids"),
        ("GET", "/Breaking-News/registrations"), ("GET", "/Breaking-News/tags/a/registrations"),
        ("PUT", "/Breaking-News/installations/i%2D1"), ("DELETE", "/Breaking-News/installations/i-1"),
        ("POST", "/Breaking-News/jobs"), ("GET", "/Breaking-News"), ("GET", "/Other/messages"), ("PATCH", "/nowhere"),
    ]

    @Test(arguments: [
        (#""operations":["send"]"#, [0, 1, 2, 3]), (#""operations":["telemetry"]"#, [4]),
        (#""operations":["registration"]"#, [5, 6, 7]), (#""operations":["installation"]"#, [8, 9]),
        (#""operations":["job","hub"]"#, [10, 11]), (#""requests":["POST /Breaking-News/messages"]"#, [0, 1, 2]),
        (#""requests":["/breaking-news/messages/"]"#, [2, 4]),
        (#""requests":["put /breaking-news/installations/i-"]"#, [8]),
        (#""requests":["PATCH /","/other"]"#, [12, 13]), (#""requests":["/"],"operations":["hub"]"#, [11]),
        (#""rate":1"#, Array(0...13)),
    ])
    func `a fault applies only to its operations and requests`(members: String, struck: [Int]) throws {
        let desk = try Desk()
        #expect(desk.inspect("PUT", "faults", body: #"{"status":418,\#(members)}"#).status == 200)
        let found = Self.requests.indices.filter { index in
            desk.post(Self.requests[index].path, method: Self.requests[index].method).status == 418
        }
        #expect(found == struck)
    }

    @Test func `a fault's count includes only the requests that it applies to`() throws {
        let desk = try Desk()
        #expect(desk.inspect("PUT", "faults", body: #"{"status":503,"count":1,"operations":["send"]}"#).status == 200)
        #expect(desk.post("/Breaking-News/nothing").status == 404)
        #expect([desk.post().status, desk.post().status] == [503, 201])
    }
}
