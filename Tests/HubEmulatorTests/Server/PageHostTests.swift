import NewsflashHTTPTransport
import NewsflashHubEmulator
import NewsflashTestSupport
import NotificationHubs
import Testing

@Suite("The pages that may access the hub", .timeLimit(.minutes(1)))
struct PageHostTests {
    private static let paths = ["/_emulator/token", "/_emulator/sends", "/", "/console/app.js"]

    private func status(
        _ path: String,
        host: String?,
        headers: [HTTPHeaders.Field] = [],
        _ adjust: (inout HubEmulatorConfiguration) -> Void = { _ in }
    ) throws -> Int {
        var all = HTTPHeaders(headers + [.init("Authorization", "Bearer console-token-1")])
        if let host { all.append("Host", host) }
        let desk = try Desk {
            $0.consoleToken = "console-token-1"
            adjust(&$0)
        }
        return desk.hub.answer(EmulatedRequest(method: "GET", target: path, headers: all)).response.status
    }

    @Test(arguments: [
        "localhost", "localhost:8080", "LocalHost.:8080", "hub.localhost", "127.0.0.1", "127.0.0.1:8080", "127.9.8.7:1",
        "[::1]", "[::1]:8080", nil,
    ])
    func `the inspection pages answer on this machine's own names`(host: String?) throws {
        for path in Self.paths { #expect(try status(path, host: host) == 200, "\(path)") }
    }

    @Test(arguments: [
        "evil.example", "evil.example:8080", "localhost.evil.example", "127.0.0.1.evil.example:8080", "notlocalhost",
        "128.0.0.1", "127.0.0", "192.168.1.5:8080", "[fe80::1]:8080", "",
    ])
    func `the inspection pages refuse hosts that another site can control`(host: String) throws {
        for path in Self.paths { #expect(try status(path, host: host) == 421, "\(path)") }
        for path in Self.paths {
            #expect(try status("http://\(host.isEmpty ? "x" : host)\(path)", host: "localhost") == 421, "\(path)")
        }
    }

    @Test func `the inspection pages answer on the address of the hub and on configured hosts`() throws {
        for path in Self.paths {
            #expect(try status(path, host: "192.168.1.5:8080") { $0.host = "192.168.1.5" } == 200)
            #expect(try status(path, host: "desk.example:8080") { $0.host = "Desk.example" } == 200)
            #expect(try status(path, host: "desk.example") { $0.allowedHosts = ["Desk.Example"] } == 200)
            #expect(try status(path, host: "other.example") { $0.allowedHosts = ["desk.example"] } == 421)
            for address in ["0.0.0.0", "::"] {
                #expect(try status(path, host: "192.168.1.5:8080") { $0.host = address } == 200)
                #expect(try status(path, host: "[fe80::1]:8080") { $0.host = address } == 200)
                #expect(try status(path, host: "evil.example") { $0.host = address } == 421)
            }
        }
    }

    @Test func `requests from another site are refused, except links to the hub's own pages`() throws {
        let foreign = HTTPHeaders.Field("Sec-Fetch-Site", "cross-site")
        let link = [foreign, .init("Sec-Fetch-Mode", "navigate"), .init("Sec-Fetch-Dest", "document")]
        for path in Self.paths {
            #expect(try status(path, host: "localhost", headers: [foreign]) == 403)
            #expect(try status(path, host: "localhost", headers: [.init("Sec-Fetch-Site", "same-origin")]) == 200)
            #expect(try status(path, host: "localhost", headers: [.init("Sec-Fetch-Site", "none")]) == 200)
        }
        #expect(try status("/", host: "localhost", headers: link) == 200)
        #expect(try status("/_emulator/token", host: "localhost", headers: link) == 403)
        let frame = [foreign, .init("Sec-Fetch-Mode", "navigate"), .init("Sec-Fetch-Dest", "iframe")]
        #expect(try status("/", host: "localhost", headers: frame) == 403)
    }

    @Test func `the hub's own interface checks signatures instead of hosts`() throws {
        let desk = try Desk()
        let token = desk.token(url: "http://hub.example/breaking-news")
        let headers: HTTPHeaders = [
            .init("Host", "hub.example"), .init("Authorization", token), .init("Sec-Fetch-Site", "cross-site"),
            .init("ServiceBusNotification-Format", "template"),
        ]
        let send = EmulatedRequest(
            method: "POST",
            target: "/Breaking-News/messages",
            headers: headers,
            body: Array(#"{"a":"b"}"#.utf8)
        )
        #expect(desk.hub.answer(send).response.status == 201)
    }

    @Test(arguments: [
        "GET /_emulator/events", "GET /_EMULATOR/events/", "POST /_emulator/news", "DELETE /_emulator/devices",
    ])
    func `requests with a foreign host are refused over the network too`(start: String) async throws {
        let hub = HubEmulator()
        try hub.start()
        let client = try RawClient(port: try #require(hub.url?.split(separator: ":").last.flatMap { UInt16($0) }))
        client.send(
            "\(start) HTTP/1.1\r\nHost: evil.example\r\nContent-Type: application/json\r\nContent-Length: 0\r\n\r\n"
        )
        let answer = await client.receiveResponse()
        #expect(answer.status == 421)
        #expect(answer.body.contains("--allow-host"))
        await hub.stop()
    }
}
