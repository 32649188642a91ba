import Testing

@testable import NewsflashHTTPServer

@Suite(.timeLimit(.minutes(1)))
struct RequestHeadRulesTests {
    private static func framing(
        _ method: String = "GET",
        _ target: String = "/",
        _ version: String = "HTTP/1.1",
        _ fields: [(String, String)] = [("Host", "x")]
    ) -> Result<BodyFraming, MalformedHead> {
        let head = HTTPServerRequest(method: method, target: target, headers: fields.map { (name: $0.0, value: $0.1) })
        return Result { () throws(MalformedHead) in try RequestHeadRules.framing(of: head, version: version) }
    }

    @Test(arguments: [
        ([("Content-Length", "0")], BodyFraming.length(0)), ([("content-length", "17")], .length(17)),
        ([("Content-Length", "0017")], .length(17)), ([], .length(0)),
        ([("Content-Length", "9223372036854775807")], .length(.max)), ([("Transfer-Encoding", "Chunked")], .chunked),
        ([("X-Content-Length", "5")], .length(0)), ([("Content_Length", "5")], .length(0)),
    ])
    func `the length of the body is found`(fields: [(String, String)], framing: BodyFraming) {
        #expect(Self.framing("POST", "/", "HTTP/1.1", [("Host", "x")] + fields) == .success(framing))
    }

    @Test(arguments: [
        [("Content-Length", "")], [("Content-Length", "+1")], [("Content-Length", "-1")], [("Content-Length", "1 ")],
        [("Content-Length", "1,1")], [("Content-Length", "0x1")], [("Content-Length", "9223372036854775808")],
        [("Content-Length", "1"), ("Content-Length", "1")],
        [("Content-Length", "0"), ("Transfer-Encoding", "chunked")],
        [("Transfer-Encoding", "chunked"), ("transfer-encoding", "chunked")], [("Transfer-Encoding", "chunked ")],
        [("Transfer-Encoding", "gzip, chunked")], [("Transfer-Encoding", "identity")], [("Transfer-Encoding", "")],
    ])
    func `a length with two meanings is refused`(fields: [(String, String)]) {
        #expect(Self.framing("POST", "/", "HTTP/1.1", [("Host", "x")] + fields) == .failure(.framing))
    }

    @Test func `chunks in HTTP 1.0 are refused`() {
        #expect(Self.framing("POST", "/", "HTTP/1.0", [("Transfer-Encoding", "chunked")]) == .failure(.framing))
    }

    @Test(arguments: ["", "G T", "G(T", "GÉT", "GET\u{7F}", "GET:"])
    func `a method that is not a token is refused`(method: String) {
        #expect(Self.framing(method) == .failure(.method))
    }

    @Test(arguments: ["", "HTTP/1.2", "HTTP/2.0", "HTTP/0.9", "http/1.1", "HTTP/1.1 ", "HTTP/1.01", "ICY/1.1"])
    func `a version other than 1.1 and 1.0 is refused`(version: String) {
        #expect(Self.framing("GET", "/", version) == .failure(.version))
        #expect(Self.framing("GET", "/", "HTTP/1.0") == .success(.length(0)))
    }

    @Test(arguments: [
        ("GET", "/", true), ("GET", "/a%20b?c=d&e", true), ("GET", "//a", true), ("OPTIONS", "*", true),
        ("GET", "http://x", true), ("GET", "HTTPS://x:1/a?b", true), ("GET", "http://[::1]:80/", true),
        ("GET", "*", false), ("GET", "", false), ("GET", "a", false), ("GET", "?a", false), ("CONNECT", "x:1", false),
        ("CONNECT", "/", false), ("GET", "/a b", false), ("GET", "/é", false), ("GET", "/a#b", false),
        ("GET", "/\u{7F}", false), ("GET", "http://", false), ("GET", "http:///a", false),
        ("GET", "http://a@x/", false),
        ("GET", "http:x", false), ("GET", "ftp://x/", false), ("GET", "http://[::1/", false),
        ("GET", "http://x:y/", false),
    ])
    func `the allowed targets are recognized`(method: String, target: String, isSound: Bool) {
        #expect(Self.framing(method, target) == (isSound ? .success(.length(0)) : .failure(.target)))
    }

    @Test(arguments: [
        ("x", true), ("x:80", true), ("x:", true), ("", true), ("x ", true), ("a.b-c_d~%20", true),
        ("[2001:db8::1]:80", true),
        ("127.0.0.1", true), ("x y", false), ("x/y", false), ("x,y ", true), ("x, y", false), ("a@x", false),
        (":80", false),
        ("x:80:80", false), ("x:a", false), ("[::1", false), ("[]", false), ("[x]", false), ("[::1]a", false),
        ("é", false),
        ("x\\", false), ("x?", false), ("x#", false),
    ])
    func `the possible hosts are recognized`(host: String, isSound: Bool) {
        #expect(
            Self.framing("GET", "/", "HTTP/1.1", [("Host", host)]) == (isSound ? .success(.length(0)) : .failure(.host))
        )
    }

    @Test func `HTTP 1.1 needs exactly one host and HTTP 1.0 at most one`() {
        let two = [("Host", "x"), ("host", "x")]
        #expect(Self.framing("GET", "/", "HTTP/1.1", []) == .failure(.host))
        #expect(Self.framing("GET", "/", "HTTP/1.1", two) == .failure(.host))
        #expect(Self.framing("GET", "/", "HTTP/1.0", []) == .success(.length(0)))
        #expect(Self.framing("GET", "/", "HTTP/1.0", two) == .failure(.host))
    }

    @Test(arguments: ["", " ", "X ", " X", "X\t", "X\u{B}", "X(Y)", "X\nY", "Xé", "X:", "\"X\"", "X@"])
    func `a name that is not a token is refused`(name: String) {
        #expect(Self.framing("GET", "/", "HTTP/1.1", [("Host", "x"), (name, "y")]) == .failure(.fieldName))
    }

    @Test(arguments: ["\r", "\n", "\0", "\u{7F}", "\u{1B}", "\u{8}"])
    func `a control character in a value is refused`(control: String) {
        #expect(Self.framing("GET", "/", "HTTP/1.1", [("Host", "x"), ("Y", "a\(control)b")]) == .failure(.fieldValue))
        #expect(Self.framing("GET", "/", "HTTP/1.1", [("Host", "x"), ("Y", "a\tb é")]) == .success(.length(0)))
    }

    @Test(arguments: [("a", "a"), ("a \t ", "a"), ("", ""), ("  ", ""), (" a b ", " a b")])
    func `blanks are removed from the end of a value`(value: String, rest: String) {
        #expect(value.withoutBlanksAtEnd == rest)
    }

    /// The distances in `GET / HTTP/1.1⏎X: y⏎⏎` from a position on.
    @Test(arguments: [
        (0, 4, 6, 16, 19, 24, true), (100, 104, 106, 116, 119, 124, true),
        // Another blank, a bare LF, a NUL in a value, no CR at the end.
        (0, 5, 7, 17, 20, 25, false), (0, 4, 7, 17, 20, 25, false), (0, 4, 6, 15, 18, 23, false),
        (0, 4, 6, 16, 19, 26, false), (0, 4, 6, 16, 19, 23, false), (0, 4, 6, 16, 17, 22, false),
    ])
    func `the distances show whether lines end correctly`(
        start: Int,
        target: Int,
        version: Int,
        name: Int,
        value: Int,
        end: Int,
        isExact: Bool
    ) {
        var layout = HeadLayout(
            method: start..<start + 3,
            target: target..<target + 1,
            version: version..<version + 8
        )
        layout.add(name: name..<name + 1, value: value..<value + 1)
        #expect(layout.isExact(endingAt: end) == isExact)
    }
}
