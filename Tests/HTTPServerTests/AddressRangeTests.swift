import NewsflashHTTPServer
import Testing

@Suite("Ranges of addresses", .timeLimit(.minutes(1)))
struct AddressRangeTests {
    @Test(arguments: [
        (
            "10.0.0.0/8", ["10.0.0.0", "10.255.255.255", "::ffff:10.1.2.3"],
            ["11.0.0.0", "9.255.255.255", "::10.0.0.1"]
        ),
        ("192.0.2.7", ["192.0.2.7"], ["192.0.2.6", "192.0.2.8"]),
        ("192.0.2.6/31", ["192.0.2.6", "192.0.2.7"], ["192.0.2.8"]),
        ("0.0.0.0/0", ["0.0.0.0", "255.255.255.255"], ["::", "2001:db8::1"]),
        ("2001:db8::/32", ["2001:db8::", "2001:db8:ffff::1"], ["2001:db9::", "10.0.0.1"]),
        ("2001:db8::/64", ["2001:db8::ffff:ffff:ffff:ffff"], ["2001:db8:0:1::"]),
        ("2001:db8::8000/113", ["2001:db8::ffff"], ["2001:db8::7fff"]), ("::1", ["::1"], ["::", "::2", "127.0.0.1"]),
        ("::/0", ["::", "ffff::"], ["10.0.0.1"]),
    ])
    func `a range contains the addresses with its prefix`(text: String, inside: [String], outside: [String]) throws {
        let range = try #require(AddressRange(text))
        for address in inside { #expect(range.contains(try #require(ClientAddress(address))), "\(address)") }
        for address in outside { #expect(!range.contains(try #require(ClientAddress(address))), "\(address)") }
    }

    @Test(arguments: [
        "", "/", "10.0.0.0/", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/+8", "10.0.0.0/08", "10.0.0.0/ 8", "10.0.0.0/8/8",
        "10.0.0.1/8", "10.0.0/8", "localhost", "[::1]", "::1/129", "2001:db8::1/64", "10.0.0.0/255.0.0.0",
        "fe80::1%eth0",
        "10.0.0.0/99999999999999999999",
    ])
    func `a text that is not a range is refused`(text: String) {
        #expect(AddressRange(text) == nil)
    }
}
