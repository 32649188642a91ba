import Dispatch
import Glibc
import NewsflashHTTPTransport

/// A connection to the loopback address that writes HTTP by hand, on its own thread.
struct PlainConnection {
    private struct Failure: Error {
        var call: String
    }

    /// Sends a request and reads the answer.
    ///
    /// - Returns: `nil` if the connection was cut before an answer.
    static func send(_ request: HTTPRequest, port: UInt16) async throws -> HTTPResponse? {
        let target = EmulatedRequestLine(request)
        let bytes = Array((target.head).utf8) + request.body
        let received = try await withCheckedThrowingContinuation { continuation in
            DispatchQueue.global().async { continuation.resume(with: Result { try exchange(bytes, port: port) }) }
        }
        return parse(received)
    }

    private static func exchange(_ request: [UInt8], port: UInt16) throws -> [UInt8] {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        guard descriptor >= 0 else { throw Failure(call: "socket") }
        defer { close(descriptor) }
        var limit = timeval(tv_sec: 20, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let connected = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard connected == 0 else { throw Failure(call: "connect") }
        var sent = 0
        while sent < request.count {
            let count = request[sent...].withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { throw Failure(call: "send") }
            sent += count
        }
        var received: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = recv(descriptor, &buffer, buffer.count, 0)
            // A cut may also come as a reset. Twenty seconds without a byte are a separate error.
            guard count >= 0 || errno != EAGAIN else { throw Failure(call: "recv") }
            guard count > 0 else { return received }
            received += buffer[..<count]
        }
    }

    private static func parse(_ bytes: [UInt8]) -> HTTPResponse? {
        let text = String(decoding: bytes, as: UTF8.self)
        guard let end = text.firstRange(of: "\r\n\r\n") else { return nil }
        let lines = text[..<end.lowerBound].split(separator: "\r\n")
        guard let status = lines.first?.split(separator: " ").dropFirst().first.flatMap({ Int($0) }) else { return nil }
        var headers: HTTPHeaders = []
        for line in lines.dropFirst() {
            let pair = line.split(separator: ":", maxSplits: 1)
            headers.append(String(pair[0]), String(pair[1].drop { $0 == " " }))
        }
        return HTTPResponse(status: status, headers: headers, body: Array(text[end.upperBound...].utf8))
    }
}

/// The head of a request on the wire.
private struct EmulatedRequestLine {
    let head: String

    init(_ request: HTTPRequest) {
        let afterScheme = request.url.drop { $0 != "/" }.dropFirst(2)
        let path = afterScheme.drop { $0 != "/" }
        let authority = afterScheme.prefix { $0 != "/" }
        var lines = ["\(request.method.rawValue) \(path) HTTP/1.1", "Host: \(authority)", "Connection: close"]
        lines.append("Content-Length: \(request.body.count)")
        lines += request.headers.fields.map { "\($0.name): \($0.value)" }
        self.head = lines.joined(separator: "\r\n") + "\r\n\r\n"
    }
}
