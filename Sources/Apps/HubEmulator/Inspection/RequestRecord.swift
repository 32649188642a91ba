import HTTPTransport
import NotificationHubs
package import Timestamps

/// One request and what it was answered: what a developer looks at whose client was refused. Holds neither signatures nor
/// keys nor bodies, and nothing in it is long, whatever the client sent.
package struct RequestRecord: Sendable, Equatable {
    /// What a refused token was made for, beside what was asked.
    package struct Token: Sendable, Equatable {
        /// The resource that was signed, without escapes: `sr`. Nothing where there is none to be read.
        package var signedFor: String?
        /// The name of the policy: `skn`.
        package var keyName: String?
        /// Host and path as they are compared: in lower case, without the port and a slash at the end.
        package var asked: String
    }

    /// Grows by one a request, from one; a reset does not begin it anew.
    package var sequence: Int64 = 0
    /// When it came.
    package var time: Timestamp
    /// As sent, but cut.
    package var method: String
    /// As sent, but cut.
    package var target: String
    /// What its client heard; nothing where the connection was cut before.
    package var status: Int?
    /// Where a fault cut the connection.
    package var cut: Fault.Cut?
    /// Whether a fault decided the answer.
    package var isByFault = false
    /// The error as the client was told it, without the names behind it.
    package var error: String?
    /// What the service does not tell: which part of the token is wrong, which claim is missing.
    package var reason: String?
    /// With a refused token.
    package var token: Token?
    /// What the hub called the request.
    package var trackingID: String?
    /// What the client called the request, where it did.
    package var clientTrackingID: String?
    /// How long it took to make the answer; a fault's delay is not in it.
    package var duration: Duration

    /// Whether the client got nothing that it can use.
    package var isRefusal: Bool { (status ?? 599) >= 400 || cut != nil }

    /// Describes a request and its answer.
    init(
        _ request: EmulatedRequest,
        answer: EmulatedAnswer,
        received: ContinuousClock.Instant,
        time: Timestamp
    ) {
        self.time = time
        self.method = ShownText.of(request.method, limit: 32)
        self.target = ShownText.of(request.target, limit: Self.longestTarget)
        self.status = answer.cut == nil || answer.cut == .middle ? answer.response.status : nil
        self.cut = answer.cut
        self.isByFault = answer.isByFault
        if let failure = answer.failure {
            self.error = failure.text.flatMap { $0.isEmpty ? nil : ShownText.of($0, limit: 500) }
            self.reason = failure.reason.map { ShownText.of($0, limit: 300) }
            self.token = failure.token
        }
        self.trackingID = answer.response.headers["TrackingId"]
        self.clientTrackingID = request.headers["TrackingId"].map { ShownText.of($0, limit: 100) }
        self.duration = received.duration(to: .now)
    }

    private static let longestTarget = 1000

    /// Roughly what it takes in memory.
    var size: Int {
        let texts = [error, reason, token?.signedFor, token?.keyName, token?.asked, trackingID, clientTrackingID]
        return texts.reduce(200 + method.utf8.count + target.utf8.count) { $0 + ($1?.utf8.count ?? 0) }
    }
}

extension RequestRecord.Token {
    /// Reads what a refused header says, as far as it can be read.
    ///
    /// - Parameters:
    ///   - header: The value of `Authorization`.
    ///   - host: As the client knows it.
    ///   - path: As sent.
    ///   - keys: Of all policies; a field with one of them in it, or with what looks like one, is not shown.
    init(header: String?, host: String, path: String, keys: [SharedAccessKey]) {
        self.asked = ShownText.of(SharedAccessSignature.comparedForm(host: host, path: path), limit: 500)
        guard let header, header.utf8.count <= 4096, header.hasPrefix("SharedAccessSignature ") else { return }
        let fields = header.dropFirst("SharedAccessSignature ".count).split(separator: "&")
        func field(_ name: String, limit: Int) -> String? {
            guard let raw = fields.first(where: { $0.hasPrefix(name) })?.dropFirst(name.count) else { return nil }
            let text = PercentEncoding.decode(raw) ?? String(raw)
            let isSecret =
                ShownText.looksLikeKey(text)
                || keys.contains { key in
                    let secret = key.secretText
                    return !secret.isEmpty && (text.contains(secret) || raw.contains(secret))
                }
            return isSecret ? "…" : ShownText.of(text, limit: limit)
        }
        self.signedFor = field("sr=", limit: 500)
        self.keyName = field("skn=", limit: 100)
    }
}
