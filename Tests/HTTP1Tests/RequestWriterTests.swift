import NewsflashHTTP1
import NewsflashHTTPTransport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct RequestWriterTests {
    private func head(_ request: HTTPRequest) throws -> String {
        var buffer = Array("before ".utf8)
        RequestWriter.appendHead(
            of: request,
            framing: try RequestFraming(request),
            address: try RequestAddress(request.url),
            agentLine: Array("User-Agent: desk\r\n".utf8),
            to: &buffer
        )
        return String(decoding: buffer, as: UTF8.self)
    }

    @Test func `the caller's headers are written between the agent and the length`() throws {
        let request = HTTPRequest(
            method: .post,
            url: "http://Example.com:8080/a%20b/../c?x=1#part",
            headers: [.init("Authorization", "x"), .init("X-Empty", "")],
            body: Array("{}".utf8)
        )

        #expect(
            try head(request)
                == "before POST /a%20b/../c?x=1 HTTP/1.1\r\nHost: example.com:8080\r\nUser-Agent: desk\r\n"
                + "Authorization: x\r\nX-Empty:\r\nContent-Length: 2\r\n\r\n"
        )
    }

    @Test(arguments: [
        ("http://a", "/", "a"), ("http://a?q", "/?q", "a"), ("https://a:443/", "/", "a"),
        ("https://a:80/x", "/x", "a:80"), ("http://[::1]:81/?a/b", "/?a/b", "[::1]:81"), ("http://a#f", "/", "a"),
    ])
    func `target and host are taken from a URL`(url: String, target: String, host: String) throws {
        #expect(
            try head(HTTPRequest(method: .get, url: url))
                == "before GET \(target) HTTP/1.1\r\nHost: \(host)\r\nUser-Agent: desk\r\n\r\n"
        )
    }

    @Test(arguments: [
        ("GET", 0, nil), ("DELETE", 0, nil), ("POST", 0, "0"), ("PUT", 0, "0"), ("PATCH", 0, "0"), ("GET", 1, "1"),
        ("POST", 10, "10"), ("PUT", 99, "99"), ("DELETE", 1000, "1000"), ("POST", 123_456, "123456"),
    ])
    func `a body has its length, and no body has none`(method: String, count: Int, length: String?) throws {
        let request = HTTPRequest(
            method: .init(rawValue: method),
            url: "http://a/",
            body: [UInt8](repeating: 7, count: count)
        )

        let lines = try head(request).split(separator: "\r\n").dropFirst(3)

        #expect(lines.map(String.init) == (length.map { ["Content-Length: \($0)"] } ?? []))
    }

    @Test func `the caller's own host, agent and length are written once`() throws {
        let headers: HTTPHeaders = [.init("HOST", "b"), .init("user-agent", "c"), .init("Content-length", "2")]
        let request = HTTPRequest(method: .post, url: "http://a/", headers: headers, body: [1, 2])

        #expect(
            try head(request) == "before POST / HTTP/1.1\r\nHOST: b\r\nuser-agent: c\r\nContent-length: 2\r\n\r\n"
        )
    }

    @Test(arguments: ["", "GET ", "GE\r\nT", "G(T"])
    func `a method that is not a token is refused`(method: String) {
        #expect(throws: RequestFraming.InvalidRequestError.methodIsNoToken) {
            try RequestFraming(HTTPRequest(method: .init(rawValue: method), url: "http://a/"))
        }
    }

    @Test func `CONNECT, which would make a tunnel of the connection, is refused`() {
        #expect(throws: RequestFraming.InvalidRequestError.methodIsConnect) {
            try RequestFraming(HTTPRequest(method: .init(rawValue: "CONNECT"), url: "http://a/"))
        }
    }

    @Test(arguments: [
        ("", "x", RequestFraming.InvalidRequestError.headerNameIsNoToken), ("X Y", "x", .headerNameIsNoToken),
        ("X:", "x", .headerNameIsNoToken), ("X\n", "x", .headerNameIsNoToken),
        ("X", "a\r\nY: b", .headerHoldsControl(name: "X")), ("X", "a\nb", .headerHoldsControl(name: "X")),
        ("X", "a\0b", .headerHoldsControl(name: "X")), ("X", "\u{7f}", .headerHoldsControl(name: "X")),
        ("Transfer-Encoding", "chunked", .transferEncoding), ("content-length", "3", .contentLengthDoesNotFit),
        ("Content-Length", "02", .contentLengthDoesNotFit), ("Content-Length", "", .contentLengthDoesNotFit),
    ])
    func `a header that would end its line or change the framing is refused`(
        name: String,
        value: String,
        fault: RequestFraming.InvalidRequestError
    ) {
        let request = HTTPRequest(
            method: .post,
            url: "http://a/",
            headers: [.init("A", "b"), .init(name, value)],
            body: [1, 2]
        )

        #expect(throws: fault) { try RequestFraming(request) }
    }

    @Test(arguments: ["host", "user-agent", "content-length", "transfer-encoding"])
    func `a field is recognized by its whole name in any case`(name: String) {
        let plain = framing([.init("A", "b")])
        let recognized = framing([.init("A", "b"), .init(name, "2")])
        #expect(recognized != plain)
        for place in 0..<name.utf8.count {
            for byte in UInt8.min...UInt8.max where byte.isTokenByte {
                var bytes = Array(name.utf8)
                bytes[place] = byte
                let changed = String(decoding: bytes, as: UTF8.self)
                let headers: HTTPHeaders = [.init("A", "b"), .init(changed, "2")]

                #expect(framing(headers) == (changed.lowercased() == name ? recognized : plain), "\(headers)")
            }
        }
    }

    private func framing(_ headers: HTTPHeaders) -> Result<RequestFraming, RequestFraming.InvalidRequestError> {
        let request = HTTPRequest(method: .post, url: "http://a/", headers: headers, body: [1, 2])
        return Result { () throws(RequestFraming.InvalidRequestError) in try RequestFraming(request) }
    }

    @Test func `headers of any printable text are written`() throws {
        let headers: HTTPHeaders = [
            .init("X-Empty", ""), .init("X-Tab", "a\tb"), .init("x_1!#$%&'*+-.^`|~", "ü ☕︎"),
        ]

        #expect(
            try head(HTTPRequest(method: .get, url: "http://a/", headers: headers))
                == "before GET / HTTP/1.1\r\nHost: a\r\nUser-Agent: desk\r\n"
                + "X-Empty:\r\nX-Tab: a\tb\r\nx_1!#$%&'*+-.^`|~: ü ☕︎\r\n\r\n"
        )
    }
}
