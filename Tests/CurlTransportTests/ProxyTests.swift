import Glibc
import NewsflashHTTPTransport
import NewsflashTestSupport
import Testing

@testable import NewsflashCurlTransport

@Suite(.timeLimit(.minutes(1)))
struct ProxyTests {
    @Test func `requests go through the configured proxy, with a tunnel also for plain HTTP`() async throws {
        let proxy = try LoopbackServer { $0.line.hasPrefix("CONNECT ") ? [.send(Self.tunnel)] : [.answer()] }
        defer { proxy.stop() }
        let transport = try CurlTransport.forTests { $0.proxy = .url("http://127.0.0.1:\(proxy.port)") }
        defer { transport.shutdown() }

        let response = try await transport.send(HTTPRequest(method: .get, url: "http://hub.invalid/messages"))

        #expect(response.status == 200)
        let seen = proxy.requests.events
        #expect(seen.map(\.line) == ["CONNECT hub.invalid:80 HTTP/1.1", "GET /messages HTTP/1.1"])
        #expect(seen.map { $0.headerLines.contains("User-Agent: newsflash") } == [true, true])
        #expect(seen.last?.headerLines.first == "Host: hub.invalid")
    }

    private static let tunnel = "HTTP/1.1 200 Connection established\r\n\r\n"

    /// A challenge of NTLM; only its form matters.
    private static let challenge = "TlRMTVNTUAACAAAAAAAAADAAAAAHggAAAQIDBAUGBwgAAAAAAAAAAAAAAAAwAAAA"

    /// The authentication schemes that proxies offer, with the expected requests; Negotiate needs a ticket, which is
    /// missing here.
    @Test(arguments: [
        (["Basic realm=\"a\""], ["Basic"]),
        (["Digest realm=\"a\", nonce=\"b\", qop=\"auth\""], ["Digest"]),
        (["NTLM"], ["NTLM", "NTLM"]),
        (["Negotiate", "Digest realm=\"a\", nonce=\"b\"", "Basic realm=\"a\""], ["Digest"]),
        (["Negotiate", "Basic realm=\"a\""], ["Basic"]),
    ])
    func `the best scheme that the proxy offers is used`(offers: [String], schemes: [String]) async throws {
        let proxy = try LoopbackServer { request in
            guard request.line.hasPrefix("CONNECT ") else { return [.answer()] }
            let answer = request.headerLines.first { $0.hasPrefix("Proxy-Authorization: ") }
            switch answer {
            case nil:
                return [.answer("407 Who are you", headers: offers.map { "Proxy-Authenticate: \($0)" })]
            case let text? where text.hasPrefix("Proxy-Authorization: NTLM TlRMTVNTUAAB"):
                return [.answer("407 Prove it", headers: ["Proxy-Authenticate: NTLM \(Self.challenge)"])]
            case .some:
                return [.send(Self.tunnel)]
            }
        }
        defer { proxy.stop() }
        let transport = try CurlTransport.forTests { $0.proxy = .url("http://desk:hush-hush@127.0.0.1:\(proxy.port)") }
        defer { transport.shutdown() }

        let response = try await transport.send(HTTPRequest(method: .get, url: "http://hub.invalid/messages"))

        #expect(response.status == 200)
        let seen = proxy.requests.events.compactMap { request in
            request.headerLines.first { $0.hasPrefix("Proxy-Authorization: ") }?.split(separator: " ")[1]
        }
        #expect(seen.map(String.init) == schemes)
        #expect(proxy.requests.events.last?.headerLines.contains { $0.hasPrefix("Proxy-") } == false)
    }

    @Test func `a refused authentication at the proxy is explained`() async throws {
        let proxy = try LoopbackServer { _ in [.answer("407 Who are you", headers: ["Proxy-Authenticate: Negotiate"])] }
        defer { proxy.stop() }
        let transport = try CurlTransport.forTests { $0.proxy = .url("http://desk:hush-hush@127.0.0.1:\(proxy.port)") }
        defer { transport.shutdown() }

        let error = try await transport.failure(of: HTTPRequest(method: .post, url: "https://hub.invalid/", body: [1]))

        #expect(error.code == .cannotConnect)
        #expect(!error.mayHaveBeenReceived)
        #expect(error.message.contains("407; check the user and the password"))
        #expect(!error.message.contains("hush-hush"))
    }

    @Test(arguments: [
        ("http://proxy.example:3128", ProxyURL.User.none), ("http://desk:pw@proxy.example:3128", .named),
        ("http://:@proxy.example:3128", .ticket),
    ])
    func `a URL can contain the credentials for the proxy`(url: String, user: ProxyURL.User) {
        #expect(ProxyURL(url)?.user == user)
    }

    @Test(
        arguments: [
            (
                ["http_proxy": "http://a:1", "https_proxy": "http://b:1"], "the proxy b:1 (https_proxy)",
                "the proxy a:1 (http_proxy)"
            ),
            (["https_proxy": "", "HTTPS_PROXY": "http://b:1"], "the proxy b:1 (HTTPS_PROXY)", nil),
            (["HTTP_PROXY": "http://a:1"], nil, nil),
            (
                ["ALL_PROXY": "http://a:1", "no_proxy": "x"],
                "the proxy a:1 (ALL_PROXY, unless NO_PROXY names the host)",
                "the proxy a:1 (ALL_PROXY, unless NO_PROXY names the host)"
            ),
            ([:], nil, nil),
        ] as [([String: String], String?, String?)]
    )
    func `the environment's proxy is named with its variable`(
        variables: [String: String],
        secure: String?,
        plain: String?
    ) {
        for (isSecure, expected) in [(true, secure), (false, plain)] {
            let route = ProxyRoute(.environment, isSecure: isSecure) { variables[$0] }
            #expect(route?.description == expected)
        }
        #expect(ProxyRoute(.none, isSecure: true) { variables[$0] } == nil)
        #expect(ProxyRoute(.url("http://u:p@c:1"), isSecure: true) { variables[$0] }?.description == "the proxy c:1")
    }

    @Test(.needsOpenSSL)
    func `TLS is used inside the tunnel`() async throws {
        let certificate = try await Certificate()
        let server = try await TLSServer(certificate)
        let proxy = try TunnelProxy(to: server.port)
        defer { proxy.stop() }
        let transport = try CurlTransport.forTests {
            $0.caFile = certificate.certificateFile
            $0.proxy = .url("http://desk:hush-hush@127.0.0.1:\(proxy.port)")
        }
        defer { transport.shutdown() }

        for _ in 1...3 {
            // The certificate is for this address, whatever port the proxy connects to.
            let response = try await transport.send(HTTPRequest(method: .get, url: "https://127.0.0.1:9/"))

            #expect(response.status == 200)
            #expect(String(decoding: response.body, as: UTF8.self).contains("TLSv1.3"))
        }
        #expect(proxy.lines.events.first == "CONNECT 127.0.0.1:9 HTTP/1.1")
    }

    @Test func `after a proxy's refusal of the tunnel the request is surely not sent`() async throws {
        let proxy = try LoopbackServer { _ in [.answer("403 Forbidden"), .close] }
        defer { proxy.stop() }
        let transport = try CurlTransport.forTests { $0.proxy = .url("http://desk:hush-hush@127.0.0.1:\(proxy.port)") }
        defer { transport.shutdown() }

        let error = try await transport.failure(of: HTTPRequest(method: .post, url: "https://hub.invalid/", body: [1]))

        #expect(error.code == .cannotConnect)
        #expect(!error.mayHaveBeenReceived)
        #expect(error.message.contains("hub.invalid:443 through the proxy 127.0.0.1:\(proxy.port)"))
        #expect(error.message.contains("403"))
        #expect(!error.message.contains("hush-hush"))
        #expect(proxy.requests.events.map(\.line) == ["CONNECT hub.invalid:443 HTTP/1.1"])
    }

    @Test func `a proxy that cannot be found is reported as such`() async throws {
        let transport = try CurlTransport.forTests { $0.proxy = .url("http://does-not-exist.invalid:3128") }
        defer { transport.shutdown() }

        let error = try await transport.failure(of: HTTPRequest(method: .get, url: "http://hub.invalid/"))

        #expect(error.code == .cannotResolve)
        #expect(error.message.contains("does-not-exist.invalid:3128"))
    }

    /// Passwords that are not percent-encoded, and invalid addresses.
    static let unusable = [
        "http://user:S3cret/Pw@127.0.0.1:3128", "http://user:S3cret#Pw@127.0.0.1:3128",
        "http://user:S3cret Pw@127.0.0.1:3128", "http://user:S3cret?Pw@127.0.0.1:3128",
        "http://user:S3cret@127.0.0.1:70000",
        "socks9://user:S3cret@127.0.0.1:3128", "ftp://user:S3cret@127.0.0.1:21", "user:S3cret/Pw@127.0.0.1:3128",
        // Parsed with a host and a port that are the user and the password.
        "http://S3cret:1234/Pw@127.0.0.1:3128", "http://S3cret:1234#Pw@127.0.0.1:3128", "S3cret:1234?Pw@127.0.0.1",
        "http://user:S3cret@", "http://user:S3cret@:3128", "http://user:S3cret@[::1:3128", "http://user:S3cret@a b:1",
        "http://user:S3cret\nPw@127.0.0.1:3128",
    ]

    @Test(arguments: unusable)
    func `an unusable proxy is refused at once with our own message`(url: String) {
        let error = #expect(throws: HTTPTransportError.self) {
            try CurlTransport.forTests { $0.proxy = .url(url) }.shutdown()
        }
        #expect(error?.message.hasPrefix("the configured proxy is not the URL of a proxy") == true)
        let policy = "\(ProxyPolicy.url(url))"
        for text in ["\(error as Any)", policy] {
            for secret in ["S3cret", "1234", "Pw"] { #expect(!text.contains(secret), "\(text)") }
        }
        #expect(policy == "unreadable")
    }

    @Test(arguments: ["http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"])
    func `an unusable proxy of the environment is named by its variable`(name: String) {
        let error = #expect(throws: HTTPTransportError.self) {
            try ProxyURL.check(.environment) { $0 == name ? Self.unusable[0] : nil }
        }
        #expect(error?.message.contains("variable \(name) ") == true && error?.message.contains("S3cret") == false)
        #expect(throws: Never.self) { try ProxyURL.check(.none) { _ in Self.unusable[0] } }
    }

    @Test(arguments: [
        ("http://user:p%2Fw@proxy.example:3128", "proxy.example:3128"), ("proxy.example:3128", "proxy.example:3128"),
        ("http://proxy.example/", "proxy.example:1080"), ("https://proxy.example", "proxy.example:443"),
        ("socks5h://[::1]:1080", "[::1]:1080"), ("HTTP://10.0.0.1", "10.0.0.1:1080"),
    ])
    func `a usable proxy is described by host and port`(url: String, description: String) throws {
        #expect(ProxyURL(url)?.description == description)
        #expect(throws: Never.self) { try ProxyURL.check(.environment) { _ in url } }
    }

    @Test func `the environment names the proxy and its exceptions`() async {
        // In a process of its own, because all tests share the environment.
        await #expect(processExitsWith: .success) {
            let proxy = try LoopbackServer { $0.line.hasPrefix("CONNECT ") ? [.send(Self.tunnel)] : [.answer()] }
            let direct = try LoopbackServer()
            setenv("http_proxy", "http://127.0.0.1:\(proxy.port)", 1)
            setenv("NO_PROXY", "127.0.0.1", 1)
            let transport = try CurlTransport()
            _ = try await transport.send(HTTPRequest(method: .get, url: "http://hub.invalid/"))
            _ = try await transport.send(HTTPRequest(method: .get, url: direct.url()))
            transport.shutdown()
            proxy.stop()
            direct.stop()
            exit(proxy.requests.events.count == 2 && direct.requests.events.count == 1 ? 0 : 1)
        }
    }

    @Test func `a policy is printed without the password`() {
        let policy = ProxyPolicy.url("http://desk:hush-hush@proxy.example:3128")
        var configuration = CurlTransportConfiguration()
        configuration.proxy = policy
        var dumped = ""
        dump(configuration, to: &dumped)

        for text in ["\(policy)", String(reflecting: policy), "\(configuration)", dumped] {
            #expect(!text.contains("hush-hush"))
        }
        #expect("\(policy)" == "proxy.example:3128")
    }
}
