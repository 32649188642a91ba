package import NewsflashHTTPTransport

/// Encodes HTTP/1.1 requests (RFC 9112, sections 3 and 6).
package enum RequestWriter {
    /// Appends a request without its body: its lines and the blank line.
    ///
    /// The caller's headers are not changed. `Host` and `User-Agent` precede them unless the caller gave them. `Content-Length`
    /// follows if the request has a body or if its method usually has one.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - framing: The framing of this request.
    ///   - address: The address of this request's URL.
    ///   - agentLine: `User-Agent: name` with its line end.
    ///   - buffer: The target.
    package static func appendHead(
        of request: HTTPRequest,
        framing: RequestFraming,
        address: RequestAddress,
        agentLine: [UInt8],
        to buffer: inout [UInt8]
    ) {
        buffer.append(contentsOf: request.method.rawValue.utf8)
        if framing.bringsHost {
            buffer.append(contentsOf: address.lines[..<address.hostStart])
        } else {
            buffer.append(contentsOf: address.lines)
        }
        if !framing.bringsAgent { buffer.append(contentsOf: agentLine) }
        buffer.append(contentsOf: request.headers.wireForm)
        if !framing.bringsLength, !request.body.isEmpty || request.method.usuallyHasBody {
            buffer.append(contentsOf: "Content-Length: ".utf8)
            append(request.body.count, to: &buffer)
            buffer.append(contentsOf: "\r\n".utf8)
        }
        buffer.append(contentsOf: "\r\n".utf8)
    }

    /// Appends a non-negative number.
    private static func append(_ number: Int, to buffer: inout [UInt8]) {
        var divisor = 1
        while number / divisor > 9 { divisor *= 10 }
        while divisor > 0 {
            buffer.append(UInt8(ascii: "0") + UInt8(number / divisor % 10))
            divisor /= 10
        }
    }
}

extension HTTPMethod {
    /// Whether a request without a body needs `Content-Length: 0` (RFC 9110, section 8.6).
    fileprivate var usuallyHasBody: Bool {
        self == .post || self == .put || self == .patch
    }
}
