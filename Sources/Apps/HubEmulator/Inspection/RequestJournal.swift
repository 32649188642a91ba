import NewsflashBasics
import NewsflashHTTPTransport
import NewsflashStrictJSON
package import NewsflashTimestamps
import NotificationHubs

/// A bounded log of the latest requests, accepted and refused.
///
/// Separate from the hub's state, because a request is recorded after its response is known, including the result of storage.
final class RequestJournal: Sendable {
    /// The capacity that `GET /_emulator/requests` documents.
    static let capacity = 1000
    static let maximumBytes = 1 << 20

    fileprivate struct State {
        var records = FIFOQueue<RequestRecord>()
        var bytes = 0
        /// The last assigned sequence number.
        var last: Int64 = 0
    }

    private let state = Locked(State())
    private let streams: EventStreams
    private let observer: (@Sendable (RequestRecord) -> Void)?

    /// Creates an empty log.
    ///
    /// - Parameters:
    ///   - streams: The event streams, which are notified of refusals.
    ///   - observer: Called with each request.
    init(streams: EventStreams, observer: (@Sendable (RequestRecord) -> Void)?) {
        self.streams = streams
        self.observer = observer
    }

    /// Adds a request.
    func append(_ record: RequestRecord) {
        var record = record
        let isWatched = !streams.isEmpty
        state.withLock { state in
            state.last += 1
            record.sequence = state.last
            state.append(record)
            // Sent under the lock, so that sequence numbers are sent in ascending order.
            if record.isRefusal, isWatched { streams.send([.refusals(last: state.last)]) }
        }
        observer?(record)
    }

    /// Returns the matching records after a sequence number, the oldest first, and the last assigned number.
    func records(after: Int64, limit: Int, where isWanted: (RequestRecord) -> Bool) -> ([RequestRecord], last: Int64) {
        state.withLock { state in
            (Array(state.records.all.filter { $0.sequence > after && isWanted($0) }.prefix(limit)), state.last)
        }
    }

    func removeAll() {
        state.withLock { state in state = State(last: state.last) }
    }
}

extension RequestJournal.State {
    fileprivate mutating func append(_ record: RequestRecord) {
        while records.count == RequestJournal.capacity || bytes + record.size > RequestJournal.maximumBytes,
            let gone = records.popFirst()
        {
            bytes -= gone.size
        }
        records.append(record)
        bytes += record.size
    }
}

extension EventStreams.StreamEvent {
    /// The event for refused requests, with the sequence number of the latest.
    fileprivate static func refusals(last: Int64) -> EventStreams.StreamEvent {
        EventStreams.StreamEvent("refusals") { writer in
            writer.beginObject()
            writer.member("last", last)
            writer.endObject()
        }
    }
}

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
    /// The reason, which the service may not return: the wrong part of the token, the missing claim. Each 400 has one.
    package var reason: String?
    /// Probable mistakes in an accepted request.
    package var warnings: [String] = []
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
            // The emulator's own texts name the fault.
            let reason = failure.reason ?? (failure.status == 400 && !answer.isByFault ? failure.text : nil)
            self.reason = reason.map { ShownText.of($0, limit: 300) }
            self.token = failure.token
        }
        self.warnings = answer.warnings
        self.trackingID = answer.response.headers["TrackingId"]
        self.clientTrackingID = request.headers["TrackingId"].map { ShownText.of($0, limit: 100) }
        self.duration = received.duration(to: .now)
    }

    private static let longestTarget = 1000

    /// The approximate memory size in bytes.
    var size: Int {
        let texts =
            [error, reason, token?.signedFor, token?.keyName, token?.asked, trackingID, clientTrackingID] + warnings
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

extension RequestRecord {
    /// Writes the request with its response.
    func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("sequence", sequence)
        writer.text("time", time.rfc3339)
        writer.text("method", method)
        writer.text("target", target)
        if let status {
            writer.member("status", status)
        }
        writer.text("cut", cut?.rawValue)
        if isByFault {
            writer.member("fault", true)
        }
        writer.text("error", error)
        writer.text("reason", reason)
        if !warnings.isEmpty { writer.member("warnings", warnings) }
        token?.write(to: &writer)
        writer.text("trackingId", trackingID)
        writer.text("clientTrackingId", clientTrackingID)
        writer.member("answeredMs", milliseconds)
        writer.endObject()
    }

    /// The duration in milliseconds, with a resolution of one microsecond.
    package var milliseconds: Double { (duration / .milliseconds(1) * 1000).rounded() / 1000 }
}

extension RequestRecord.Token {
    fileprivate func write(to writer: inout JSONWriter) {
        writer.name("token")
        writer.beginObject()
        writer.text("signedFor", signedFor)
        writer.text("asked", asked)
        writer.text("keyName", keyName)
        writer.endObject()
    }
}
