import NewsflashHTTPServer
import Testing

@testable import NewsflashGateway

@Suite("The client behind proxies", .timeLimit(.minutes(1)))
struct TrustedProxiesTests {
    private func client(
        _ fields: [(String, String)],
        from peer: String = "10.0.0.1",
        trusting ranges: [String] = ["10.0.0.0/8", "fd00::/8"]
    ) -> String? {
        let proxies = TrustedProxies(ranges: ranges.compactMap(AddressRange.init))
        let request = HTTPServerRequest(
            method: "GET",
            target: "/",
            headers: fields.map { (name: $0.0, value: $0.1) },
            client: ClientAddress(peer)
        )
        return proxies.client(of: request)?.description
    }

    @Test(arguments: [
        ("203.0.113.7", "203.0.113.7"), ("198.51.100.1, 203.0.113.7", "203.0.113.7"),
        ("203.0.113.7, 10.0.0.2", "203.0.113.7"), ("203.0.113.7,10.0.0.2,10.0.0.3", "203.0.113.7"),
        ("10.0.0.4, 10.0.0.2", "10.0.0.4"), ("203.0.113.7:4711", "203.0.113.7"), ("2001:db8::7", "2001:db8::7"),
        ("[2001:db8::7]", "2001:db8::7"), ("[2001:db8::7]:4711", "2001:db8::7"), ("fd00::1", "fd00::1"),
        (" \t203.0.113.7 ", "203.0.113.7"), ("garbage, 203.0.113.7", "203.0.113.7"),
        // An unreadable address ends the chain: the nearest known proxy is the client.
        ("", "10.0.0.1"), ("unknown", "10.0.0.1"), ("203.0.113.7, unknown", "10.0.0.1"),
        ("203.0.113.7, unknown, 10.0.0.2", "10.0.0.2"), ("203.0.113.7,", "10.0.0.1"), ("203.0.113", "10.0.0.1"),
        ("203.0.113.7:", "10.0.0.1"), ("203.0.113.7:x", "10.0.0.1"), ("203.0.113.7:123456", "10.0.0.1"),
        ("[2001:db8::7", "10.0.0.1"), ("[2001:db8::7]x", "10.0.0.1"), ("203.0.113.7 203.0.113.8", "10.0.0.1"),
        ("::1%lo", "10.0.0.1"), ("0x7f.1", "10.0.0.1"), ("010.0.0.2", "10.0.0.1"),
    ])
    func `X-Forwarded-For is parsed from the right`(value: String, expected: String) {
        #expect(client([("X-Forwarded-For", value)]) == expected)
    }

    @Test(arguments: [
        ("for=203.0.113.7", "203.0.113.7"), ("For=203.0.113.7;proto=https;by=10.0.0.1", "203.0.113.7"),
        ("for=198.51.100.1, for=203.0.113.7", "203.0.113.7"), (#"for="203.0.113.7:4711""#, "203.0.113.7"),
        (#"for="[2001:db8::7]:4711""#, "2001:db8::7"), ("for=203.0.113.7, for=10.0.0.2", "203.0.113.7"),
        (#"by="a,b;c=\"d\"";for=203.0.113.7"#, "203.0.113.7"),
        ("for=unknown", "10.0.0.1"), ("for=_hidden", "10.0.0.1"), ("proto=https", "10.0.0.1"), ("", "10.0.0.1"),
        ("for=203.0.113.7;for=203.0.113.8", "10.0.0.1"), (#"for="203.0.113.7"#, "10.0.0.1"), ("for", "10.0.0.1"),
        // A quote that the client left open must not hide the part that the proxy wrote and leave the client's own
        // part.
        (#"for=1.2.3.4;x=", for="[2001:db8::7]""#, "10.0.0.1"), (#"for="1.2.3.4, for=203.0.113.7"#, "10.0.0.1"),
    ])
    func `Forwarded is parsed from the right`(value: String, expected: String) {
        #expect(client([("Forwarded", value)]) == expected)
    }

    @Test func `lines of one name are one list`() {
        #expect(client([("X-Forwarded-For", "198.51.100.1"), ("x-forwarded-for", "203.0.113.7")]) == "203.0.113.7")
        #expect(client([("Forwarded", "for=198.51.100.1"), ("forwarded", "for=203.0.113.7")]) == "203.0.113.7")
    }

    @Test func `a client's own claim is not trusted`() {
        let forged = [("X-Forwarded-For", "203.0.113.7"), ("Forwarded", "for=203.0.113.7")]
        #expect(client(forged, from: "198.51.100.9") == "198.51.100.9")
        #expect(client(forged, trusting: []) == "10.0.0.1")
        // The proxy writes one of the two fields, and passes the other on.
        #expect(client([("X-Forwarded-For", "203.0.113.7"), ("Forwarded", "for=192.0.2.1")]) == "10.0.0.1")
        #expect(client([("X-Forwarded-For", "203.0.113.7"), ("Forwarded", "for=203.0.113.7")]) == "203.0.113.7")
    }

    @Test func `a long list needs only time in proportion to its length`() {
        let list = String(repeating: "10.0.0.2, ", count: 100_000) + "203.0.113.7"
        #expect(client([("X-Forwarded-For", list)]) == "203.0.113.7")
        #expect(client([("Forwarded", String(repeating: #"for="\\",;"#, count: 100_000))]) == "10.0.0.1")
    }
}
