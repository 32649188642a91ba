import NewsflashHTTP1
import NewsflashHTTPTransport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct MalformedAnswerTests {
    private static let ok = "HTTP/1.1 200 OK\r\n"
    private static let chunked = ok + "Transfer-Encoding: chunked\r\n\r\n"

    static let answers: [(text: String, fault: InvalidResponseError)] = [
        ("SSH-2.0-OpenSSH_9.2\r\n", .statusLine), ("\r\nHTTP/1.1 200 OK\r\n\r\n", .statusLine),
        ("http/1.1 200 OK\r\n\r\n", .statusLine), ("HTTP 200 OK\r\n\r\n", .statusLine),
        ("HTTP/2 200\r\n\r\n", .version), ("HTTP/1.2 200 OK\r\n\r\n", .version), ("HTTP/11 200 OK\r\n\r\n", .version),
        ("HTTP/1.11 200 OK\r\n\r\n", .statusLine), ("HTTP/1.1  200 OK\r\n\r\n", .statusLine),
        ("HTTP/1.1\t200 OK\r\n\r\n", .statusLine), ("HTTP/1.1 20 OK\r\n\r\n", .statusLine),
        ("HTTP/1.1 2000 OK\r\n\r\n", .statusLine), ("HTTP/1.1 099 OK\r\n\r\n", .statusLine),
        ("HTTP/1.1 -20 OK\r\n\r\n", .statusLine), ("HTTP/1.1 200OK\r\n\r\n", .statusLine),
        ("HTTP/1.1 200 O\0K\r\n\r\n", .statusLine), ("HTTP/1.1 200 OK\n\n", .lineEnd),
        ("HTTP/1.1 200 OK\rX", .lineEnd),
        ("HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n", .switchedProtocols),

        (ok + "A: b\n\r\n", .lineEnd), (ok + "A: b\rC: d\r\n", .lineEnd), (ok + "A: b\r\n\n", .lineEnd),
        (ok + "A: b\r\n\rX", .lineEnd), (ok + "\n", .lineEnd),
        (ok + "A: b\r\n c\r\n\r\n", .fieldName), (ok + "A: b\r\n\tc\r\n\r\n", .fieldName),
        (ok + " A: b\r\n\r\n", .fieldName), (ok + "A : b\r\n\r\n", .fieldName), (ok + "A\t: b\r\n\r\n", .fieldName),
        (ok + ": b\r\n\r\n", .fieldName), (ok + "A\r\n\r\n", .fieldName), (ok + "A B: c\r\n\r\n", .fieldName),
        (ok + "Ä: c\r\n\r\n", .fieldName), (ok + "A\0: c\r\n\r\n", .fieldName),
        (ok + "A: b\0\r\n\r\n", .fieldValue), (ok + "A: \u{1}\r\n\r\n", .fieldValue),
        (ok + "A: \u{7f}\r\n\r\n", .fieldValue),
        (ok + "A: " + String(repeating: "x", count: 70_000), .sectionTooLarge),
        (ok + String(repeating: "A: b\r\n", count: 11_000), .sectionTooLarge),

        (ok + "Content-Length: \r\n\r\n", .contentLength), (ok + "Content-Length: x\r\n\r\n", .contentLength),
        (ok + "Content-Length: -1\r\n\r\n", .contentLength), (ok + "Content-Length: +1\r\n\r\n", .contentLength),
        (ok + "Content-Length: 0x1\r\n\r\n", .contentLength), (ok + "Content-Length: 1.0\r\n\r\n", .contentLength),
        (ok + "Content-Length: 1 1\r\n\r\n", .contentLength), (ok + "Content-Length: 1, 1\r\n\r\n", .contentLength),
        (ok + "Content-Length: ١\r\n\r\n", .contentLength),
        (ok + "Content-Length: 1\r\nContent-Length: 2\r\n\r\n", .contentLength),
        (ok + "Content-Length: 99999999999999999999999999\r\n\r\n", .tooLarge),
        (ok + "Content-Length: 9223372036854775807\r\n\r\n", .tooLarge),
        (ok + "Content-Length: 1048577\r\n\r\n", .tooLarge),
        ("HTTP/1.1 100 Continue\r\nContent-Length: x\r\n\r\n", .contentLength),

        (ok + "Transfer-Encoding: chunked\r\nContent-Length: 1\r\n\r\n", .twoLengths),
        (ok + "Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n", .twoLengths),
        (ok + "Transfer-Encoding: gzip\r\n\r\n", .transferEncoding),
        (ok + "Transfer-Encoding: gzip, chunked\r\n\r\n", .transferEncoding),
        (ok + "Transfer-Encoding: chunked, chunked\r\n\r\n", .transferEncoding),
        (ok + "Transfer-Encoding: chunked;a=b\r\n\r\n", .transferEncoding),
        (ok + "Transfer-Encoding: \r\n\r\n", .transferEncoding),
        (ok + "Transfer-Encoding: xchunked\r\n\r\n", .transferEncoding),
        (ok + "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n", .transferEncoding),
        ("HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", .transferEncoding),

        (chunked + "\r\n", .chunkSize), (chunked + "g\r\n", .chunkSize), (chunked + "-1\r\n", .chunkSize),
        (chunked + "0x1\r\n", .chunkSize), (chunked + " 1\r\n", .chunkSize), (chunked + "1 \r\n", .chunkSize),
        (chunked + "1 2\r\n", .chunkSize), (chunked + ";a\r\n", .chunkSize), (chunked + "1;a\nb", .chunkSize),
        (chunked + "1;a\0\r\n", .chunkSize), (chunked + "1\n", .lineEnd), (chunked + "1\rx", .lineEnd),
        (chunked + "1;" + String(repeating: "a", count: 2000), .chunkSize),
        (chunked + "7fffffffffffffff\r\n", .tooLarge), (chunked + "ffffffffffffffff\r\n", .tooLarge),
        (chunked + "10000000000000000\r\n", .tooLarge), (chunked + "100001\r\n", .tooLarge),
        (chunked + "1\r\nab", .chunkEnd), (chunked + "1\r\na\n", .chunkEnd), (chunked + "1\r\na\rb", .chunkEnd),
        (chunked + "0\r\nA : b\r\n\r\n", .fieldName), (chunked + "0\r\n A: b\r\n\r\n", .fieldName),
        (chunked + "0\r\nA: b\n\r\n", .lineEnd),
        (chunked + "0\r\n" + String(repeating: "A: b\r\n", count: 11_000), .sectionTooLarge),
    ]

    @Test(arguments: answers)
    func `an answer with two possible meanings is refused`(text: String, fault: InvalidResponseError) {
        let bytes = Array(text.utf8)

        #expect(ResponseParser.read([bytes[...]]).state == .refused(fault))
        #expect(ResponseParser.read(bytes.indices.map { bytes[$0...$0] }).state == .refused(fault))
        #expect(!"\(fault)".isEmpty)
    }

    @Test func `a refused answer stays refused`() {
        var parser = ResponseParser.read("HTTP/1.1 200 OK\n")
        parser.parse(Array("\r\nContent-Length: 0\r\n\r\n".utf8).span)
        parser.parseEnd()

        #expect(parser.state == .refused(.lineEnd))
    }

    @Test func `interim answers without an end are too large`() {
        var parser = ResponseParser(maximumBytes: 10_000)
        parser.begin(isForHead: false)
        let interim = Array("HTTP/1.1 100 Continue\r\n\r\n".utf8)
        var taken = 0
        while parser.state == .expected || parser.state == .partial {
            parser.parse(interim.span)
            taken += interim.count
        }

        #expect(parser.state == .refused(.tooLarge))
        #expect(taken <= 10_000 + interim.count)
    }
}
