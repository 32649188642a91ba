import HTTPTransport
import Signing

/// A file of the console.
struct ConsoleFile: Sendable, Equatable {
    /// The media type, with the character set of text.
    let contentType: String
    let bytes: [UInt8]
    /// Changes with the content, so that a browser revalidates without downloading the file again.
    let etag: String

    /// The permissions of the page: load files from this origin, and connect to it and to a gateway on this machine or over
    /// TLS.
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

    /// Answers a request: with the file, or with 304 if the browser has it already.
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
