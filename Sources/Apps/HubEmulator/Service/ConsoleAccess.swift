import NewsflashHTTPServer
import NewsflashHTTPTransport
import NewsflashSigning

/// The token for requests below `/_emulator`, which a hub requires if it listens on other addresses than loopback.
///
/// A browser receives it with the URL that the emulator prints at the start, and keeps it in a cookie. Other clients send it in
/// `Authorization: Bearer`. The files of the page contain no secrets and need no token.
package struct ConsoleAccess: Sendable {
    /// The parameter of the URL that opens the console.
    static let parameter = "console-token"
    private static let cookie = "newsflash-console"
    private static let refusal = HubFailure(
        401,
        "the token of the console is missing or wrong: open the URL that the emulator printed at its start, or send "
            + "'Authorization: Bearer TOKEN'"
    )

    let token: String
    /// The signature in the URLs of feedback. It opens nothing else, because clients with few rights receive it.
    let feedbackSignature = Self.random()

    /// Uses the configured token, or creates one.
    ///
    /// - Returns: `nil` if no token is required.
    init?(_ configuration: HubEmulatorConfiguration) {
        if let token = configuration.consoleToken {
            self.token = token
        } else if configuration.hosts.allSatisfy(Self.isLoopback) {
            return nil
        } else {
            token = Self.random()
        }
    }

    private static func random() -> String {
        String((0..<32).compactMap { _ in "0123456789abcdef".randomElement() })
    }

    /// Whether a text can be a token: 8 to 200 letters, digits, `-` and `_`, which need no escapes in URLs and cookies.
    package static func isValid(_ token: String) -> Bool {
        (8...200).contains(token.utf8.count)
            && token.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
                    true
                default: false
                }
            }
    }

    /// Returns the refusal of a request without the token; `nil` if it has the token or needs none.
    func refusal(of request: EmulatedRequest, target: RequestTarget) -> HubFailure? {
        // A certificate is public, and clients need it to connect safely.
        let path = target.segments.dropFirst().map { $0.lowercased() }
        if path == ["authority"] { return nil }
        if path.first == "feedback", let signature = target.value(of: "sig"), isEqual(signature[...], feedbackSignature)
        {
            return nil
        }
        let bearer = request.headers["Authorization"].flatMap { header in
            header.lowercased().hasPrefix("bearer ") ? header.dropFirst("bearer ".count) : nil
        }
        let cookies = (request.headers["Cookie"] ?? "").split(separator: ";").map { $0.drop { $0 == " " } }
        let kept = cookies.filter { $0.hasPrefix(Self.cookie + "=") }.map { $0.dropFirst(Self.cookie.count + 1) }
        return ([bearer].compactMap(\.self) + kept).contains { isEqual($0, token) } ? nil : Self.refusal
    }

    /// Returns the response to a URL with the token: stores it in a cookie and removes it from the address.
    ///
    /// - Returns: `nil` if the URL has no token.
    func signIn(_ target: RequestTarget) -> HTTPResponse? {
        guard let given = target.value(of: Self.parameter) else { return nil }
        guard isEqual(given[...], token) else { return .problem(401, Self.refusal.text ?? "") }
        return HTTPResponse(
            status: 303,
            headers: [
                .init("Location", target.path), .init("Cache-Control", "no-store"),
                .init("Set-Cookie", "\(Self.cookie)=\(token); Path=/_emulator; HttpOnly; SameSite=Strict"),
            ]
        )
    }

    private func isEqual(_ text: Substring, _ secret: String) -> Bool {
        isEqualInConstantTime(Array(text.utf8), Array(secret.utf8))
    }

    private static func isLoopback(_ address: String) -> Bool {
        let host = RequestHost(address)
        return host.isLocalhost || host.ipv4?.first == 127 || host == RequestHost("::1")
    }
}
