import NewsflashBasics
import NewsflashHTTPTransport
import NewsflashHubEmulator
import NewsflashStrictJSON
import NewsflashTestSupport
import NotificationHubs
import Testing

@Suite("the list of requests", .timeLimit(.minutes(1)))
struct RequestListTests {
    private func list(_ desk: Desk, _ query: String = "") throws -> [JSONValue] {
        let answer = desk.inspect("GET", "requests" + query)
        #expect(answer.status == 200)
        return try #require(try JSONReader.read(answer.body)[member: "requests"]?.array)
    }

    @Test func `the list of requests has each request and its answer`() throws {
        let desk = try Desk()
        let accepted = desk.post(headers: [.init("TrackingId", "mine")])
        let refused = desk.post(body: "")
        let requests = try list(desk)
        #expect(requests.map { $0[member: "sequence"]?.int64 } == [1, 2])
        #expect(requests.map { $0[member: "method"]?.string } == ["POST", "POST"])
        #expect(requests.map { $0[member: "status"]?.int64 } == [201, 400])
        #expect(requests[0][member: "target"]?.string == "/Breaking-News/messages?api-version=2020-06")
        #expect(requests[0][member: "time"]?.string == "2025-12-31T23:00:00.000Z")
        #expect(requests[0][member: "clientTrackingId"]?.string == "mine")
        #expect(requests[0][member: "error"] == nil)
        #expect(requests[1][member: "error"]?.string == "The supplied notification payload is invalid.")
        for (request, answer) in zip(requests, [accepted, refused]) {
            #expect(request[member: "trackingId"]?.string == answer.headers["TrackingId"])
        }
        #expect(try list(desk, "?refused").map { $0[member: "sequence"]?.int64 } == [2])
        #expect(try list(desk, "?after=1&limit=1").map { $0[member: "sequence"]?.int64 } == [2])
        #expect(try list(desk, "?after=2").isEmpty)
        #expect(desk.inspect("GET", "requests?after=x").status == 400)
    }

    @Test(arguments: [
        (#"{"a":"b","count":1}"#, "the value of the property 'count' must be a string"),
        ("[]", "the body of a template message must be a JSON object with its properties"),
        ("", "the body is empty"),
        (#"{"a":"b",}"#, "the body is not valid JSON: a member name in quotes is missing at byte 9"),
    ])
    func `the list of requests has the reason why a payload is invalid`(body: String, reason: String) throws {
        let desk = try Desk()
        must(desk.post(body: body), answer: 400)
        let request = try #require(try list(desk).first)
        #expect(request[member: "error"]?.string == "The supplied notification payload is invalid.")
        #expect(request[member: "reason"]?.string == reason)
    }

    @Test func `the list of requests has the place of a fault in an installation`() throws {
        let desk = try Desk()
        desk.install("a", tags: ["no/tag"], answers: 400)
        let reason = try #require(try list(desk).first?[member: "reason"]?.string)
        #expect(reason.hasSuffix("(in /tags)"), "\(reason)")
    }

    @Test func `the list of requests has the signed and the requested resource of a refused token`() throws {
        let desk = try Desk()
        let token = desk.token(url: "https://127.0.0.1:9090/Other-Hub/messages")
        #expect(desk.post(headers: [.init("Authorization", token)]).status == 401)
        let request = try #require(try list(desk).first)
        #expect(request[member: "status"]?.int64 == 401)
        let error = "InvalidAudience: The authorization header was made for another resource."
        #expect(request[member: "error"]?.string == error)
        #expect(request[member: "reason"]?.string == "the token is for another resource")
        let facts = try #require(request[member: "token"])
        #expect(facts[member: "signedFor"]?.string == "https://127.0.0.1:9090/other-hub/messages")
        #expect(facts[member: "asked"]?.string == "127.0.0.1/breaking-news/messages")
        #expect(facts[member: "keyName"]?.string == "Full")
    }

    @Test func `the list of requests distinguishes a wrong key from a wrong name, and names a missing claim`() throws {
        let desk = try Desk()
        for token in [desk.token(key: "other"), desk.token(policy: "Nobody"), desk.token(policy: "Listen Only")] {
            #expect([401, 403].contains(desk.post(headers: [.init("Authorization", token)]).status))
        }
        #expect(desk.post(headers: [.init("Authorization", "Bearer x")]).status == 401)
        let requests = try list(desk)
        #expect(
            requests.map { $0[member: "reason"]?.string } == [
                "the code was not created with the policy's key", "no policy has the name in skn",
                "the policy 'Listen Only' does not have the claim Send", "the scheme is not SharedAccessSignature",
            ]
        )
        #expect(requests[2][member: "token"] == nil)
        #expect(requests[3][member: "token"]?[member: "signedFor"] == nil)
        #expect(requests[3][member: "token"]?[member: "asked"]?.string == "127.0.0.1/breaking-news/messages")
    }

    @Test func `the list of requests contains no signature, key or text of news`() throws {
        let desk = try Desk()
        let secrets = ["c2lnbmF0dXJl", "full key", "bmV3c2Rlc2stZXhhbXBsZS1rZXktMDAwMDAwMDAwMDE="]
        let (signature, key, azures) = (secrets[0], secrets[1], secrets[2])
        let headers = [
            "SharedAccessSignature sr=http%3a%2f%2f127.0.0.1%26sig%3d\(signature)&sig=\(signature)&se=1&skn=Full",
            "SharedAccessSignature sr=\(azures)&sig=\(signature)&se=9&skn=\(azures)",
            "SharedAccessSignature sr=full%20key&sig=\(signature)&se=9&skn=full%20key",
            "Endpoint=sb://x/;SharedAccessKeyName=Full;SharedAccessKey=\(azures)", signature,
        ]
        for header in headers { #expect(desk.post(headers: [.init("Authorization", header)]).status == 401) }
        for query in [
            "SIG=\(signature)&x=1", "SharedAccessKey=\(key)", "x=SharedAccessSignature%20sig%3D\(signature)%26se%3D1",
            "x=sig%253D\(signature)",
        ] {
            #expect(desk.post("/Breaking-News/messages?\(query)").status == 201)
        }
        _ = desk.post(body: #"{"headline":"Dam gives way"#)
        _ = desk.post(body: #"{"headline":{"Dam gives way":1}}"#)
        _ = desk.post(headers: [.init("ServiceBusNotification-Tags", "a || ||")], body: #"{"a":"Dam gives way"}"#)
        let text = desk.inspect("GET", "requests").text
        for secret in secrets + ["Dam gives way", "full%20key"] { #expect(!text.contains(secret), "\(secret)") }
        #expect(text.contains("SIG=…&x=1"))
        #expect(desk.hub.requests.count == 12)
    }

    @Test(arguments: [
        "/Breaking-News/\u{1B}[31mred\u{7}", "/x\r\n2026-01-01T00:00:00Z info forged", "/\u{202E}gnp.exe\u{2066}\u{9B}",
    ])
    func `the list of requests shows a hostile target without control characters`(target: String) throws {
        let desk = try Desk()
        let answer = desk.post(target)
        #expect(answer.status >= 400)
        let shown = try #require(desk.hub.requests.first?.target)
        #expect(shown.unicodeScalars.allSatisfy { $0.value >= 0x20 && !(0x7F...0x9F).contains($0.value) })
        #expect(!shown.unicodeScalars.contains { ["\u{202E}", "\u{2066}"].contains($0) })
        #expect(shown.contains("\\u{"))
    }

    @Test func `the list of requests has the last thousand, with their texts truncated`() throws {
        let desk = try Desk()
        let long = "/" + String(repeating: "é", count: 5000)
        // Signed once for thousands of requests.
        let signed: HTTPHeaders = [.init("Authorization", desk.token())]
        for number in 0..<1200 { _ = desk.post("/nobody/messages?n=\(number)", headers: signed) }
        #expect(desk.hub.requests.map(\.sequence) == Array(201...1200))
        _ = desk.post(long, method: String(repeating: "M", count: 9999), headers: [.init("TrackingId", long)])
        let last = try #require(desk.hub.requests.last)
        #expect(last.target.utf8.count <= 1003)
        #expect(last.target.hasSuffix("é…"))
        #expect(last.method.utf8.count <= 35)
        #expect((last.clientTrackingID?.utf8.count ?? 0) <= 103)
        // A thousand requests of the largest size would be 6 MB.
        let worst = "/" + String(repeating: "\u{1}", count: 2000)
        for _ in 0..<1000 { _ = desk.post(worst, headers: signed) }
        #expect((100...400).contains(desk.hub.requests.count))
    }

    @Test func `the list of requests marks answers that a fault decided and connections that were cut`() throws {
        let desk = try Desk()
        desk.hub.setFaults([Fault(status: 503)])
        #expect(desk.post().status == 503)
        var fault = Fault(status: 200)
        fault.cut = .after
        desk.hub.setFaults([fault])
        _ = desk.post()
        fault.cut = .middle
        desk.hub.setFaults([fault])
        _ = desk.post()
        let requests = try list(desk)
        #expect(requests.map { $0[member: "status"]?.int64 } == [503, nil, 201])
        #expect(requests.map { $0[member: "cut"]?.string } == [nil, "after", "middle"])
        #expect(requests.allSatisfy { $0[member: "fault"] == .bool(true) })
        #expect(try list(desk, "?refused").count == 3)
    }

    @Test func `the list of requests has those refused for host or site, but not valid inspections`() throws {
        let desk = try Desk()
        _ = desk.inspect("GET", "sends")
        _ = desk.hub.answer(EmulatedRequest(method: "GET", target: "/"))
        #expect(desk.hub.requests.isEmpty)
        for target in ["/_emulator/token", "/console/app.js"] {
            let request = EmulatedRequest(method: "GET", target: target, headers: [.init("Host", "evil.example")])
            #expect(desk.hub.answer(request).response.status == 421)
        }
        #expect(desk.hub.requests.map(\.target) == ["/_emulator/token", "/console/app.js"])
        #expect(desk.hub.requests.allSatisfy { $0.status == 421 && $0.error?.contains("evil.example") == true })
        #expect(desk.hub.stats.received == 0)
    }

    @Test func `the list of requests is cleared with the sends, and its numbers continue`() throws {
        let desk = try Desk()
        _ = desk.post()
        #expect(desk.inspect("DELETE", "sends").status == 204)
        #expect(desk.hub.requests.isEmpty)
        _ = desk.post()
        #expect(desk.hub.requests.map(\.sequence) == [2])
        desk.hub.reset()
        #expect(desk.hub.requests.isEmpty)
    }

    @Test func `an observer receives each request after its answer`() throws {
        let told = Locked<[RequestRecord]>([])
        let desk = try Desk { $0.requestObserver = { record in told.withLock { $0.append(record) } } }
        _ = desk.post()
        _ = desk.post(body: "")
        #expect(told.withLock { $0 } == desk.hub.requests)
        #expect(told.withLock { $0 }.map(\.status) == [201, 400])
    }

    @Test func `the list of requests has those with too large bodies, and watchers get refusals`() async throws {
        let hub = HubEmulator()
        try hub.start()
        let port = try #require(hub.url?.split(separator: ":").last.flatMap { UInt16($0) })
        let watcher = try RawClient(port: port)
        watcher.send("GET /_emulator/events HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        _ = await watcher.receive(through: ": connected\n\n")
        let client = try RawClient(port: port)
        client.send("PUT /newsroom/installations/i HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 9999999\r\n\r\n")
        #expect(await client.receive(through: "\r\n\r\n").contains("413"))
        #expect(await watcher.receive(through: "event: refusals\ndata: {\"last\":1}\n").contains("refusals"))
        #expect(hub.requests.map(\.target) == ["/newsroom/installations/i"])
        #expect(hub.requests.map(\.method) == ["PUT"])
        await hub.stop()
    }
}
