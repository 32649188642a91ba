import FoundationEssentials
import NewsflashCertificates
import NewsflashCurlTransport
import NewsflashHTTPServer
import NewsflashHTTPTransport
import NewsflashHubEmulator
import NewsflashTestSupport
import NewsflashTimestamps
import NotificationHubs
import Testing

@Suite("HTTPS", .timeLimit(.minutes(1)))
struct TLSTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    /// Runs a hub with HTTPS and a client that trusts it.
    private func withHub(
        _ adjust: (inout HubEmulatorConfiguration) -> Void = { _ in },
        body: (HubEmulator, CurlTransport) async throws -> Void
    ) async throws {
        var configuration = HubEmulatorConfiguration()
        configuration.servesPlainHTTP = false
        configuration.tls = HubTLS()
        adjust(&configuration)
        let hub = HubEmulator(configuration)
        try hub.start()
        let client = try client(trusting: try #require(hub.authority))
        do {
            try await body(hub, client)
        } catch {
            client.shutdown()
            await hub.stop()
            throw error
        }
        client.shutdown()
        await hub.stop()
    }

    private func client(trusting authority: [UInt8]) throws -> CurlTransport {
        let file = folder.file("trusted.pem")
        #expect(FileManager.default.createFile(atPath: file, contents: Data(authority)))
        var configuration = CurlTransportConfiguration()
        configuration.proxy = .none
        configuration.caFile = file
        return try CurlTransport(configuration)
    }

    private static func get(_ url: String) -> HTTPRequest { HTTPRequest(method: .get, url: url) }

    @Test(arguments: [("127.0.0.1", "127.0.0.1"), ("127.0.0.1", "localhost"), ("::1", "[::1]")])
    func `a client that trusts the authority accepts the hub under all names of this machine`(
        bound: String,
        name: String
    )
        async throws
    {
        try await withHub({ $0.tls?.host = bound }) { hub, client in
            let port = try #require(hub.secureURL?.split(separator: ":").last)
            let answer = try await client.send(Self.get("https://\(name):\(port)/_emulator/hub"))
            #expect(answer.status == 200)
            #expect(answer.text.contains(#""url":"https://"#))
            var untrusting = CurlTransportConfiguration()
            untrusting.proxy = .none
            let stranger = try CurlTransport(untrusting)
            defer { stranger.shutdown() }
            let error = await #expect(throws: HTTPTransportError.self) {
                try await stranger.send(Self.get("https://\(name):\(port)/_emulator/hub"))
            }
            #expect(error?.code == .tlsFailed)
        }
    }

    @Test(arguments: SDKDialect.all)
    func `the dialect of each SDK works over HTTPS`(dialect: SDKDialect) async throws {
        let sdk = try SDKClient(dialect)
        try await withHub({ configuration in
            configuration.clock = { Desk.now }
            configuration.hubName = SDKClient.hub
            configuration.rules = sdk.desk.hub.rules
        }) { hub, client in
            let host = try #require(hub.secureURL?.dropFirst("https://".count))
            func ask(_ request: EmulatedRequest) async throws -> HTTPResponse {
                var headers = request.headers
                headers = HTTPHeaders(headers.fields.filter { $0.name != "Host" })
                let path = request.target.hasPrefix("https://") ? request.target : "https://\(host)\(request.target)"
                return try await client.send(
                    HTTPRequest(
                        method: .init(rawValue: request.method),
                        url: path,
                        headers: headers,
                        body: request.body
                    )
                )
            }
            let json: HTTPHeaders = [.init("Content-Type", "application/json")]
            let phone = Array(#"{"installationId":"i","platform":"apns","pushChannel":"00FC","tags":["world"]}"#.utf8)
            let installed = sdk.request("PUT", "installations/i", headers: json, body: phone, host: String(host))
            #expect(try await ask(installed).status == 200)
            let format: HTTPHeaders = [
                .init("Content-Type", dialect.jsonType), .init("ServiceBusNotification-Format", "apple"),
            ]
            let news = Array(#"{"aps":{"alert":"é"}}"#.utf8)
            let send = sdk.request("POST", "messages", headers: format, body: news, host: String(host))
            #expect(try await ask(send).status == 201)
            #expect(hub.settledDeliveries.map(\.handle) == ["00FC"])
            let feedback = sdk.request("GET", "feedbackcontainer", headers: [], body: [], host: String(host))
            #expect(try await ask(feedback).text.hasPrefix("https://\(host)/_emulator/feedback/"))
            // Signed for another host: TLS does not replace authorization.
            let other = sdk.request("POST", "messages", headers: format, body: news, host: "other.example:443")
            var headers = other.headers
            headers = HTTPHeaders(headers.fields.filter { $0.name != "Host" })
            let request = EmulatedRequest(method: "POST", target: send.target, headers: headers, body: news)
            #expect(try await ask(request).status == 401)
        }
    }

    @Test func `HTTPS and plain HTTP have the same devices and keys`() async throws {
        try await withHub({ $0.servesPlainHTTP = true }) { hub, client in
            let (plain, secure) = (try #require(hub.url), try #require(hub.secureURL))
            #expect(plain.hasPrefix("http://127.0.0.1:"))
            #expect(secure.hasPrefix("https://127.0.0.1:"))
            #expect(hub.connectionStrings.allSatisfy { $0.contains("Endpoint=\(plain)/;") })
            let strings = hub.secureConnectionStrings
            #expect(strings.count == hub.rules.count)
            // It has only the three parts that Java accepts, and the scheme that all SDKs accept.
            #expect(
                strings.allSatisfy { $0.hasPrefix("Endpoint=sb://127.0.0.1:") && $0.split(separator: ";").count == 3 }
            )
            let message = try HubMessage.template(properties: [("headline", "é")])
            for text in [hub.connectionStrings[0], strings[0]] {
                let publisher = try HubClient(connection: HubConnectionString(text), hub: "newsroom")
                #expect(try await publisher.send(message, to: .broadcast, over: client).notificationID != nil)
            }
            #expect(hub.sends.count == 2)
            await #expect(throws: HTTPTransportError.self) {
                try await client.send(Self.get(secure.replacing("https", with: "http") + "/"))
            }
            await #expect(throws: HTTPTransportError.self) {
                try await client.send(Self.get(plain.replacing("http", with: "https") + "/"))
            }
            #expect(try await client.send(Self.get(secure + "/_emulator/stats")).status == 200)
        }
    }

    @Test func `the console and the authority's certificate are served over HTTPS`() async throws {
        try await withHub { hub, client in
            let url = try #require(hub.secureURL)
            let page = try await client.send(Self.get(url + "/"))
            #expect(page.status == 200)
            #expect(page.text.hasPrefix("<!DOCTYPE html>"))
            let authority = try await client.send(Self.get(url + "/_emulator/authority"))
            #expect(authority.headers["Content-Type"] == "application/x-pem-file")
            #expect(authority.body == hub.authority)
            #expect(!authority.text.contains("PRIVATE"))
        }
        #expect(try Desk().inspect("GET", "authority").status == 404)
    }

    @Test func `the hub's pages answer to the names of its certificate`() async throws {
        let name = try #require(CertificateName("hub.test"))
        try await withHub({ $0.tls?.source = .ownAuthority(names: [name], folder: nil) }) { hub, client in
            let url = try #require(hub.secureURL)
            func status(_ host: String) async throws -> Int {
                let request = HTTPRequest(method: .get, url: url + "/_emulator/hub", headers: [.init("Host", host)])
                return try await client.send(request).status
            }
            #expect(try await status("hub.test:8443") == 200)
            #expect(try await status("evil.example") == 421)
        }
    }

    @Test func `the authority is stored with the devices, so that it survives restarts`() async throws {
        var configuration = HubEmulatorConfiguration()
        configuration.servesPlainHTTP = false
        configuration.tls = HubTLS(source: .ownAuthority(names: [], folder: folder.path))
        var trusted: [UInt8]?
        for _ in 0..<2 {
            let hub = HubEmulator(configuration)
            try hub.start()
            trusted = trusted ?? hub.authority
            let client = try client(trusting: try #require(trusted))
            let url = try #require(hub.secureURL)
            #expect(try await client.send(Self.get(url + "/_emulator/hub")).status == 200)
            client.shutdown()
            await hub.stop()
        }
    }

    @Test func `a given certificate is used without an authority`() async throws {
        let authority = try CertificateAuthority(now: .now())
        let name = try #require(CertificateName("127.0.0.1"))
        let given = try authority.vouch(for: [name], now: .now())
        var configuration = HubEmulatorConfiguration()
        configuration.tls = HubTLS(source: .given(given))
        let hub = HubEmulator(configuration)
        try hub.start()
        #expect(hub.authority == nil)
        let client = try client(trusting: authority.certificate)
        #expect(try await client.send(Self.get(try #require(hub.secureURL) + "/_emulator/hub")).status == 200)
        #expect(try await client.send(Self.get(try #require(hub.url) + "/_emulator/authority")).status == 404)
        client.shutdown()
        await hub.stop()
    }

    @Test(arguments: Fault.Cut.allCases)
    func `a fault cuts connections over HTTPS too`(cut: Fault.Cut) async throws {
        try await withHub { hub, client in
            let connection = try HubConnectionString(hub.secureConnectionStrings[0])
            let publisher = try HubClient(connection: connection, hub: "newsroom")
            let message = try HubMessage.template(properties: [("a", "b")])
            var fault = Fault(status: 200)
            fault.cut = cut
            hub.setFaults([fault])
            let error = await #expect(throws: HubError.self) {
                try await publisher.send(message, to: .broadcast, over: client)
            }
            #expect(error?.reply == nil || error?.reply?.verdict == .unknown)
            #expect(hub.sends.count == (cut == .before ? 0 : 1))
            hub.setFaults([])
            #expect(try await publisher.send(message, to: .broadcast, over: client).notificationID != nil)
        }
    }

    @Test func `large bodies, large pages and many connections work over HTTPS`() async throws {
        try await withHub { hub, client in
            let connection = try HubConnectionString(hub.secureConnectionStrings[0])
            let publisher = try HubClient(connection: connection, hub: "newsroom")
            let text = String(repeating: "x", count: 60_000)
            let message = try HubMessage.template(properties: [("text", text)])
            try await withThrowingTaskGroup { group in
                for _ in 0..<60 {
                    group.addTask { try await publisher.send(message, to: .broadcast, over: client).notificationID }
                }
                for try await id in group { #expect(id != nil) }
            }
            #expect(hub.sends.count == 60)
            var sizes = CurlTransportConfiguration()
            sizes.proxy = .none
            sizes.caFile = folder.file("trusted.pem")
            sizes.maximumResponseBytes = 8 << 20
            let reader = try CurlTransport(sizes)
            defer { reader.shutdown() }
            let page = try await reader.send(Self.get(try #require(hub.secureURL) + "/_emulator/sends"))
            #expect(page.body.count > 3_600_000)
        }
    }

    @Test func `clients that do not finish the handshake do not block others`() async throws {
        try await withHub { hub, client in
            let url = try #require(hub.secureURL)
            let port = try #require(url.split(separator: ":").last.flatMap { UInt16($0) })
            let silent = try (0..<20).map { _ in try RawClient(port: port) }
            for client in silent { client.send("\u{16}\u{3}\u{1}") }
            let talker = try RawClient(port: port)
            talker.send("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
            #expect(try await client.send(Self.get(url + "/_emulator/hub")).status == 200)
            #expect(await talker.waitForEnd())
        }
    }
}
