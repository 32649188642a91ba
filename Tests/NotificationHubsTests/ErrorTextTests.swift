import NewsflashHTTPTransport
import Testing

@testable import NotificationHubs

@Suite("Texts of libraries and proxies", .timeLimit(.minutes(1)))
struct ErrorTextTests {
    @Test(arguments: [
        ("Unsupported proxy syntax in 'http://user:S3cret/Pw@127.0.0.1:3128'", "127.0.0.1:3128"),
        ("no http://user:S3cret Pw@a.example and https://x:S3cret@b.example, at all", "a.example"),
        ("http://user:S3c@ret@a.example", "a.example"), ("http://S3cret@a.example", "a.example"),
        ("socks9://user:S3cret#'\"<@a.example", "a.example"),
    ])
    func `the user and password of a URL are removed`(text: String, kept: String) {
        let reply = HubReply(HTTPTransportError(.other, text, mayHaveBeenReceived: false))
        #expect(!reply.detail.contains("S3c") && !reply.detail.contains("ret@") && !reply.detail.contains("user"))
        #expect(reply.detail.contains("<redacted>@\(kept)"))
    }

    @Test(arguments: ["cannot find http://a.example/x: no", "mail to a@b.example", "", "://", "@://"])
    func `other texts are unchanged`(text: String) {
        #expect(HubErrorText.safe(text) == text)
    }

    @Test func `a long text of many URLs takes time in proportion to its length`() {
        let text = String(repeating: "://@", count: 5000)
        #expect(HubErrorText.safe(text).hasPrefix("://<redacted>@://<redacted>@"))
    }
}
