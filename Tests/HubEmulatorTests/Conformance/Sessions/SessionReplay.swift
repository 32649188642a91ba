import NewsflashHTTPTransport
import NewsflashHubEmulator
import NewsflashHubRecordings
import NewsflashStrictXML
import NewsflashTimestamps
import NotificationHubs

/// Replays a session with the emulator as the service, and compares each answer with the recorded one.
struct SessionReplay {
    private static let key = SharedAccessKey("full key")

    private let script: SessionScript
    /// The host in the session's links.
    private let host: String
    private let clock = SetClock()
    private let hub: HubEmulator
    /// The emulator's ids and continuation tokens, by those in the recording.
    private var names: [String: String] = [:]

    init(_ script: SessionScript) {
        self.script = script
        self.host =
            script.steps.lazy.flatMap { Self.origins(in: $0.recording, of: script.hubName) }.first
            .map { String($0.dropFirst("https://".count).dropLast()) } ?? "namespace.servicebus.windows.net"
        var configuration = HubEmulatorConfiguration()
        configuration.hubName = script.hubName
        configuration.clock = clock.read
        configuration.rules = [
            AccessRule(name: "DefaultListenSharedAccessSignature", key: Self.key, claims: [.listen]),
            AccessRule(name: "DefaultFullSharedAccessSignature", key: Self.key, claims: Set(Claim.allCases)),
        ]
        self.hub = HubEmulator(configuration)
    }

    /// Plays all calls.
    ///
    /// - Returns: The differences, a line each; empty if the emulator answers as the service did.
    mutating func differences() -> [String] {
        var differences: [String] = []
        set(clockTo: script.steps.first?.recording, minus: .seconds(60))
        for request in script.preparation {
            let answer = send(request)
            if !(200..<300).contains(answer.status) {
                differences.append(
                    "before the session: \(request.method) \(request.target): \(answer.status) \(answer.text)"
                )
            }
        }
        for (index, step) in script.steps.enumerated() {
            set(clockTo: step.recording, minus: .zero)
            let answer = send(step.request)
            learnNames(from: answer, recorded: step.recording)
            let comparison = AnswerComparison(
                recording: step.recording,
                answer: answer,
                recordedText: recordedText(step.recording),
                answeredText: answeredText
            )
            let call = "call \(index + 1), \(step.request.method) \(step.request.target)"
            differences += comparison.differences.map { "\(call): \($0)" }
        }
        return differences
    }

    private func set(clockTo recording: HubRecording?, minus duration: Duration) {
        guard let instant = recording?["Date"].flatMap({ Timestamp(httpDate: $0) }) else { return }
        clock.set(instant - duration)
    }

    private func send(_ request: ScriptedRequest) -> HTTPResponse {
        var headers = request.headers
        headers.append("Host", host)
        headers.append("Authorization", token(for: request.signer))
        // The longest names come first, because a name can be part of another.
        let target = names.sorted { $0.key.utf8.count > $1.key.utf8.count }
            .reduce(request.target) { $0.replacing($1.key, with: $1.value) }
        return hub.answer(
            EmulatedRequest(method: request.method, target: target, headers: headers, body: request.body)
        ).response
    }

    private func token(for signer: ScriptedRequest.Signer) -> String {
        SharedAccessSignature(
            resource: SharedAccessSignature.resource(forURL: "http://\(host)/\(script.hubName)"),
            expiry: clock.read().seconds + 1200,
            keyName: signer == .listenOnly ? "DefaultListenSharedAccessSignature" : "DefaultFullSharedAccessSignature",
            key: signer == .wrongKey ? SharedAccessKey("another key") : Self.key
        ).headerValue
    }

    /// Pairs the names in a recorded answer with those in the emulator's.
    private mutating func learnNames(from answer: HTTPResponse, recorded: HubRecording) {
        for header in ["Location", "Content-Location"] {
            pair(
                recorded[header].flatMap { Self.lastSegment($0) },
                answer.headers[header].flatMap { Self.lastSegment($0) }
            )
        }
        pair(recorded["x-ms-continuationtoken"], answer.headers["x-ms-continuationtoken"])
        // Registrations of installations first appear in a list; tags and kind identify them.
        let unknown = RecordedBody(recorded.body).entries.filter { names[$0.id] == nil }
        var found = RecordedBody(answer.text).entries.filter { entry in !names.values.contains(entry.id) }
        for entry in unknown {
            let index =
                found.firstIndex { $0.id == entry.id }
                ?? found.firstIndex { $0.tags == entry.tags && $0.description.name == entry.description.name }
            if let index { pair(entry.id, found.remove(at: index).id) }
        }
    }

    private mutating func pair(_ recorded: String?, _ answered: String?) {
        if let recorded, let answered, names[recorded] == nil { names[recorded] = answered }
    }

    private static func lastSegment(_ location: String) -> String? {
        location.split(separator: "?").first?.split(separator: "/").last.map(String.init)
    }

    private func recordedText(_ recording: HubRecording) -> AnswerText {
        // Replaces the session's host, and the newest front end's path of registrations.
        let hosts = Self.origins(in: recording, of: script.hubName)
        let origins = Set(hosts + ["##ServerUri##/"]).map { ("\($0)\(script.hubName)", "{hub}") }
        return AnswerText(
            replacements: origins + [("{hub}/resources/", "{hub}/registrations/")] + placeholders(names.keys)
        )
    }

    private var answeredText: AnswerText {
        AnswerText(replacements: [("https://\(host)/\(script.hubName)", "{hub}")] + placeholders(names.values))
    }

    private func placeholders(_ names: some Collection<String>) -> [(text: String, name: String)] {
        names.sorted { $0.utf8.count > $1.utf8.count }.map { ($0, "{id}") }
    }

    /// The scheme and authority of each URL of the hub in an answer.
    private static func origins(in recording: HubRecording, of hub: String) -> [String] {
        (recording.headers.map(\.value) + [recording.body]).flatMap { text in
            text.matches(of: /https:\/\/[^\/"<]+\//).filter { text[$0.range.upperBound...].hasPrefix(hub) }
                .map { String($0.output) }
        }
    }
}
