import Gateway
import Testing

@Suite(.timeLimit(.minutes(1)))
struct GatewayUserTests {
    @Test(arguments: ["anna", "Anna.Berg@example.org", "desk-1_b#2", String(repeating: "a", count: 64)])
    func `a name of characters that a tag may have is a user's`(name: String) {
        #expect(GatewayUser(name)?.name == name)
    }

    @Test(arguments: [
        "", "anna berg", "anna:berg", "anna||everyone", "a&&b", "!a", "(a)", "a\u{0}", "a\r\nb", "änna", "$a", "a/b",
        "a%2F",
        String(repeating: "a", count: 65),
    ])
    func `a name that could say something in an expression is nobody's`(name: String) {
        #expect(GatewayUser(name) == nil)
    }
}
