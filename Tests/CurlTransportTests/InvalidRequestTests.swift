import NewsflashHTTPTransport
import Testing

@testable import NewsflashCurlTransport

@Suite(.timeLimit(.minutes(1)))
struct InvalidRequestTests {
    @Test(arguments: [
        HTTPRequest(method: .get, url: "ftp://example.com/?sig=hush-hush"),
        HTTPRequest(method: .get, url: "https://desk:hush-hush@example.com:bad/"),
        HTTPRequest(method: .get, url: "http://example.com:99999999/?sig=hush-hush"),
        HTTPRequest(method: .get, url: "http://a/", headers: [.init("Authorization", "hush-hush\r\nX: y")]),
        HTTPRequest(method: .get, url: "http://a/", headers: [.init("hush-hush\r\nX", "y")]),
        HTTPRequest(method: .init(rawValue: "GET /hush-hush"), url: "http://a/"),
        HTTPRequest(method: .post, url: "http://a/", headers: [.init("Content-Length", "3")], body: [1]),
    ])
    func `an invalid request is not received, and is reported without secrets`(request: HTTPRequest) async throws {
        let transport = try CurlTransport.forTests()
        defer { transport.shutdown() }

        let error = try await transport.failure(of: request)

        #expect(error.code == .invalidRequest)
        #expect(!error.mayHaveBeenReceived)
        #expect(!error.description.contains("hush-hush"))
    }

    @Test func `a header with a line break is named, without its value`() async throws {
        let transport = try CurlTransport.forTests()
        defer { transport.shutdown() }
        let headers: HTTPHeaders = [.init("X-Good", "a"), .init("X-Bad", "hush-hush\r\nX: y")]

        let error = try await transport.failure(of: HTTPRequest(method: .get, url: "http://a/", headers: headers))

        #expect(
            error.message
                == "the request to a:80 cannot be sent: the header X-Bad contains a line break or another control character"
        )
    }

    @Test(arguments: [
        ("https://user:pw@example.com/p?q", "example.com:443"), ("http://example.com:8080", "example.com:8080"),
        ("http://[::1]:81/", "[::1]:81"), ("http://[::1]/a:b@c", "[::1]:80"), ("HTTPS://a?x=y@z", "a:443"),
        ("", "?:80"),
    ])
    func `the destination of a URL is named without its other parts`(url: String, destination: String) {
        #expect(HTTPDestination(url: url).description == destination)
    }
}
