import HTTPTransport
import HubEmulator
import NotificationHubs
import StrictXML
import TestSupport
import Testing

@Suite("What is wrong with requests, and what the service says", .timeLimit(.minutes(1)))
struct MalformedRequestTests {
    @Test(arguments: MalformedRequest.sends + MalformedRequest.batches)
    func `refuses a send`(request: MalformedRequest) throws {
        try check(request)
    }

    @Test(arguments: MalformedRequest.addresses + MalformedRequest.tokens)
    func `refuses what goes to the wrong place or comes from the wrong person`(request: MalformedRequest) throws {
        try check(request)
    }

    @Test(arguments: MalformedRequest.registrations + MalformedRequest.lists)
    func `refuses a registration`(request: MalformedRequest) throws {
        try check(request)
    }

    @Test(arguments: MalformedRequest.installations + MalformedRequest.patches)
    func `refuses an installation`(request: MalformedRequest) throws {
        try check(request)
    }

    @Test(arguments: MalformedRequest.schedules + MalformedRequest.telemetry)
    func `refuses a schedule, a look at one, and at what became of a message`(request: MalformedRequest) throws {
        try check(request)
    }

    /// Holds the answer to the status and text of the table, and the hub to having done nothing.
    private func check(_ request: MalformedRequest) throws {
        let desk = try Desk { $0.tier = request.tier }
        try desk.registerDevices()
        let before = desk.inspect("GET", "hub").text
        let response = desk.hub.answer(desk.request(request)).response
        #expect(response.status == request.status, "\(response.text)")
        #expect(desk.hub.sends.isEmpty)
        #expect(desk.inspect("GET", "hub").text == before)
        guard !response.body.isEmpty else {
            // As recorded: who must not do it is told so without a word.
            #expect(request.status == 403)
            return
        }
        #expect(response.headers["Content-Type"] == "application/xml; charset=utf-8")
        let start = "<Error><Code>\(request.status)</Code><Detail>"
        #expect(response.text.hasPrefix(start + request.text), "\(response.text)")
        // As recorded: what is not there needs no word either.
        #expect(!response.text.hasPrefix(start + ".TrackingId") || request.status == 404, "no word of what is wrong")
        // Whatever the request had in it, the answer is XML.
        #expect(throws: Never.self) { try XMLReader.read(response.body) }
        #expect(response.body.count < 2000)
    }

    @Test func `answers the next one, whatever was wrong with the one before`() throws {
        let desk = try Desk()
        try desk.registerDevices()
        for request in MalformedRequest.all where request.tier == .standard {
            _ = desk.hub.answer(desk.request(request))
        }
        #expect(desk.hub.sends.isEmpty)
        #expect(desk.post().status == 201)
    }

    @Test func `refuses them over the network as well`() async throws {
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

    @Test func `has more than sixty of them`() {
        #expect(MalformedRequest.all.count > 60)
        #expect(Set(MalformedRequest.all.map(\.what)).count == MalformedRequest.all.count)
    }
}

extension MalformedRequest {
    static let all =
        sends + batches + addresses + tokens + registrations + lists + installations + patches + schedules + telemetry

    /// Whether a server hands it over at all.
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

    /// A request of a table, signed as it says.
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
