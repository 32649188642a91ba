import NewsflashGateway
import NotificationHubs
import Testing

@Suite(.timeLimit(.minutes(1)))
struct GatewayUserTests {
    @Test(arguments: ["anna", "Anna.Berg@example.org", "desk-1_b#2", String(repeating: "a", count: 64)])
    func `a name of characters that a tag may have is the name of a user`(name: String) {
        #expect(GatewayUser(name)?.name == name.lowercased())
    }

    @Test func `user names are compared without case`() {
        #expect(GatewayUser("ANNA") == GatewayUser("anna"))
        #expect(GatewayUser("Anna")?.tag.description == "username:anna")
    }

    @Test(arguments: [
        ("anna", "anna"), ("Anna", "anna"), ("auth0|123", "auth0#7c123"),
        ("anna+news@example.org", "anna#2bnews@example.org"),
        ("a#b", "a#23b"), ("ä", "#c3#a4"), ("a || b", "a#20#7c#7c#20b"), ("!a", "#21a"), ("$UserId", "#24userid"),
    ])
    func `the names of an issuer are users of their own`(name: String, user: String) {
        #expect(GatewayUser(issuersName: name)?.name == user)
    }

    @Test(arguments: ["", String(repeating: "a", count: 65), String(repeating: "|", count: 22)])
    func `an issuer's name that is too long is refused`(name: String) {
        #expect(GatewayUser(issuersName: name) == nil)
    }

    @Test(arguments: [
        "", "anna berg", "anna:berg", "anna||everyone", "a&&b", "!a", "(a)", "a\u{0}", "a\r\nb", "änna", "$a", "a/b",
        "a%2F",
        String(repeating: "a", count: 65),
    ])
    func `a name with a meaning in a tag expression is refused`(name: String) {
        #expect(GatewayUser(name) == nil)
    }
}
