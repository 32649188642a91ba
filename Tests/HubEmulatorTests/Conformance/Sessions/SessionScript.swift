import NewsflashHTTPTransport
import NewsflashHubRecordings
import NewsflashStrictJSON

/// A recorded session with the requests that must have led to its answers.
///
/// Most recordings have only paths and answers. The requests follow from the answers: a returned registration was sent,
/// an installation is in the answer to the next `GET`, and the session's name has the rest (the format of a send, a
/// patch, a key that may only listen). Section 4 of the reference lists the answers of each call.
struct SessionScript {
    /// A request and the service's answer.
    struct Step {
        let request: ScriptedRequest
        let recording: HubRecording
    }

    /// The error for a call whose request cannot be derived.
    struct Unclear: Error, CustomStringConvertible {
        let session: String
        let call: HubRecording

        var description: String {
            "\(session): no known request to \(call.target) leads to the answer \(call.status)"
        }
    }

    let hubName: String
    /// The requests that give the hub the content that the session expects.
    let preparation: [ScriptedRequest]
    let steps: [Step]

    /// Derives the requests of a session.
    ///
    /// - Throws: ``Unclear`` for a call of unknown kind.
    init(_ session: HubSession) throws {
        self.hubName = session.calls.first.map { RecordedTarget($0.target).hub } ?? ""
        self.preparation = Preparation.requests(for: session)
        var context = SessionContext(session)
        self.steps = try session.calls.indices.map { index in
            let call = session.calls[index]
            guard let request = try context.request(at: index) else { throw Unclear(session: session.name, call: call) }
            context.record(request, answeredBy: call)
            return Step(request: request, recording: call)
        }
    }
}

/// The knowledge about the hub at some point of a session.
struct SessionContext {
    let session: HubSession
    /// The number of the last answer for each registration.
    private var etags: [String: Int] = [:]
    /// The existing installations whose content is known.
    private var installations: [String: JSONValue] = [:]

    init(_ session: HubSession) {
        self.session = session
    }

    /// The file's name without its folder.
    private var name: Substring { session.name.split(separator: "/").last ?? "" }

    func has(_ word: String) -> Bool { name.lowercased().contains(word.lowercased()) }

    /// The request that led to a recorded answer; `nil` for a call of unknown kind.
    func request(at index: Int) throws -> ScriptedRequest? {
        let call = session.calls[index]
        if let recorded = call.request { return Self.request(recorded, target: call.target) }
        let target = RecordedTarget(call.target)
        let plain = { (method: String) in ScriptedRequest(method: method, target: call.target) }
        switch (target.collection, target.id) {
        case ("", _): return hubRequest(call, isLast: index == session.calls.indices.last)
        case ("registrationids", nil): return plain("POST")
        case ("registrations", nil): return listOrCreation(call, target)
        case ("registrations", .some(let id)): return registrationRequest(call, id: id)
        case ("installations", .some(let id)): return installationRequest(at: index, id: id)
        case ("messages", nil), ("messages", "$batch"), ("schedulednotifications", nil):
            return SendSynthesis(context: self, call: call, target: target).request
        case ("messages", _): return plain("GET")
        case ("schedulednotifications", _): return plain("DELETE")
        case ("feedbackcontainer", _): return plain("GET")
        case ("jobs", nil): return listOrCreation(call, target)
        case ("jobs", _): return plain("GET")
        default: return nil
        }
    }

    /// Records the facts in an answer.
    mutating func record(_ request: ScriptedRequest, answeredBy call: HubRecording) {
        for entry in RecordedBody(call.body).entries { etags[entry.id] = entry.etag }
        let target = RecordedTarget(call.target)
        guard let id = target.id, (200..<300).contains(call.status) else { return }
        switch (request.method, target.collection) {
        case ("DELETE", _):
            etags[id] = nil
            installations[id] = nil
        case ("PUT", "installations"): installations[id] = try? JSONReader.read(request.body)
        case (_, "installations"): installations[id] = (try? JSONReader.read(call.body)) ?? installations[id]
        default: break
        }
    }

    private static func request(_ recorded: HubRecording.Request, target: String) -> ScriptedRequest {
        // The headers that the connection or the signer sets again.
        let own: Set = ["authorization", "host", "content-length", "connection", "accept-encoding"]
        return ScriptedRequest(
            method: recorded.method,
            target: target,
            headers: .init(recorded.headers.filter { !own.contains($0.name.lowercased()) }.map { .init($0, $1) }),
            body: Array(recorded.body.utf8)
        )
    }

    /// Decides between the two by the answer: an entry for a creation, a feed for a list.
    private func listOrCreation(_ call: HubRecording, _ target: RecordedTarget) -> ScriptedRequest? {
        switch RecordedBody(call.body) {
        case .entry(let entry): .entry("POST", call.target, entry.requestBody)
        case .feed: ScriptedRequest(method: "GET", target: call.target)
        default: target.query.lowercased().contains("$") ? ScriptedRequest(method: "GET", target: call.target) : nil
        }
    }

    /// The request for one registration: a write if the number in its ETag grows, otherwise a read.
    private func registrationRequest(_ call: HubRecording, id: String) -> ScriptedRequest? {
        switch RecordedBody(call.body) {
        case .entry(let entry):
            if let known = etags[id], let etag = entry.etag, etag <= known {
                return ScriptedRequest(method: "GET", target: call.target)
            }
            // Only an update names what it replaces; .NET writes the number without `W/`.
            let match = has("UpdateRegistrationAsync") && !has("CreateOrUpdate") ? etags[id] : nil
            return .entry(
                "PUT",
                call.target,
                entry.requestBody,
                headers: match.map { [.init("If-Match", "\"\($0)\"")] } ?? []
            )
        case .empty where call.status == 200:
            return ScriptedRequest(method: "DELETE", target: call.target, headers: [.init("If-Match", "*")])
        default:
            return call.status == 404 ? ScriptedRequest(method: "GET", target: call.target) : nil
        }
    }

    private func installationRequest(at index: Int, id: String) -> ScriptedRequest? {
        let call = session.calls[index]
        switch call.status {
        case 404: return ScriptedRequest(method: "GET", target: call.target)
        case 204: return ScriptedRequest(method: "DELETE", target: call.target)
        case 200 where !call.body.isEmpty: return ScriptedRequest(method: "GET", target: call.target)
        case 200:
            let outcome = InstallationSynthesis(session: session, id: id).outcome(ofWriteAt: index)
            if let before = installations[id], has("PatchInstallation") {
                return .json("PATCH", call.target, InstallationSynthesis.patch(from: before, to: outcome))
            }
            let isPatchedNext = has("PatchInstallation") && InstallationSynthesis.isWritten(after: index, in: session)
            let body = isPatchedNext ? InstallationSynthesis.beforePatch(outcome, session: String(name)) : outcome
            return .json("PUT", call.target, InstallationSynthesis.bytes(body))
        default: return nil
        }
    }

    /// The request of a management call, by the text of a refusal (reference 13.1) or the kind of answer. The SDK's
    /// tests end with the deletion.
    private func hubRequest(_ call: HubRecording, isLast: Bool) -> ScriptedRequest? {
        switch (call.status, RecordedBody(call.body)) {
        case (401, _):
            let method = call.body.contains("Manage claim") ? "GET" : isLast ? "DELETE" : "PUT"
            return ScriptedRequest(method: method, target: call.target, signer: .wrongKey)
        case (201, .entry(let entry)): return .entry("PUT", call.target, entry.requestBody)
        // The hub exists already; the content of the write does not matter.
        case (409, _): return .entry("PUT", call.target, RecordedEntry.emptyHub)
        case (200, .empty): return ScriptedRequest(method: "DELETE", target: call.target)
        case (200, _), (404, _): return ScriptedRequest(method: "GET", target: call.target)
        default: return nil
        }
    }
}
