import HTTPTransport
import Signing

/// A part of the console as browsers get it.
struct ConsoleFile: Sendable, Equatable {
    /// The media type, with the character set of text.
    let contentType: String
    let bytes: [UInt8]
    /// Changes with the content, so that a browser asks again and gets nothing anew.
    let etag: String

    /// What the page may do: load from here, speak with here and with a gateway that a reader signs in to, on this machine or
    /// over TLS; nothing else.
    private static let contentSecurityPolicy = [
        "default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self' data:",
        "connect-src 'self' http://127.0.0.1:* http://localhost:* https:",
        "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'",
    ].joined(separator: "; ")

    init(_ contentType: String, _ bytes: [UInt8]) {
        self.contentType = contentType
        self.bytes = bytes
        self.etag = "\"" + Base64.encode(Array(SHA256Digest.hash(of: bytes).prefix(12))) + "\""
    }

    /// The answer to a request: the file, or 304 for a browser that has it already.
    func answer(to request: EmulatedRequest) -> HTTPResponse {
        let headers: HTTPHeaders = [
            .init("Content-Type", contentType),
            .init("Content-Security-Policy", Self.contentSecurityPolicy),
            .init("X-Content-Type-Options", "nosniff"),
            .init("Referrer-Policy", "no-referrer"),
            .init("Cache-Control", "no-cache"),
            .init("ETag", etag),
        ]
        let known = request.headers["If-None-Match"]?.contains(etag) ?? false
        return known
            ? HTTPResponse(status: 304, headers: headers) : HTTPResponse(status: 200, headers: headers, body: bytes)
    }
}
