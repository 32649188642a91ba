import NewsflashHTTP1
import NewsflashHTTPTransport
import Testing

@Suite(.timeLimit(.minutes(2)))
struct ResponseParserTests {
    struct Answer: Sendable, CustomTestStringConvertible {
        var name: String
        var text: String
        var isForHead = false
        /// Whether the end of the connection ends the answer.
        var isEnded = false
        var status = 200
        var headers: HTTPHeaders = []
        var body = ""
        var mayBeReused = true

        var testDescription: String { name }
    }

    static let answers = [
        Answer(
            name: "counted",
            text: "HTTP/1.1 201 Created\r\nContent-Length: 4\r\nX-Two:  a \r\nx-two:\tb\r\nX-None:\r\n\r\nmade",
            status: 201,
            headers: [
                .init("Content-Length", "4"), .init("X-Two", "a"), .init("x-two", "b"), .init("X-None", ""),
            ],
            body: "made"
        ),
        Answer(
            name: "counted, none",
            text: "HTTP/1.1 201 \r\ncontent-length:0\r\n\r\n",
            status: 201,
            headers: [.init("content-length", "0")]
        ),
        Answer(
            name: "the same length twice",
            text: "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 2\r\n\r\nhi",
            headers: [.init("Content-Length", "2"), .init("Content-Length", "2")],
            body: "hi"
        ),
        Answer(
            name: "without a reason",
            text: "HTTP/1.1 299\r\nContent-Length: 1\r\n\r\n!",
            status: 299,
            headers: [.init("Content-Length", "1")],
            body: "!"
        ),
        Answer(
            name: "chunked",
            text: "HTTP/1.1 200 OK\r\nTransfer-Encoding: Chunked\r\n\r\n"
                + "2\r\nhi\r\n0000A;a=b;c=\"d\";e\r\n 0123456\r\n\r\n1 ;x\r\n!\r\n0\r\nX-Trailer: t\r\nY:\r\n\r\n",
            headers: [.init("Transfer-Encoding", "Chunked")],
            body: "hi 0123456\r\n!"
        ),
        Answer(
            name: "chunked, empty",
            text: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
            headers: [.init("Transfer-Encoding", "chunked")]
        ),
        Answer(
            name: "behind interim answers",
            text: "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: <a>\r\n\r\n"
                + "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi",
            headers: [.init("Content-Length", "2")],
            body: "hi"
        ),
        Answer(
            name: "to HEAD",
            text: "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n",
            isForHead: true,
            headers: [.init("Content-Length", "5")]
        ),
        Answer(name: "204", text: "HTTP/1.1 204 No Content\r\n\r\n", status: 204),
        Answer(
            name: "304",
            text: "HTTP/1.1 304 Not Modified\r\nContent-Length: 9\r\n\r\n",
            status: 304,
            headers: [.init("Content-Length", "9")]
        ),
        Answer(
            name: "until the end",
            text: "HTTP/1.1 200 OK\r\nA: b\r\n\r\nall of it\r\n\r\n",
            isEnded: true,
            headers: [.init("A", "b")],
            body: "all of it\r\n\r\n",
            mayBeReused: false
        ),
        Answer(
            name: "until the end, nothing",
            text: "HTTP/1.0 200 OK\r\n\r\n",
            isEnded: true,
            mayBeReused: false
        ),
        Answer(
            name: "of 1.0",
            text: "HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\nhi",
            headers: [.init("Content-Length", "2")],
            body: "hi",
            mayBeReused: false
        ),
        Answer(
            name: "of 1.0, kept alive",
            text: "HTTP/1.0 200 OK\r\nConnection: Keep-Alive\r\nContent-Length: 2\r\n\r\nhi",
            headers: [.init("Connection", "Keep-Alive"), .init("Content-Length", "2")],
            body: "hi"
        ),
        Answer(
            name: "of 1.1, closed",
            text: "HTTP/1.1 200 OK\r\nConnection: te ,, CLOSE\r\nContent-Length: 2\r\n\r\nhi",
            headers: [.init("Connection", "te ,, CLOSE"), .init("Content-Length", "2")],
            body: "hi",
            mayBeReused: false
        ),
        Answer(
            name: "with text beyond ASCII",
            text: "HTTP/1.1 200 Sí\r\nX: ü ☕︎\r\nContent-Length: 2\r\n\r\nü",
            headers: [.init("X", "ü ☕︎"), .init("Content-Length", "2")],
            body: "ü"
        ),
    ]

    @Test(arguments: [
        ("Keep-Alive: timeout=5, max=100", 5), ("keep-alive:max=9,TIMEOUT=60", 60), ("Keep-Alive: timeout=0", 0),
        ("Keep-Alive: timeout=99999999", 1_000_000), ("Keep-Alive: timeout=", nil), ("Keep-Alive: timeout=5s", nil),
        ("Keep-Alive: timeout=-1", nil), ("Keep-Alive: 5", nil), ("Keep-Alive: timeout=99999999999999999999", nil),
        ("X-Keep-Alive: timeout=5", nil), ("Keep-Alive:", nil),
    ])
    func `the server's time for idle connections is parsed`(line: String, seconds: Int?) {
        var parser = ResponseParser.read("HTTP/1.1 200 OK\r\n\(line)\r\nContent-Length: 0\r\n\r\n")
        #expect(parser.state == .whole)
        #expect(parser.keptSeconds == seconds)
        parser.begin(isForHead: false)
        #expect(parser.keptSeconds == nil)
    }

    @Test(arguments: answers)
    func `an answer is parsed wherever it is split`(answer: Answer) {
        let bytes = Array(answer.text.utf8)
        var cuts = (0...bytes.count).map { [bytes[..<$0], bytes[$0...]] }
        cuts.append(bytes.indices.map { bytes[$0...$0] })
        cuts.append(stride(from: 0, to: bytes.count, by: 3).map { bytes[$0..<min($0 + 3, bytes.count)] })
        for pieces in cuts {
            var parser = ResponseParser.read(pieces, isForHead: answer.isForHead, isEnded: answer.isEnded)

            #expect(parser.state == .whole, "cut into \(pieces.map(\.count))")
            #expect(parser.mayBeReused == answer.mayBeReused)
            let response = parser.removeResponse()
            #expect(response.status == answer.status)
            #expect(response.headers == answer.headers)
            #expect(response.body == Array(answer.body.utf8))
        }
    }

    @Test(arguments: answers)
    func `half an answer is not an answer`(answer: Answer) {
        let bytes = Array(answer.text.utf8)
        // An answer without a length is complete at any end after its body has begun.
        let last = answer.isEnded ? (answer.text.utf8.count - answer.body.utf8.count) : bytes.count
        for count in 0..<last {
            var parser = ResponseParser.read([bytes[..<count]], isForHead: answer.isForHead)
            #expect(parser.state == (count == 0 ? .expected : .partial), "after \(count) bytes")
            #expect(!parser.mayBeReused)

            parser.parseEnd()

            #expect(parser.state == .refused(.cutOff), "after \(count) bytes")
            #expect(!parser.mayBeReused)
        }
    }

    @Test(arguments: answers.filter { !$0.isEnded })
    func `bytes after an answer are not part of it, and end the connection`(answer: Answer) {
        let bytes = Array(answer.text.utf8)
        var alone = ResponseParser.read([bytes[...]], isForHead: answer.isForHead)
        let expected = alone.removeResponse()
        for pieces in [[(bytes + [0x48])[...]], [bytes[...], [0x48]]] {
            var parser = ResponseParser.read(pieces, isForHead: answer.isForHead)

            #expect(parser.state == .whole)
            #expect(!parser.mayBeReused)
            #expect(parser.removeResponse() == expected)
        }
    }

    @Test(arguments: [
        "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nX-Request-Name:\tabc d\r\nY:\r\nX_1: \r\n\r\nhi",
        "HTTP/1.1 200\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\nX-Trailer: t\r\nY:\r\n\r\n",
    ])
    func `an answer is accepted or refused alike in one piece and byte by byte`(text: String) {
        let text = Array(text.utf8)
        for place in text.indices {
            for byte in [0, 9, 10, 13, 32, 33, 48, 58, 65, 95, 126, 127, 128, 255] as [UInt8] {
                var bytes = text
                bytes[place] = byte

                var whole = ResponseParser.read([bytes[...]])
                var cut = ResponseParser.read(bytes.indices.map { bytes[$0...$0] })
                #expect(whole.state == cut.state, "\(bytes)")
                #expect(whole.mayBeReused == cut.mayBeReused, "\(bytes)")
                #expect(whole.removeResponse() == cut.removeResponse(), "\(bytes)")
            }
        }
    }

    @Test func `one answer is parsed after the other`() {
        var parser = ResponseParser(maximumBytes: 200)
        for round in 0..<3 {
            for answer in Self.answers where !answer.isEnded {
                parser.begin(isForHead: answer.isForHead)
                #expect(parser.state == .expected)
                parser.parse(Array(answer.text.utf8).span)

                #expect(parser.state == .whole, "\(answer.name) in round \(round)")
                #expect(parser.removeResponse().body == Array(answer.body.utf8))
            }
        }
    }

    @Test func `an answer may have the maximum size and not more`() {
        for answer in Self.answers {
            let count = answer.text.utf8.count
            func state(_ maximum: Int) -> ResponseParser.State {
                ResponseParser.read(
                    answer.text,
                    isForHead: answer.isForHead,
                    maximumBytes: maximum,
                    isEnded: answer.isEnded
                ).state
            }

            #expect(state(count) == .whole, "\(answer.name)")
            #expect(state(count - 1) == .refused(.tooLarge), "\(answer.name)")
        }
    }

    @Test func `parsing takes time in proportion to the input, not to the number of its pieces`() {
        let field = "X-Filler: " + String(repeating: "y", count: 50_000) + "\r\n"
        let chunks = String(repeating: "1;a\r\nz\r\n", count: 50_000)
        let text = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\(field)\r\n\(chunks)0\r\n\(field)\r\n"
        let bytes = Array(text.utf8)

        var parser = ResponseParser.read(bytes.indices.map { bytes[$0...$0] })

        #expect(parser.state == .whole)
        #expect(parser.removeResponse().body.count == 50_000)
    }
}
