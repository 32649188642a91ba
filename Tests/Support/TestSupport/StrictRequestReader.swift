/// Reads requests from the bytes of a connection as strictly as RFC 9112 defines them, as a second opinion on their
/// ends.
///
/// It shares no code with the server. The only tolerance is that of section 2.2: empty lines before a request line are
/// skipped.
package struct StrictRequestReader {
    /// A parsed request.
    package struct Request: Sendable, Equatable {
        package var method: String
        package var target: String
        package var body: String
    }

    /// The end of the bytes.
    package enum End: Sendable {
        /// The rest is not a request.
        case refused
        /// The last request asks for the end of the connection.
        case closed
        /// More bytes are needed.
        case incomplete
    }

    private struct MalformedRequestError: Error {}
    private struct Incomplete: Error {}

    private var rest: ArraySlice<UInt8>

    /// Reads all requests.
    ///
    /// - Parameter bytes: The bytes of a connection.
    /// - Returns: The requests before the end, and the kind of end.
    package static func read(_ bytes: [UInt8]) -> (requests: [Request], end: End) {
        var reader = StrictRequestReader(rest: bytes[...])
        var requests: [Request] = []
        while true {
            do {
                let (request, closes) = try reader.request()
                requests.append(request)
                if closes { return (requests, .closed) }
            } catch is Incomplete {
                return (requests, .incomplete)
            } catch {
                return (requests, .refused)
            }
        }
    }

    private mutating func request() throws -> (Request, closes: Bool) {
        var start = try line()
        while start.isEmpty { start = try line() }
        let parts = start.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false).map { Array($0) }
        guard parts.count == 3, Self.isToken(parts[0]), Self.isTarget(parts[1], method: Self.text(parts[0])) else {
            throw MalformedRequestError()
        }
        let version = Self.text(parts[2])
        guard ["HTTP/1.1", "HTTP/1.0"].contains(version) else { throw MalformedRequestError() }
        let fields = try fields()
        func values(_ name: String) -> [String] { fields.filter { $0.name.lowercased() == name }.map(\.value) }
        let hosts = values("host")
        guard hosts.count == 1 || version == "HTTP/1.0" && hosts.isEmpty, hosts.allSatisfy(Self.isHost) else {
            throw MalformedRequestError()
        }
        let body: [UInt8]
        switch (values("content-length"), values("transfer-encoding")) {
        case ([], []): body = []
        case (let lengths, []):
            guard lengths.count == 1, !lengths[0].isEmpty, lengths[0].utf8.allSatisfy({ 0x30...0x39 ~= $0 }),
                let length = Int(lengths[0])
            else { throw MalformedRequestError() }
            body = try consume(length)
        case ([], let codings):
            guard codings.count == 1, codings[0].lowercased() == "chunked", version == "HTTP/1.1" else {
                throw MalformedRequestError()
            }
            body = try chunks()
        default: throw MalformedRequestError()
        }
        let options = values("connection").joined(separator: ",").lowercased()
        let closes = options.contains("close") || version == "HTTP/1.0" && !options.contains("keep-alive")
        return (Request(method: Self.text(parts[0]), target: Self.text(parts[1]), body: Self.text(body)), closes)
    }

    /// A line without its CR LF; no other CR, LF or NUL may be in it.
    private mutating func line() throws -> [UInt8] {
        guard let end = rest.firstIndex(of: 0x0A) else { throw Incomplete() }
        let line = rest[..<end]
        guard line.last == 0x0D else { throw MalformedRequestError() }
        let content = Array(line.dropLast())
        guard !content.contains(where: { $0 == 0x0D || $0 == 0 }) else { throw MalformedRequestError() }
        rest = rest[(end + 1)...]
        return content
    }

    private mutating func fields() throws -> [(name: String, value: String)] {
        var fields: [(name: String, value: String)] = []
        while true {
            let line = try line()
            if line.isEmpty { return fields }
            guard let colon = line.firstIndex(of: UInt8(ascii: ":")), Self.isToken(Array(line[..<colon])) else {
                throw MalformedRequestError()
            }
            let isBlank: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x09 }
            var value = line[(colon + 1)...].drop(while: isBlank)
            while let last = value.last, isBlank(last) { value = value.dropLast() }
            guard value.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }) else { throw MalformedRequestError() }
            fields.append((Self.text(Array(line[..<colon])), Self.text(Array(value))))
        }
    }

    private mutating func chunks() throws -> [UInt8] {
        var body: [UInt8] = []
        while true {
            let line = try line()
            let digits = line.prefix { $0 != UInt8(ascii: ";") }
            guard (1...15).contains(digits.count), let size = Int(Self.text(Array(digits)), radix: 16),
                digits.allSatisfy({ $0 != UInt8(ascii: "+") && $0 != UInt8(ascii: "-") })
            else { throw MalformedRequestError() }
            if size == 0 {
                _ = try fields()
                return body
            }
            body += try consume(size)
            guard try consume(2) == [0x0D, 0x0A] else { throw MalformedRequestError() }
        }
    }

    private mutating func consume(_ count: Int) throws -> [UInt8] {
        guard rest.count >= count else { throw Incomplete() }
        defer { rest = rest.dropFirst(count) }
        return Array(rest.prefix(count))
    }

    private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

    private static func isToken(_ bytes: [UInt8]) -> Bool {
        !bytes.isEmpty
            && bytes.allSatisfy { byte in
                let character = Character(Unicode.Scalar(byte))
                return byte < 0x80
                    && (character.isLetter || character.isNumber || "!#$%&'*+-.^_`|~".contains(character))
            }
    }

    private static func isTarget(_ bytes: [UInt8], method: String) -> Bool {
        let target = text(bytes)
        guard !bytes.isEmpty, method != "CONNECT",
            bytes.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "#") })
        else { return false }
        if target.hasPrefix("/") { return true }
        if target == "*" { return method == "OPTIONS" }
        let lower = target.lowercased()
        guard let scheme = ["http://", "https://"].first(where: { lower.hasPrefix($0) }) else { return false }
        let authority = String(target.dropFirst(scheme.count).prefix { $0 != "/" && $0 != "?" })
        return !authority.isEmpty && isHost(authority)
    }

    private static func isHost(_ text: String) -> Bool {
        if text.isEmpty { return true }
        let address = /\[[0-9A-Fa-f:.]+\](:[0-9]*)?/
        let name = /[A-Za-z0-9\-._~%!$&'()*+,;=]+(:[0-9]*)?/
        return text.wholeMatch(of: address) != nil || text.wholeMatch(of: name) != nil
    }
}
