import NewsflashHTTPServer
import NewsflashTestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct ClientAddressTests {
    @Test func `a handler gets the address of the client`() async throws {
        try await withServer(handler: { .now(.text($0.client?.description ?? "nobody")) }) { server in
            let client = try RawClient(port: server.port)
            client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(await client.receiveResponse().body == "127.0.0.1")
        }
    }

    @Test(arguments: [
        ("192.0.2.7", "192.0.2.7"), ("2001:db8:0:0:0:0:0:7", "2001:db8::7"), ("::1", "::1"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
    ])
    func `an address is parsed and printed`(text: String, written: String) {
        #expect(ClientAddress(text)?.description == written)
    }

    @Test(arguments: ["", "localhost", "192.0.2.7:80", "[::1]", "fe80::1%lo", "192.0.2"])
    func `a text that is more than an address is refused`(text: String) {
        #expect(ClientAddress(text) == nil)
    }

    @Test func `neighbours in an IPv6 network count as one, in an IPv4 network they do not`() {
        #expect(ClientAddress("2001:db8::7")?.network == ClientAddress("2001:db8::8")?.network)
        #expect(ClientAddress("2001:db8:0:1::7")?.network != ClientAddress("2001:db8::7")?.network)
        #expect(ClientAddress("192.0.2.7")?.network != ClientAddress("192.0.2.8")?.network)
    }
}
