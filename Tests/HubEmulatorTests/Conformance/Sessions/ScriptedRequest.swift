import NewsflashHTTPTransport
import NewsflashHubRecordings

/// A request of a replayed session, with the recorded ids.
struct ScriptedRequest {
    /// The signer of a request.
    enum Signer {
        case full
        case listenOnly
        /// The full policy's name with another key.
        case wrongKey
    }

    var method: String
    /// Path and query.
    var target: String
    var headers: HTTPHeaders = []
    var body: [UInt8] = []
    var signer = Signer.full

    /// A registration or another Atom entry.
    static func entry(_ method: String, _ target: String, _ body: [UInt8], headers: HTTPHeaders = []) -> ScriptedRequest
    {
        var headers = headers
        headers.append("Content-Type", "application/atom+xml;type=entry;charset=utf-8")
        return ScriptedRequest(method: method, target: target, headers: headers, body: body)
    }

    static func json(_ method: String, _ target: String, _ body: [UInt8]) -> ScriptedRequest {
        ScriptedRequest(
            method: method,
            target: target,
            headers: [.init("Content-Type", method == "PATCH" ? "application/json-patch+json" : "application/json")],
            body: body
        )
    }
}

/// The parts of a recorded target.
struct RecordedTarget {
    /// The segments of the path as recorded, without the hub's name.
    let segments: [String]
    let hub: String
    let query: String

    init(_ target: String) {
        let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let all = parts[0].split(separator: "/").map(String.init)
        self.hub = all.first ?? ""
        self.segments = Array(all.dropFirst())
        self.query = parts.count > 1 ? String(parts[1]) : ""
    }

    /// The collection in the path, in lower case, such as `registrations` or `messages`; empty for the hub itself.
    var collection: String {
        let first = segments.first?.lowercased() ?? ""
        return first == "tags" ? segments.last?.lowercased() ?? "" : first
    }

    /// The segment after the collection.
    var id: String? { segments.count > 1 && segments[0].lowercased() != "tags" ? segments.last : nil }

    func hasParameter(_ name: String) -> Bool {
        query.lowercased().split(separator: "&").contains { $0 == name || $0.hasPrefix(name + "=") }
    }
}
