import NewsflashHTTPTransport
import NewsflashHubRecordings

/// Compares an answer of the emulator with the recorded one.
struct AnswerComparison {
    let recording: HubRecording
    let answer: HTTPResponse
    /// Makes both sides' texts comparable.
    let recordedText: AnswerText
    let answeredText: AnswerText

    /// The differences, a line each; empty if both answers mean the same.
    var differences: [String] {
        guard recording.status == answer.status else {
            return ["status: recorded \(recording.status), answered \(answer.status) \(answer.text.prefix(200))"]
        }
        return contentType + location + contentLocation + etag + presence + body
    }

    private var target: RecordedTarget { RecordedTarget(recording.target) }
    private var bodyKind: RecordedBody { RecordedBody(recording.body) }

    /// Whether the front end since 2022 answered. Its `Server` is `Kestrel` or absent, it sets a `TrackingId`, and it
    /// served sends first.
    private var isNewFrontEnd: Bool { recording["Server"]?.hasPrefix("Microsoft-HTTPAPI") != true }

    /// Compares the content types. Until 2020, answers to sends had one although they had no body.
    private var contentType: [String] {
        let isSend = ["messages", "schedulednotifications"].contains(target.collection)
        if recording.body.isEmpty, answer.body.isEmpty, isSend { return [] }
        func normal(_ value: String?) -> String {
            (value ?? "none").lowercased().replacing(" ", with: "")
        }
        let (old, new) = (normal(recording["Content-Type"]), normal(answer.headers["Content-Type"]))
        // In 2023 the service sent single entries as plain XML.
        if case .entry = bodyKind, isNewFrontEnd, old.hasPrefix("application/xml") { return [] }
        return differing("Content-Type", old, new)
    }

    private var location: [String] {
        guard let old = recording["Location"] else {
            return differing("Location", "none", answer.headers["Location"] ?? "none")
        }
        guard let new = answer.headers["Location"] else { return ["Location: recorded \(old), answered none"] }
        return differing("Location", shape(old, recordedText), shape(new, answeredText))
    }

    /// Host, collection and version of a location; the id must be present. Sends repeated `$batch` and `direct` in some
    /// years only, and the names of registration ids had no version.
    private func shape(_ location: String, _ text: AnswerText) -> String {
        let parts = text.neutral(location).split(separator: "?", maxSplits: 1)
        var path = parts.first?.split(separator: "/", omittingEmptySubsequences: false).map(String.init) ?? []
        if let id = path.popLast() { path.append(id.isEmpty ? "{no id}" : "{id}") }
        path.removeAll { $0 == "$batch" }
        var query = parts.dropFirst().joined().split(separator: "&").filter { $0 != "direct" }
        if target.collection == "registrationids" { query = [] }
        return path.joined(separator: "/") + (query.isEmpty ? "" : "?" + query.joined(separator: "&"))
    }

    private var contentLocation: [String] {
        differing(
            "Content-Location",
            recordedText.neutral(recording["Content-Location"] ?? "none"),
            answeredText.neutral(answer.headers["Content-Location"] ?? "none")
        )
    }

    /// Compares the ETags. The front end of 2023 has the number in the entry only.
    private var etag: [String] {
        guard let old = recording["ETag"] else {
            if case .entry = bodyKind, isNewFrontEnd { return [] }
            return differing("ETag", "none", answer.headers["ETag"] ?? "none")
        }
        return differing("ETag", old, answer.headers["ETag"] ?? "none")
    }

    /// Compares the presence of headers whose values are unpredictable.
    private var presence: [String] {
        let exact = ["x-ms-continuationtoken", "Retry-After"]
        let needed = ["TrackingId", "x-ms-correlation-request-id"].filter { recording[$0] != nil }
        return (exact + needed).flatMap { name in
            differing(name, recording[name] == nil ? "none" : "some", answer.headers[name] == nil ? "none" : "some")
        }
    }

    private var body: [String] {
        let old = recordedText.lines(of: recording.body)
        let new = answeredText.lines(of: String(decoding: answer.body, as: UTF8.self))
        return new.difference(from: old).map { change in
            switch change {
            case .remove(_, let line, _): "body, recorded: \(line)"
            case .insert(_, let line, _): "body, answered: \(line)"
            }
        }
    }

    private func differing(_ what: String, _ recorded: String, _ answered: String) -> [String] {
        recorded == answered ? [] : ["\(what): recorded \(recorded), answered \(answered)"]
    }
}
