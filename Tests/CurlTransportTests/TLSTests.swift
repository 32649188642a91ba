import NewsflashCurlTransport
import NewsflashHTTPTransport
import NewsflashTestSupport
import Testing

@Suite(
    .timeLimit(.minutes(1)),
    .needsOpenSSL
)
struct TLSTests {
    @Test func `a certificate of an unknown authority is refused`() async throws {
        let server = try await TLSServer(Certificate())
        let transport = try CurlTransport.forTests()
        defer { transport.shutdown() }
        let request = HTTPRequest(method: .post, url: "https://127.0.0.1:\(server.port)/", body: [1])

        let error = try await transport.failure(of: request)

        #expect(error.code == .tlsFailed)
        #expect(!error.mayHaveBeenReceived)
        #expect(error.message.contains("127.0.0.1:\(server.port)"))
        #expect(error.message.contains("CA file"))
    }

    @Test func `a certificate of the named authority is accepted`() async throws {
        let certificate = try await Certificate()
        let server = try await TLSServer(certificate)
        let transport = try CurlTransport.forTests { $0.caFile = certificate.certificateFile }
        defer { transport.shutdown() }

        let response = try await transport.send(HTTPRequest(method: .get, url: "https://127.0.0.1:\(server.port)/"))

        #expect(response.status == 200)
        #expect(String(decoding: response.body, as: UTF8.self).contains("TLSv1.3"))
    }

    @Test func `a certificate for another name is refused`() async throws {
        let certificate = try await Certificate()
        let server = try await TLSServer(certificate)
        let transport = try CurlTransport.forTests { $0.caFile = certificate.certificateFile }
        defer { transport.shutdown() }

        let error = try await transport.failure(
            of: HTTPRequest(method: .get, url: "https://localhost:\(server.port)/")
        )

        #expect(error.code == .tlsFailed)
        #expect(!error.mayHaveBeenReceived)
    }

    @Test func `a missing file of authorities is named`() async throws {
        let server = try await TLSServer(Certificate())
        let transport = try CurlTransport.forTests { $0.caFile = "/nowhere/authorities.pem" }
        defer { transport.shutdown() }

        let error = try await transport.failure(of: HTTPRequest(method: .get, url: "https://127.0.0.1:\(server.port)/"))

        #expect(error.code == .tlsFailed)
        #expect(error.message.contains("/nowhere/authorities.pem"))
    }

    @Test func `a port without TLS is reported as such`() async throws {
        let server = try LoopbackServer()
        defer { server.stop() }
        let transport = try CurlTransport.forTests()
        defer { transport.shutdown() }
        // Its answer to a handshake, which contains no request, is to close.
        let request = HTTPRequest(method: .post, url: "https://127.0.0.1:\(server.port)/", body: [1])

        async let error = transport.failure(of: request)
        _ = try await server.accepted.atLeast(1)
        server.stop()

        #expect(try await error.code == .tlsFailed)
        #expect(try await error.mayHaveBeenReceived == false)
    }
}
