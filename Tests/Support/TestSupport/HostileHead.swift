/// The bytes of a connection that two parsers of HTTP may interpret differently, and the outcome that a server must
/// produce.
///
/// Every case ends with a valid request that asks for the end of the connection.
package struct HostileHead: Sendable, CustomStringConvertible {
    /// The correct outcome.
    package enum Outcome: Sendable {
        /// A refusal (4xx or 5xx) or no answer, then the end of the connection.
        case refused
        /// All requests that ``StrictRequestReader`` reads are answered, and no others.
        case served
        /// As ``refused`` or as ``served``: versions of libmicrohttpd differ, and both are right.
        case refusedOrServed
        /// One answer, then the end of the connection. The following bytes are not read as a request.
        case last
    }

    package let name: String
    package let outcome: Outcome
    package let bytes: [UInt8]
    /// Whether the server may accept the body, although ``StrictRequestReader`` refuses it.
    package var isLenient = false

    package var description: String { name }

    /// The addresses of a server that the cases use.
    package struct Site: Sendable {
        package var get: String
        package var post: String

        package init(get: String, post: String) {
            self.get = get
            self.post = post
        }
    }

    /// All cases.
    ///
    /// - Parameter site: The server's addresses.
    /// - Returns: The cases in a fixed order.
    package static func all(at site: Site) -> [HostileHead] {
        let writer = Writer(site: site)
        return writer.lengths + writer.codings + writer.lines + writer.names + writer.requestLines + writer.targets
            + writer.hosts + writer.chunks + writer.sound + writer.sizes
    }
}

/// Writes the cases for a server.
private struct Writer {
    let site: HostileHead.Site

    /// The head of a POST without its end.
    private var postHead: String { "POST \(site.post) HTTP/1.1\r\nHost: x\r\n" }
    private var getHead: String { "GET \(site.get) HTTP/1.1\r\nHost: x\r\n" }
    /// A request within a body, which must not be served.
    private var smuggled: String { getHead + "\r\n" }
    private var last: String { getHead + "Connection: close\r\n\r\n" }
    private var length: Int { smuggled.utf8.count }

    private func bytes(_ text: String) -> [UInt8] { Array((text + last).utf8) }

    private func refused(_ name: String, _ text: String) -> HostileHead {
        HostileHead(name: name, outcome: .refused, bytes: bytes(text))
    }

    private func served(_ name: String, _ text: String) -> HostileHead {
        HostileHead(name: name, outcome: .served, bytes: bytes(text))
    }

    private func last(_ name: String, _ text: String, isLenient: Bool = false) -> HostileHead {
        HostileHead(name: name, outcome: .last, bytes: bytes(text), isLenient: isLenient)
    }

    var lengths: [HostileHead] {
        [
            refused(
                "a length and a coding",
                postHead + "Content-Length: \(5 + length)\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n" + smuggled
            ),
            refused(
                "a coding and a length",
                postHead + "Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n" + smuggled
            ),
            refused("lengths 0 and n", postHead + "Content-Length: 0\r\nContent-Length: \(length)\r\n\r\n" + smuggled),
            refused("lengths n and 0", postHead + "Content-Length: \(length)\r\nContent-Length: 0\r\n\r\n" + smuggled),
            refused("the same length twice", postHead + "Content-Length: 5\r\nContent-Length: 5\r\n\r\nhello"),
            refused("a length in another case", postHead + "Content-Length: 5\r\ncontent-length: 0\r\n\r\nhello"),
            refused("a list of lengths", postHead + "Content-Length: 5, 5\r\n\r\nhello"),
            refused("a length with a plus", postHead + "Content-Length: +5\r\n\r\nhello"),
            refused("a negative length", postHead + "Content-Length: -5\r\n\r\nhello"),
            refused("a hexadecimal length", postHead + "Content-Length: 0x5\r\n\r\nhello"),
            refused("a length with letters", postHead + "Content-Length: 5abc\r\n\r\nhello"),
            refused("a length with a point", postHead + "Content-Length: 5.0\r\n\r\nhello"),
            refused("a length with an underscore", postHead + "Content-Length: 1_0\r\n\r\nhello"),
            refused("a length with a blank", postHead + "Content-Length: 5 5\r\n\r\nhello"),
            refused("an empty length", postHead + "Content-Length:\r\n\r\n" + smuggled),
            refused("a length of other digits", postHead + "Content-Length: ٥\r\n\r\nhello"),
            refused("a length of 20 digits", postHead + "Content-Length: 99999999999999999999\r\n\r\nhello"),
            refused("a length beyond 63 bits", postHead + "Content-Length: 9223372036854775808\r\n\r\nhello"),
            refused("a length beyond 64 bits", postHead + "Content-Length: 18446744073709551617\r\n\r\nhello"),
        ]
    }

    var codings: [HostileHead] {
        func coding(_ name: String, _ value: String) -> HostileHead {
            refused(name, postHead + "Transfer-Encoding:\(value)\r\n\r\n0\r\n\r\n" + smuggled)
        }
        return [
            coding("two codings", " gzip, chunked"), coding("a coding after chunked", " chunked, gzip"),
            coding("chunked in a list, twice", " chunked, chunked"), coding("an unknown coding", " xchunked"),
            coding("chunked with a parameter", " chunked;q=1"), coding("chunked in quotes", " \"chunked\""),
            coding("an empty coding", ""), coding("the coding identity", " identity"),
            coding("chunked after a VT", " \u{B}chunked"), coding("chunked after a NUL", " \0chunked"),
            coding("chunked before a NUL", " chunked\0"), coding("chunked with a no-break space", "\u{A0}chunked"),
            coding("two fields of codings", " chunked\r\nTransfer-Encoding: identity"),
            coding("chunked twice", " chunked\r\nTransfer-Encoding: chunked"),
            refused(
                "identity beside a length",
                postHead + "Transfer-Encoding: identity\r\nContent-Length: 5\r\n\r\nhello"
            ),
            refused(
                "chunked in HTTP/1.0",
                "POST \(site.post) HTTP/1.0\r\nHost: x\r\nConnection: keep-alive\r\nTransfer-Encoding: chunked\r\n\r\n"
                    + "0\r\n\r\n" + smuggled
            ),
            last("chunked in capitals", postHead + "Transfer-Encoding: CHUNKED\r\n\r\n0\r\n\r\n" + smuggled),
            last("chunked before a blank", postHead + "Transfer-Encoding: chunked \r\n\r\n0\r\n\r\n" + smuggled),
            last("chunked after a tab", postHead + "Transfer-Encoding:\tchunked\r\n\r\n0\r\n\r\n" + smuggled),
        ]
    }

    var lines: [HostileHead] {
        [
            refused("bare LF everywhere", "GET \(site.get) HTTP/1.1\nHost: x\n\n"),
            refused("bare LF after the request line", "GET \(site.get) HTTP/1.1\nHost: x\r\n\r\n"),
            refused("bare LF after a field", "GET \(site.get) HTTP/1.1\r\nHost: x\nX: y\r\n\r\n"),
            refused("bare LF after the last field", "GET \(site.get) HTTP/1.1\r\nHost: x\n\r\n"),
            refused("bare LF at the end of the head", "GET \(site.get) HTTP/1.1\r\nHost: x\r\n\n"),
            refused("bare LF before a length", getHead + "X: a\nContent-Length: \(length)\r\n\r\n" + smuggled),
            refused("LF before CR", "GET \(site.get) HTTP/1.1\n\rHost: x\n\r\n\r"),
            refused("bare CR before a length", getHead + "X: a\rContent-Length: \(length)\r\n\r\n" + smuggled),
            refused("two CR", getHead + "X: a\r\r\n\r\n"), refused("bare CR in a name", getHead + "X\rY: a\r\n\r\n"),
            refused("a NUL in a value", getHead + "X: a\0b\r\n\r\n"),
            refused("a NUL after a value", getHead + "X: a\0\r\n\r\n"),
            refused("a NUL for a value", getHead + "X:\0\r\n\r\n"),
            refused("a NUL and a bare LF, which make up for each other", getHead + "X: a\0\r\nY: b\nZ: c\r\n\r\n"),
            refused("a NUL before a colon", getHead + "X\0: a\r\n\r\n"),
            refused("a folded line", getHead + "X: a\r\n Content-Length: \(length)\r\n\r\n" + smuggled),
            refused("a line folded with a tab", getHead + "X: a\r\n\tContent-Length: \(length)\r\n\r\n" + smuggled),
            refused("an empty folded line", getHead + "X: a\r\n \r\n\r\n"),
            refused("a folded first line", "GET \(site.get) HTTP/1.1\r\n Host: x\r\nHost: x\r\n\r\n"),
            refused("a folded last line", postHead + "Content-Length: 0\r\n 5\r\n\r\nhello"),
            refused("a line without a colon", getHead + "FOO\r\n\r\n"),
            refused("DEL in a value", getHead + "X: a\u{7F}\r\n\r\n"),
            refused("ESC in a value", getHead + "X: \u{1B}[31m\r\n\r\n"),
            refused("BEL in the host", "GET \(site.get) HTTP/1.1\r\nHost: x\u{7}\r\n\r\n"),
        ]
    }

    var names: [HostileHead] {
        let body = ": \(length)\r\n\r\n" + smuggled
        return [
            refused("a blank before the colon", postHead + "Content-Length " + body),
            refused("a tab before the colon", postHead + "Content-Length\t" + body),
            refused("a VT before the colon", postHead + "Content-Length\u{B}" + body),
            refused("a blank before the first name", "POST \(site.post) HTTP/1.1\r\n Content-Length" + body),
            refused("a blank within a name", postHead + "Content Length" + body),
            refused("a colon before a name", postHead + ":Content-Length" + body),
            refused("an empty name", getHead + ": x\r\n\r\n"), refused("a name of a blank", getHead + " : x\r\n\r\n"),
            refused("a name in brackets", getHead + "X(Y): a\r\n\r\n"),
            refused("a name with a slash", getHead + "X/Y: a\r\n\r\n"),
            refused("a name in quotes", getHead + "\"X\": a\r\n\r\n"),
            refused("a name with an accent", getHead + "Xé: a\r\n\r\n"),
            refused(
                "a blank before the coding's colon",
                postHead + "Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n" + smuggled
            ),
            served(
                "a length with an underscore in its name",
                postHead + "Content_Length: \(length)\r\n\r\n" + smuggled
            ),
        ]
    }

    var requestLines: [HostileHead] {
        func line(_ name: String, _ line: String) -> HostileHead { refused(name, line + "\r\nHost: x\r\n\r\n") }
        let target = site.get
        return [
            line("two blanks after the method", "GET  \(target) HTTP/1.1"),
            line("two blanks after the target", "GET \(target)  HTTP/1.1"),
            line("a blank after the version", "GET \(target) HTTP/1.1 "),
            line("a blank before the method", " GET \(target) HTTP/1.1"),
            line("tabs for blanks", "GET\t\(target)\tHTTP/1.1"),
            line("a tab before the target", "GET \t\(target) HTTP/1.1"),
            line("no version", "GET \(target)"), line("no target", "GET HTTP/1.1"), line("a method alone", "GET"),
            line("HTTP/1.2", "GET \(target) HTTP/1.2"), line("HTTP/2.0", "GET \(target) HTTP/2.0"),
            line("HTTP/0.9", "GET \(target) HTTP/0.9"), line("HTTP/1.10", "GET \(target) HTTP/1.10"),
            line("HTTP/01.1", "GET \(target) HTTP/01.1"), line("http/1.1", "GET \(target) http/1.1"),
            line("another protocol", "GET \(target) ICY/1.1"),
            line("letters after the version", "GET \(target) HTTP/1.1x"),
            line("a NUL after the version", "GET \(target) HTTP/1.1\0"),
            line("a NUL in the method", "GE\0T \(target) HTTP/1.1"),
            line("a method that is not a token", "G@T(/ \(target) HTTP/1.1"),
            line("a method with an accent", "GÉT \(target) HTTP/1.1"),
            refused("the preface of HTTP/2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"),
        ]
    }

    var targets: [HostileHead] {
        func target(_ name: String, _ target: String, method: String = "GET") -> HostileHead {
            refused(name, "\(method) \(target) HTTP/1.1\r\nHost: x\r\n\r\n")
        }
        return [
            target("CONNECT", "x:1", method: "CONNECT"), target("CONNECT to a path", "/a", method: "CONNECT"),
            target("a target without a slash", "a"), target("* with another method", "*"),
            target("a host for a target", "x:80"), target("a blank in the target", "/a b"),
            target("a NUL in the target", "/a\0b"), target("a NUL after the target", "\(site.get)\0"),
            target("DEL in the target", "/a\u{7F}"), target("letters beyond ASCII in the target", "/é"),
            target("a fragment", "\(site.get)#a"), target("a URL without a host", "http:///a"),
            target("a URL with a user", "http://a@x/"), target("a URL of another scheme", "ftp://x/a"),
            target("a URL with a control", "http://x\u{1}/a"), target("a query alone", "?a"),
        ]
    }

    var hosts: [HostileHead] {
        func host(_ name: String, _ fields: String) -> HostileHead {
            refused(name, "GET \(site.get) HTTP/1.1\r\n\(fields)\r\n")
        }
        return [
            host("no host", ""), host("two hosts", "Host: x\r\nHost: evil\r\n"),
            host("a host twice", "Host: x\r\nHost: x\r\n"),
            host("a list of hosts", "Host: x, evil\r\n"), host("a host with a blank", "Host: x evil\r\n"),
            host("a host with a path", "Host: x/a\r\n"), host("a host with a user", "Host: a@x\r\n"),
            host("an open bracket", "Host: [::1\r\n"), host("a bracket with letters", "Host: [evil]\r\n"),
            host("text after a bracket", "Host: [::1]evil\r\n"), host("a port of letters", "Host: x:http\r\n"),
            host("two ports", "Host: x:1:2\r\n"), host("a host with a backslash", "Host: x\\evil\r\n"),
            host("a blank before the host's colon", "Host : x\r\n"),
        ]
    }

    var chunks: [HostileHead] {
        func chunked(_ name: String, _ body: String, isLenient: Bool = false) -> HostileHead {
            last(name, postHead + "Transfer-Encoding: chunked\r\n\r\n" + body + smuggled, isLenient: isLenient)
        }
        return [
            chunked("an extension of a chunk", "5;a=b\r\nhello\r\n0\r\n\r\n"),
            chunked("fields after the chunks", "5\r\nhello\r\n0\r\nX: y\r\n\r\n"),
            chunked("a length after the chunks", "5\r\nhello\r\n0\r\nContent-Length: 0\r\n\r\n"),
            // libmicrohttpd 0.9.75 accepts these. They are harmless because nothing follows on the connection.
            chunked("bare LF between chunks", "5\nhello\n0\n\n", isLenient: true),
            chunked("bare LF after an extension", "5;a\nhello\r\n0\r\n\r\n", isLenient: true),
            chunked("bare CR in an extension", "5;a\rb\r\nhello\r\n0\r\n\r\n", isLenient: true),
            chunked("bare LF after the chunks", "5\r\nhello\r\n0\r\n\n", isLenient: true),
            chunked("folded fields after the chunks", "0\r\nX: y\r\n z\r\n\r\n", isLenient: true),
            chunked("no line end after a chunk", "5\r\nhelloXX0\r\n\r\n"),
            chunked("a chunk of 0x5", "0x5\r\nhello\r\n0\r\n\r\n"),
            chunked("a negative chunk", "-5\r\nhello\r\n0\r\n\r\n"),
            chunked("a chunk with a plus", "+5\r\nhello\r\n0\r\n\r\n"),
            chunked("a chunk beyond 64 bits", "10000000000000005\r\nhello\r\n0\r\n\r\n"),
            chunked("a chunk with a blank", "5 \r\nhello\r\n0\r\n\r\n"),
            chunked("a chunk without a size", "\r\nhello\r\n0\r\n\r\n"),
            chunked("a line without a colon after the chunks", "0\r\nX\r\n\r\n"),
        ]
    }

    var sound: [HostileHead] {
        let body = "Content-Length: \(length)\r\n\r\n" + smuggled
        return [
            served("three requests at once", smuggled + smuggled + smuggled),
            served("a request within a body", postHead + body),
            served("a GET with a body", getHead + body),
            served("a name in capitals", postHead + body.replacing("Length", with: "LENGTH")),
            served("an empty line before a request", "\r\n" + smuggled),
            HostileHead(
                name: "two empty lines before a request",
                outcome: .refusedOrServed,
                bytes: bytes("\r\n\r\n" + smuggled)
            ),
            served("a length of 0", postHead + "Content-Length: 0\r\n\r\n"),
            served("a length with zeros before it", postHead + "Content-Length: 005\r\n\r\nhello"),
            served("blanks before values", getHead + "X: \t a\r\n\r\n"),
            served("an empty value", getHead + "X:\r\nY: \r\n\r\n"),
            served("a host with a port", "GET \(site.get) HTTP/1.1\r\nHost: x:8080\r\n\r\n"),
            served("a host in brackets", "GET \(site.get) HTTP/1.1\r\nHost: [::1]:8080\r\n\r\n"),
            served("a URL for a target", "GET http://x\(site.get) HTTP/1.1\r\nHost: x\r\n\r\n"),
            served("OPTIONS *", "OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n"),
            served("HTTP/1.0 without a host", "GET \(site.get) HTTP/1.0\r\n\r\n"),
            served("an upgrade to HTTP/2", getHead + "Connection: Upgrade\r\nUpgrade: h2c\r\n\r\n"),
            served("letters beyond ASCII in a value", getHead + "X: é\r\n\r\n"),
        ]
    }

    var sizes: [HostileHead] {
        [
            refused("a long field", getHead + "X: " + String(repeating: "a", count: 20_000) + "\r\n\r\n"),
            refused("many fields", getHead + String(repeating: "A:b\r\n", count: 2000) + "\r\n"),
            refused("a long target", "GET /" + String(repeating: "a", count: 20_000) + " HTTP/1.1\r\nHost: x\r\n\r\n"),
            refused(
                "a body beyond any limit",
                postHead + "Content-Length: 99999999\r\n\r\n" + String(repeating: "x", count: 100)
            ),
        ]
    }
}

extension HostileHead {
    /// Compares a server's answers with the correct outcome.
    ///
    /// - Parameters:
    ///   - received: All bytes until the end of the connection.
    ///   - isEcho: Whether an answer of 200 repeats method, target and body, separated by blanks.
    /// - Returns: A sentence, or `nil` if the answers are correct.
    package func problem(with received: String, isEcho: Bool = false) -> String? {
        guard let answers = RawAnswers.split(received) else { return "the answers cannot be read: \(received)" }
        let read = StrictRequestReader.read(bytes)
        let statuses = answers.map(\.status)
        let isRefusal = answers.count <= 1 && statuses.allSatisfy { 400...599 ~= $0 }
        switch outcome {
        case .refused:
            guard isRefusal else { return "answered with \(statuses)" }
        case .last:
            guard answers.count <= 1 else { return "answered with \(statuses)" }
            guard isEcho, !isLenient, statuses == [200] else { return nil }
            guard answers[0].body == read.requests.first?.echo else { return "read as \(answers[0].body)" }
        case .refusedOrServed where isRefusal: break
        case .served, .refusedOrServed:
            guard read.end == .closed else { return "the strict reader refuses it" }
            guard statuses.count == read.requests.count else {
                return "answered with \(statuses), where the strict reader has \(read.requests.count) requests"
            }
            guard isEcho else { return nil }
            guard answers.map(\.body) == read.requests.map(\.echo) else { return "read as \(answers.map(\.body))" }
        }
        return nil
    }
}

extension StrictRequestReader.Request {
    /// The text with which a server repeats it.
    fileprivate var echo: String { "\(method) \(target) \(body)" }
}
