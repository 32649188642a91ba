package import HTTPTransport

/// Writes requests of HTTP/1.1 (RFC 9112, sections 3 and 6).
package enum RequestWriter {
    /// Appends a request up to its body: the lines and the blank one behind them.
    ///
    /// The caller's headers stand as they are, behind `Host` and `User-Agent` where it brings none, and before
    /// `Content-Length`, which requests with a body have, and those of a method that usually has one.
    ///
    /// - Parameters:
    ///   - request: What to send.
    ///   - framing: Of this request.
    ///   - address: Of this request's URL.
    ///   - agentLine: `User-Agent: name` with its line end.
    ///   - buffer: Where to append.
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

    /// Appends a number that is not negative.
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
    /// Whether a request without a body says so (`Content-Length: 0`; RFC 9110, section 8.6).
    fileprivate var usuallyHasBody: Bool {
        self == .post || self == .put || self == .patch
    }
}
