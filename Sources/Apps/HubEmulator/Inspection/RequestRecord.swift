import HTTPTransport
import NotificationHubs
package import Timestamps

/// A request and its response, for developers whose client was refused. Contains no signatures, keys or bodies; all texts are
/// truncated.
package struct RequestRecord: Sendable, Equatable {
    /// The resource that a refused token was signed for, and the requested one.
    package struct Token: Sendable, Equatable {
        /// The signed resource without escapes: `sr`; `nil` if it cannot be read.
        package var signedFor: String?
        /// The name of the policy: `skn`.
        package var keyName: String?
        /// Host and path in the form used for comparison: in lower case, without port and trailing slash.
        package var asked: String
    }

    /// The sequence number, from one; a reset does not restart it.
    package var sequence: Int64 = 0
    /// The time of arrival.
    package var time: Timestamp
    /// The method as sent, truncated.
    package var method: String
    /// The target as sent, truncated.
    package var target: String
    /// The status that the client received; `nil` if the connection was cut before.
    package var status: Int?
    /// The point at which a fault cut the connection; `nil` if none did.
    package var cut: Fault.Cut?
    /// Whether a fault determined the response.
    package var isByFault = false
    /// The error text that the client received, without the tracking ids.
    package var error: String?
    /// Details that the service does not return: the wrong part of the token, or the missing claim.
    package var reason: String?
    /// Details of a refused token.
    package var token: Token?
    /// The hub's tracking id for the request.
    package var trackingID: String?
    /// The client's tracking id, if it sent one.
    package var clientTrackingID: String?
    /// The time to produce the response, without the delay of a fault.
    package var duration: Duration

    /// Whether the client received no usable response.
    package var isRefusal: Bool { (status ?? 599) >= 400 || cut != nil }

    /// Creates the record of a request and its response.
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

    /// The approximate memory size in bytes.
    var size: Int {
        let texts = [error, reason, token?.signedFor, token?.keyName, token?.asked, trackingID, clientTrackingID]
        return texts.reduce(200 + method.utf8.count + target.utf8.count) { $0 + ($1?.utf8.count ?? 0) }
    }
}

extension RequestRecord.Token {
    /// Parses a refused header as far as possible.
    ///
    /// - Parameters:
    ///   - header: The value of `Authorization`.
    ///   - host: The host as the client addressed it.
    ///   - path: The path as sent.
    ///   - keys: The keys of all policies. A field that contains one of them, or text that looks like a key, is not shown.
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
