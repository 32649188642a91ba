import NewsflashHTTPTransport
import NewsflashHubEmulator
import NewsflashStrictXML
import NewsflashTestSupport
import NotificationHubs
import Testing

@Suite("Malformed requests and the service's answers", .timeLimit(.minutes(1)))
struct MalformedRequestTests {
    @Test(arguments: MalformedRequest.sends + MalformedRequest.batches)
    func `a malformed send or batch is refused`(request: MalformedRequest) throws {
        try check(request)
    }

    @Test(arguments: MalformedRequest.addresses + MalformedRequest.tokens)
    func `a request with a wrong address or a wrong token is refused`(request: MalformedRequest) throws {
        try check(request)
    }

    @Test(arguments: MalformedRequest.registrations + MalformedRequest.lists)
    func `a malformed registration or list is refused`(request: MalformedRequest) throws {
        try check(request)
    }

    @Test(arguments: MalformedRequest.installations + MalformedRequest.patches)
    func `a malformed installation or patch is refused`(request: MalformedRequest) throws {
        try check(request)
    }

    @Test(arguments: MalformedRequest.schedules + MalformedRequest.telemetry)
    func `a malformed request for a schedule or telemetry is refused`(request: MalformedRequest) throws {
        try check(request)
    }

    /// Checks that the answer has the status and text of the table, and that the hub has not changed.
    private func check(_ request: MalformedRequest) throws {
        let desk = try Desk { $0.tier = request.tier }
        try desk.registerDevices()
        let before = desk.inspect("GET", "hub").text
        let response = desk.hub.answer(desk.request(request)).response
        #expect(response.status == request.status, "\(response.text)")
        #expect(desk.hub.sends.isEmpty)
        #expect(desk.inspect("GET", "hub").text == before)
        let record = try #require(desk.hub.requests.last)
        #expect(response.status != 400 || record.reason?.isEmpty == false, "the list of requests has no reason")
        guard !response.body.isEmpty else {
            // As recorded: a refusal for a missing right has no body.
            #expect(request.status == 403)
            return
        }
        #expect(response.headers["Content-Type"] == "application/xml; charset=utf-8")
        let start = "<Error><Code>\(request.status)</Code><Detail>"
        #expect(response.text.hasPrefix(start + request.text), "\(response.text)")
        // As recorded: the answer for a missing resource has no text either.
        #expect(!response.text.hasPrefix(start + ".TrackingId") || request.status == 404, "the answer has no reason")
        // The answer is XML for any content of the request.
        #expect(throws: Never.self) { try XMLReader.read(response.body) }
        #expect(response.body.count < 2000)
    }

    @Test func `a valid request is answered after any malformed one`() throws {
        let desk = try Desk()
        try desk.registerDevices()
        for request in MalformedRequest.all where request.tier == .standard {
            _ = desk.hub.answer(desk.request(request))
        }
        #expect(desk.hub.sends.isEmpty)
        #expect(desk.post().status == 201)
    }

    @Test func `malformed requests are refused over the network as well`() async throws {
        let desk = try Desk()
        try desk.registerDevices()
        try desk.hub.start()
        let port = try #require(desk.hub.url?.split(separator: ":").last.flatMap { UInt16($0) })
        for request in MalformedRequest.all where request.tier == .standard && request.isOneOfHTTP {
            let client = try RawClient(port: port)
            client.send(desk.request(request).onTheWire)
            let response = await client.receiveResponse(isHead: request.method == "HEAD")
            #expect(response.status == request.status, "\(request.what): \(response.head)")
        }
        await desk.hub.stop()
        #expect(desk.hub.sends.isEmpty)
    }

    @Test func `the tables have more than sixty malformed requests with different names`() {
        #expect(MalformedRequest.all.count > 60)
        #expect(Set(MalformedRequest.all.map(\.what)).count == MalformedRequest.all.count)
    }
}

extension MalformedRequest {
    static let all =
        sends + batches + addresses + tokens + registrations + lists + installations + patches + schedules + telemetry

    /// Whether an HTTP server passes the request on.
    fileprivate var isOneOfHTTP: Bool {
        !method.isEmpty && headers.fields.allSatisfy { $0.value.utf8.count < 10_000 }
    }
}

extension EmulatedRequest {
    fileprivate var onTheWire: [UInt8] {
        let lines = ["\(method) \(target) HTTP/1.1"] + headers.fields.map { "\($0.name): \($0.value)" }
        return Array((lines.joined(separator: "\r\n") + "\r\nContent-Length: \(body.count)\r\n\r\n").utf8) + body
    }
}

extension Desk {
    /// An installation `i-1` with a template `t`, and a registration `1-2-1`.
    fileprivate func registerDevices() throws {
        let installation =
            #"{"installationId":"i-1","platform":"apns","pushChannel":"00FC","tags":["a"],"templates":{"t":{"body":"{\"aps\":{}}"}}}"#
        #expect(post("/Breaking-News/installations/i-1", method: "PUT", body: installation).status == 200)
        let entry = MalformedRequest.entry("<AppleRegistrationDescription", "<DeviceToken>00FC</DeviceToken>")
        #expect(post("/Breaking-News/registrations/1-2-1", method: "PUT", body: entry).status == 200)
    }

    /// A request of a table with its signature.
    func request(_ malformed: MalformedRequest) -> EmulatedRequest {
        var headers = malformed.headers
        headers.append("Host", "127.0.0.1:8080")
        switch malformed.signer {
        case .right: headers.append("Authorization", token())
        case .header(let value): if let value { headers.append("Authorization", value) }
        case .token(let url, let policy, let key, let life):
            headers.append("Authorization", token(url: url, policy: policy, key: key, life: life))
        }
        return EmulatedRequest(
            method: malformed.method,
            target: malformed.target,
            headers: headers,
            body: malformed.body
        )
    }
}
