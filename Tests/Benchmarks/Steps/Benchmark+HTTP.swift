import NewsflashHTTP1
import NewsflashHTTPTransport
import NewsflashPublishing
import NotificationHubs

extension Benchmark {
    /// The transport's work for a request except moving its bytes: encoding the request and parsing the answer.
    static var http: [Benchmark] {
        [
            each("http.request", of: { try $0.requests() }) { _ in
                let agentLine = Array("User-Agent: newsflash\r\n".utf8)
                var buffer: [UInt8] = []
                return { item in
                    let (request, address) = item
                    buffer.removeAll(keepingCapacity: true)
                    RequestWriter.appendHead(
                        of: request,
                        framing: try RequestFraming(request),
                        address: address,
                        agentLine: agentLine,
                        to: &buffer
                    )
                    buffer += request.body
                }
            },
            each("http.answer", of: { (0..<$0.count).map { HTTPResponse.accepted($0).wireForm } }) { _ in
                var parser = ResponseParser(maximumBytes: 1 << 20)
                return { bytes in
                    parser.begin(isForHead: false)
                    guard parser.parse(bytes.span) == .whole else { throw BenchmarkError("an answer cannot be read") }
                    blackHole(parser.removeResponse())
                }
            },
        ]
    }
}

extension Workload {
    /// A request for each send, with its parsed URL.
    fileprivate func requests() throws -> [(HTTPRequest, RequestAddress)] {
        let client = try client()
        return try orders().sends.map { order in
            let request = try client.request(for: order.message, to: .tags(order.expression))
            return (request, try RequestAddress(request.url))
        }
    }
}

extension HTTPResponse {
    /// The bytes of the answer on a connection.
    fileprivate var wireForm: [UInt8] {
        Array("HTTP/1.1 \(status) Created\r\n".utf8) + headers.wireForm + Array("\r\n".utf8) + body
    }
}
