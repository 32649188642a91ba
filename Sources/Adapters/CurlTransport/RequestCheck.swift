import HTTPTransport

/// Finds what must not reach the wire: anything that could end a line early, change the framing of the body, or carry
/// credentials in a URL.
enum RequestCheck {
    /// What makes the request impossible to send, or `nil`.
    static func problem(in request: HTTPRequest) -> String? {
        problem(inURL: request.url) ?? problem(inMethod: request.method) ?? problem(inHeadersOf: request)
    }

    private static func problem(inURL url: String) -> String? {
        let bytes = url.utf8
        guard bytes.allSatisfy({ $0 > 0x20 && $0 < 0x7f }) else {
            return "the URL holds a blank, a control or a character that is not percent-encoded"
        }
        let authorityStart: Int
        if bytes.starts(withLowercase: "https://") {
            authorityStart = 8
        } else if bytes.starts(withLowercase: "http://") {
            authorityStart = 7
        } else {
            return "the URL is not absolute with http or https"
        }
        let delimiters: [UInt8] = [UInt8(ascii: "/"), UInt8(ascii: "?"), UInt8(ascii: "#"), UInt8(ascii: "\\")]
        let authority = bytes.dropFirst(authorityStart).prefix { !delimiters.contains($0) }
        if authority.isEmpty { return "the URL names no host" }
        if authority.contains(UInt8(ascii: "@")) { return "the URL holds a user name or password" }
        return nil
    }

    private static func problem(inMethod method: HTTPMethod) -> String? {
        method.rawValue.utf8.isToken ? nil : "the method is no token"
    }

    private static func problem(inHeadersOf request: HTTPRequest) -> String? {
        switch request.headers.soundness {
        case .sound: break
        case .brokenName: return "the name of a header is no token"
        case .brokenValue(lineAt: var start):
            let name = request.headers.nextLine(at: &start).map { request.headers.text($0.name) }
            return "the header \(name ?? "?") holds a line break or another control"
        }
        for field in request.headers {
            if field.name.isEqualIgnoringASCIICase(to: "Transfer-Encoding") {
                return "the header Transfer-Encoding is not the caller's to set"
            }
            if field.name.isEqualIgnoringASCIICase(to: "Content-Length"), field.value != String(request.body.count) {
                return "the header Content-Length does not fit the body"
            }
        }
        return nil
    }
}

extension String.UTF8View {
    fileprivate func starts(withLowercase prefix: StaticString) -> Bool {
        let wanted = UnsafeBufferPointer(start: prefix.utf8Start, count: prefix.utf8CodeUnitCount)
        return self.prefix(wanted.count).elementsEqual(wanted) { byte, wanted in
            byte == wanted || (byte >= 0x41 && byte <= 0x5a && byte | 0x20 == wanted)
        }
    }
}
