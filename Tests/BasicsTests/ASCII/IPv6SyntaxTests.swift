import NewsflashBasics
import Testing

@Suite(.timeLimit(.minutes(1)))
struct IPv6SyntaxTests {
    @Test(arguments: [
        "::", "::1", "1::", "fd00::1", "1:2:3:4:5:6:7:8", "1:2:3:4:5:6:7::", "::2:3:4:5:6:7:8", "FE80::AbCd",
        "::ffff:10.0.0.1", "1:2:3:4:5:6:10.0.0.255", "::10.0.0.1",
    ])
    func `a valid address is accepted`(text: String) {
        #expect(Array(text.utf8).isIPv6Address)
    }

    @Test(arguments: [
        "", ":", ":::", "::::", "1", "1:2", ":1", "1:", "1::2::3", "1:2:3:4:5:6:7", "1:2:3:4:5:6:7:8:9",
        ":1:2:3:4:5:6:7:8",
        "1:2:3:4:5:6:7:8::", "12345::", "g::", "::1%eth0", "[::1]", "10.0.0.1", "::10.0.0.256", "::10.0.0",
        "::10.0.0.1:1",
        "1:2:3:4:5:6:7:10.0.0.1", "::.", "::1.2.3.1234",
    ])
    func `an invalid address is refused`(text: String) {
        #expect(!Array(text.utf8).isIPv6Address)
    }
}
