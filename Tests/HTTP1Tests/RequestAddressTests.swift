import NewsflashHTTP1
import Testing

@Suite(.timeLimit(.minutes(1)))
struct RequestAddressTests {
    @Test(arguments: [
        ("", RequestAddress.InvalidURLError.noScheme), ("nowhere", .noScheme), ("example.com/a", .noScheme),
        ("//example.com/", .noScheme), ("ftp://example.com/", .noScheme), ("file:///etc/passwd", .noScheme),
        ("httpx://a/", .noScheme), ("http://", .noHost), ("https:///path", .noHost), ("http://?q", .noHost),
        ("http://#", .noHost), ("http://:80/", .noHost), ("http://user@example.com/", .credentials),
        ("https://user:password@example.com/", .credentials), ("http://example.com/a b", .strayCharacter),
        ("http://example.com/ä", .strayCharacter), ("http://example.com/\r\nX: y", .strayCharacter),
        ("http://example.com/\0", .strayCharacter), ("http://a\\b/", .brokenHost), ("http://a%2fb/", .brokenHost),
        ("http://[/", .brokenHost), ("http://[]/", .brokenHost), ("http://[::1", .brokenHost),
        ("http://[::::]:80/", .brokenHost), ("http://[1:2]/", .brokenHost), ("http://[.]/", .brokenHost),
        ("http://::1/", .brokenHost), ("http://[::1%25eth0]/", .brokenHost), ("http://a:b:1/", .brokenHost),
        ("http://a:0/", .brokenPort), ("http://a:65536/", .brokenPort), ("http://a:99999999/", .brokenPort),
        ("http://a:+1/", .brokenPort), ("http://a:80x/", .brokenPort),
    ])
    func `a URL that is not absolute plain HTTP is refused`(url: String, fault: RequestAddress.InvalidURLError) {
        #expect(throws: fault) { try RequestAddress(url) }
    }

    @Test(arguments: [
        ("http://a", "http://a:80/"), ("HTTPS://Example.com:8443/a?b=c@d#e", "https://example.com:8443/"),
        ("http://[::1]:80/", "http://[::1]:80/"), ("https://example.com/?u=a@b:c", "https://example.com:443/"),
        ("http://127.0.0.1:/", "http://127.0.0.1:80/"), ("https://a_b-c.d/", "https://a_b-c.d:443/"),
    ])
    func `the address to connect to is found`(url: String, origin: String) throws {
        #expect(try RequestAddress(url).origin.url == origin)
    }

    @Test func `URLs of one scheme, host and port have one origin`() throws {
        let origin = try RequestAddress("http://example.com/a").origin

        #expect(try RequestAddress("HTTP://EXAMPLE.com:80/b?c").origin == origin)
        #expect(try RequestAddress("https://example.com/a").origin != origin)
        #expect(try RequestAddress("http://example.com:81/a").origin != origin)
        #expect(try RequestAddress("http://example.org/a").origin != origin)
    }

    @Test func `an error contains nothing of the URL`() throws {
        let error = try #require(throws: RequestAddress.InvalidURLError.self) {
            try RequestAddress("https://desk:hush-hush@example.com/")
        }

        #expect("\(error)" == "the URL contains a user name or password")
    }
}
