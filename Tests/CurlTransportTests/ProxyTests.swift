import CurlTransport
import Glibc
import HTTPTransport
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct ProxyTests {
    @Test func `goes through the proxy of the configuration, with a tunnel for plain HTTP too`() async throws {
        let proxy = try LoopbackServer { $0.line.hasPrefix("CONNECT ") ? [.send(Self.tunnel)] : [.answer()] }
        defer { proxy.stop() }
        let transport = try CurlTransport.forTests { $0.proxy = .url("http://desk:hush-hush@127.0.0.1:\(proxy.port)") }
        defer { transport.shutdown() }

        let response = try await transport.send(HTTPRequest(method: .get, url: "http://hub.invalid/messages"))

        #expect(response.status == 200)
        let seen = proxy.requests.events
        #expect(seen.map(\.line) == ["CONNECT hub.invalid:80 HTTP/1.1", "GET /messages HTTP/1.1"])
        #expect(seen.map { $0.headerLines.contains { $0.hasPrefix("Proxy-Authorization: Basic ") } } == [true, false])
        #expect(seen.map { $0.headerLines.contains("User-Agent: newsflash") } == [true, true])
        #expect(seen.last?.headerLines.first == "Host: hub.invalid")
    }

    private static let tunnel = "HTTP/1.1 200 Connection established\r\n\r\n"

    @Test(.needsOpenSSL)
    func `speaks TLS behind the tunnel`() async throws {
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
            // The certificate is for this address, whatever port the proxy goes to.
            let response = try await transport.send(HTTPRequest(method: .get, url: "https://127.0.0.1:9/"))

            #expect(response.status == 200)
            #expect(String(decoding: response.body, as: UTF8.self).contains("TLSv1.3"))
        }
        #expect(proxy.lines.events.first == "CONNECT 127.0.0.1:9 HTTP/1.1")
    }

    @Test func `a proxy that refuses the tunnel means surely not sent`() async throws {
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

    @Test func `a proxy that cannot be found is told as such`() async throws {
        let transport = try CurlTransport.forTests { $0.proxy = .url("http://does-not-exist.invalid:3128") }
        defer { transport.shutdown() }

        let error = try await transport.failure(of: HTTPRequest(method: .get, url: "http://hub.invalid/"))

        #expect(error.code == .cannotResolve)
        #expect(error.message.contains("does-not-exist.invalid:3128"))
    }

    @Test func `the environment names the proxy and its exceptions`() async {
        // In a process of its own, since the environment belongs to all tests.
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

    @Test func `a policy prints without the password`() {
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
