import HTTPTransport
import Testing

@testable import CurlTransport

@Suite(.timeLimit(.minutes(1)))
struct RequestCheckTests {
    @Test(arguments: [
        "", "nowhere", "example.com/a", "//example.com/", "ftp://example.com/", "file:///etc/passwd", "httpx://a/",
        "http://", "https:///path", "http://?q", "http://user@example.com/", "https://user:password@example.com/",
        "http://example.com/a b", "http://example.com/ä", "http://example.com/\r\nX: y", "http://example.com/\0",
    ])
    func `refuses a URL that is not absolute, plain HTTP`(url: String) {
        #expect(RequestCheck.problem(in: HTTPRequest(method: .get, url: url)) != nil)
    }

    @Test(arguments: [
        "http://a", "HTTPS://example.com:8443/a?b=c@d#e", "http://[::1]:80/", "https://example.com/?u=a@b",
    ])
    func `takes an absolute URL`(url: String) {
        #expect(RequestCheck.problem(in: HTTPRequest(method: .get, url: url)) == nil)
    }

    @Test(arguments: ["", "GET ", "GE\r\nT", "G(T"])
    func `refuses a method that is no token`(method: String) {
        #expect(RequestCheck.problem(in: HTTPRequest(method: .init(rawValue: method), url: "http://a/")) != nil)
    }

    @Test(arguments: [
        ("", "x"), ("X Y", "x"), ("X:", "x"), ("X\n", "x"), ("X", "a\r\nY: b"), ("X", "a\nb"), ("X", "a\0b"),
        ("X", "\u{7f}"), ("Transfer-Encoding", "chunked"), ("content-length", "3"), ("Content-Length", "02"),
    ])
    func `refuses a header that would end its line or change the framing`(name: String, value: String) {
        let request = HTTPRequest(method: .post, url: "http://a/", headers: [.init(name, value)], body: [1, 2])

        #expect(RequestCheck.problem(in: request) != nil)
    }

    @Test func `takes headers of any printable text`() {
        let headers: HTTPHeaders = [
            .init("X-Empty", ""), .init("X-Tab", "a\tb"), .init("x_1!#$%&'*+-.^`|~", "ü ☕︎"),
            .init("Content-Length", "2"),
        ]

        #expect(
            RequestCheck.problem(in: HTTPRequest(method: .post, url: "http://a/", headers: headers, body: [1, 2]))
                == nil
        )
    }

    @Test(arguments: [
        HTTPRequest(method: .get, url: "ftp://example.com/?sig=hush-hush"),
        HTTPRequest(method: .get, url: "https://desk:hush-hush@example.com:bad/"),
        HTTPRequest(method: .get, url: "http://example.com:99999999/?sig=hush-hush"),
        HTTPRequest(method: .get, url: "http://a/", headers: [.init("Authorization", "hush-hush\r\nX: y")]),
    ])
    func `what cannot be sent is surely not received, and told without its secrets`(request: HTTPRequest) async throws {
        let transport = try CurlTransport.forTests()
        defer { transport.shutdown() }

        let error = try await transport.failure(of: request)

        #expect(error.code == .invalidRequest)
        #expect(!error.mayHaveBeenReceived)
        #expect(!error.description.contains("hush-hush"))
    }

    @Test(arguments: [
        ("https://user:pw@example.com/p?q", "example.com:443"), ("http://example.com:8080", "example.com:8080"),
        ("http://[::1]:81/", "[::1]:81"), ("http://[::1]/a:b@c", "[::1]:80"), ("HTTPS://a?x=y@z", "a:443"),
        ("", "?:80"),
    ])
    func `names the destination of a URL and nothing else of it`(url: String, destination: String) {
        #expect(HTTPDestination(url: url).description == destination)
    }
}
