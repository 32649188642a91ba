import NewsflashHTTPTransport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct HTTPHeadersTests {
    @Test(arguments: ["Retry-After", "retry-after", "RETRY-AFTER"])
    func `the first field of a name is found without case`(name: String) {
        let headers: HTTPHeaders = [.init("X", "0"), .init("Retry-after", "1"), .init("retry-After", "2")]

        #expect(headers[name] == "1")
    }

    @Test(arguments: ["", "Retry", "Retry-After2", "Retry_After", "Retry\u{d}After"])
    func `another name is not found`(name: String) {
        let headers: HTTPHeaders = [.init("Retry-After", "1")]

        #expect(headers[name] == nil)
    }

    @Test func `order and repeated fields are kept`() {
        var headers: HTTPHeaders = [.init("B", "1")]
        headers.append("A", "2")
        headers.append("b", "3")

        #expect(Array(headers).map(\.value) == ["1", "2", "3"])
    }

    @Test func `headers are encoded as they are sent`() {
        let headers: HTTPHeaders = [.init("X-One", " a\tb "), .init("X-Empty", ""), .init("x-UTF8", "ü")]

        #expect(String(decoding: headers.wireForm, as: UTF8.self) == "X-One: a\tb\r\nX-Empty:\r\nx-UTF8: ü\r\n")
        #expect(headers.fields == [.init("X-One", "a\tb"), .init("X-Empty", ""), .init("x-UTF8", "ü")])
        #expect(headers.validity == .valid)
    }

    @Test(arguments: [
        "A:b\r\nB:\r\n", "A: b\r\nB: \r\n", "A: \t b \t\r\nB:\t\r\n",
    ])
    func `headers with the same fields are equal, however their lines were written`(lines: String) {
        let headers: HTTPHeaders = [.init("A", "b"), .init("B", "")]

        #expect(HTTPHeaders(checkedLines: Array(lines.utf8)) == headers)
        #expect(HTTPHeaders(checkedLines: Array(lines.utf8)) != [.init("A", "b"), .init("B", "c")])
        #expect(HTTPHeaders(checkedLines: Array(lines.utf8)) != [.init("A", "b")])
        #expect(HTTPHeaders(checkedLines: Array(lines.utf8)) != [.init("a", "b"), .init("B", "")])
    }

    @Test(arguments: ["a\r\nY: b", "a\nY: b", "a\r\n", "\r\n\r\nY: b", "a\0", "\u{1}", "\u{7f}"])
    func `a value with a control character makes no line of its own and is reported`(value: String) {
        var headers: HTTPHeaders = [.init("A", "b"), .init("X", value)]
        headers.append("Z", "c")

        #expect(headers.validity == .invalidValue(lineAt: "A: b\r\n".utf8.count))
        #expect(headers.fields.map(\.name) == ["A", "X", "Z"])
        #expect(headers.wireForm.filter { $0 == UInt8(ascii: "\n") }.count == 3)
        #expect(headers["Y"] == nil)
    }

    @Test(arguments: ["", "X Y", "X:", "X\r\nY", "X\n", "Ä", " X", "(X)", "X\0"])
    func `a name that is not a token is left out and reported`(name: String) {
        let headers: HTTPHeaders = [.init("A", "b"), .init(name, "c"), .init("Z", "d")]

        #expect(headers.validity == .invalidName)
        #expect(headers.fields == [.init("A", "b"), .init("Z", "d")])
        #expect(headers != [.init("A", "b"), .init("Z", "d")])
    }

    @Test func `bytes make the same fields as text`() {
        let prefix: HTTPHeaders = [.init("A", "b")]
        var headers = HTTPHeaders(copying: prefix, reserving: 64)
        headers.append("X-One", Array("ü".utf8).span)
        headers.append(Array("X-Two".utf8).span, Array(" c ".utf8).span)
        headers.append([.init("X-Three", "")])

        #expect(headers == [.init("A", "b"), .init("X-One", "ü"), .init("X-Two", "c"), .init("X-Three", "")])
        #expect(prefix == [.init("A", "b")])
    }

    @Test func `an error is copied with the fields`() {
        var headers: HTTPHeaders = [.init("A", "b")]
        headers.append([.init("X", "0"), .init("Y", "c\nd")])
        headers.append("Bad Name", Array("e".utf8).span)

        #expect(headers.validity == .invalidValue(lineAt: "A: b\r\nX: 0\r\n".utf8.count))
        #expect(headers.fields == [.init("A", "b"), .init("X", "0"), .init("Y", "c d")])
    }
}
