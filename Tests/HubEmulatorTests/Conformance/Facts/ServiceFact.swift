import NewsflashHTTPTransport
import NewsflashHubRecordings

/// A fact about one answer of the service, in our own words. Of its documents it has only names and their order.
struct ServiceFact {
    /// `POST registrations`, with `/id` for the id of a resource, and flags: `POST messages?direct`.
    var operation: String
    var status: Int
    /// The media type and its parameters; `nil` if it has no meaning or is absent.
    var contentType: String?
    /// The paths in headers that identify a resource, with `{id}` in them, by the header's name. Other such headers are
    /// errors.
    var links: [String: String] = [:]
    /// Whether the answer has the version of a resource.
    var hasETag = false
    /// The pattern of the body; `nil` for an empty one.
    var body: String?
    /// The beginning of an error's text.
    var detail: String?

    /// The differences of an answer from the fact, a line each.
    func differences(from answer: ToldAnswer) -> [String] {
        var lines: [String] = []
        func hold(_ what: String, _ known: String?, _ told: String?) {
            if known != told { lines.append("\(what): known is \(known ?? "none"), told \(told ?? "none")") }
        }
        hold("status", String(status), String(answer.status))
        if let contentType, !answer.hasTypeOfItsOwn { hold("Content-Type", contentType, answer.contentType) }
        for name in ["Location", "Content-Location"] { hold(name, links[name], answer.link(name)) }
        if !answer.isOfNewFrontEnd { hold("ETag", hasETag ? "some" : nil, answer.hasETag ? "some" : nil) }
        switch (body, answer.body) {
        case (let pattern?, let shape?):
            if !DocumentShape(pattern).allows(shape) { lines.append("body: known is \(pattern), told \(shape)") }
        case (nil, nil): break
        case (let pattern, let shape): hold("body", pattern, shape?.description)
        }
        if let detail, answer.detail?.hasPrefix(detail) != true { hold("detail", detail, answer.detail) }
        return lines
    }
}

/// The parts of a recorded or emulated answer that facts describe.
struct ToldAnswer {
    let status: Int
    let headers: [(name: String, value: String)]
    let text: String

    init(_ recording: HubRecording) {
        self.status = recording.status
        self.headers = recording.headers
        self.text = recording.body
    }

    init(_ response: HTTPResponse) {
        self.status = response.status
        self.headers = response.headers.fields.map { ($0.name, $0.value) }
        self.text = response.text
    }

    var body: DocumentShape? { DocumentShape(of: Array(text.utf8)) }
    var hasETag: Bool { self["ETag"] != nil }
    var contentType: String? { self["Content-Type"]?.lowercased().replacing(" ", with: "") }
    /// The front end since 2022 sends the version in the entry only, and entries as plain XML.
    var isOfNewFrontEnd: Bool { self["Server"].map { !$0.hasPrefix("Microsoft-HTTPAPI") && $0 == "Kestrel" } ?? false }
    var hasTypeOfItsOwn: Bool { isOfNewFrontEnd || text.isEmpty }

    /// An error's text without the identifiers after it.
    var detail: String? {
        guard let start = text.firstRange(of: "<Detail>"), let end = text.firstRange(of: ".TrackingId:") else {
            return nil
        }
        return start.upperBound <= end.lowerBound ? String(text[start.upperBound..<end.lowerBound]) : nil
    }

    /// The path of a header's URL after the hub's name, with `{id}` for its last part. The service's answers to batch
    /// sends have it with and without `$batch`.
    func link(_ name: String) -> String? {
        guard let value = self[name], value.hasPrefix("https://") else { return self[name] }
        let path = value.dropFirst("https://".count).prefix { $0 != "?" }.split(separator: "/").dropFirst(2)
        return (path.dropLast().filter { $0 != "$batch" && $0 != "resources" } + ["{id}"]).joined(separator: "/")
    }

    private subscript(name: String) -> String? {
        headers.first { $0.name.lowercased() == name.lowercased() }?.value
    }
}
