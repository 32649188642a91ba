import NewsflashHTTPTransport
import NewsflashStrictJSON
import NewsflashTimestamps

/// Serves the recorded state of the emulator as JSON below `/_emulator`. Needs no token, because it is for people and tests on
/// the same machine. Documented in `schemas/hub-emulator.openapi.yaml`.
struct Inspection {
    let request: EmulatedRequest
    let segments: [String]
    let target: RequestTarget
    /// The host of the emulator as the client addressed it.
    let host: String
    let now: Timestamp
    let journal: RequestJournal
    let outcomes: OutcomeLog
    /// The requested faults, if the request sets them.
    private let newFaults: Result<FaultSet, FaultReader.Problem>?

    /// Parses everything in the request that does not need the hub.
    init(
        request: EmulatedRequest,
        segments: [String],
        target: RequestTarget,
        host: String,
        now: Timestamp,
        journal: RequestJournal,
        outcomes: OutcomeLog
    ) {
        self.request = request
        self.segments = segments
        self.target = target
        self.host = host
        self.now = now
        self.journal = journal
        self.outcomes = outcomes
        let setsFaults = request.method == "PUT" && segments == ["faults"]
        newFaults = setsFaults ? Result { () throws(FaultReader.Problem) in try FaultReader.read(request.body) } : nil
    }

    /// Writes the response after the hub's lock is released, because a page can have megabytes.
    typealias Writing = @Sendable () -> HTTPResponse

    /// Looks up the response in the hub's state; some requests change it.
    func inspect(_ hub: inout EmulatedHub, about emulator: EmulatorFacts) -> Writing {
        do throws(InspectionProblem) {
            if let list = try list(hub, about: emulator) { return list }
        } catch {
            return { .problem(400, error.message) }
        }
        let response = answer(&hub, about: emulator)
        return { response }
    }

    /// Looks up a page of a list; `nil` if the request is another one.
    private func list(_ hub: EmulatedHub, about emulator: EmulatorFacts) throws(InspectionProblem) -> Writing? {
        guard request.method == "GET" else { return nil }
        if segments.count == 1, let known = Self.parameters.first(where: { $0.key == segments[0] })?.value {
            try target.checkNames(known, of: segments[0])
        }
        switch segments {
        case ["sends"]: return try sends(hub)
        case ["deliveries"]: return try deliveries(hub)
        case ["requests"]: return try requests()
        case ["outcomes"]: return try outcomesPage()
        case ["devices"]: return try devices(hub, about: emulator)
        case let path where path.first == "feedback" && (2...3).contains(path.count): return feedback(hub)
        default: return nil
        }
    }

    /// The parameters of the lists. A feedback container has the query of its own URL.
    private static let parameters: KeyValuePairs = [
        "sends": ["after", "limit"],
        "deliveries": [
            "after", "limit", "send", "notificationId", "installation", "registration", "handle", "wait", "timeout",
        ],
        "requests": ["after", "limit", "refused"],
        "outcomes": ["after", "limit"],
        "devices": ["after", "limit", "hub", "tag", "handle", "user", "platform"],
    ]

    /// Answers requests with short responses.
    private func answer(_ hub: inout EmulatedHub, about emulator: EmulatorFacts) -> HTTPResponse {
        switch (request.method, segments) {
        case ("GET", ["hub"]): return .json { emulator.write(to: &$0, hub: hub) }
        case ("GET", ["token"]): return token(about: emulator)
        case ("GET", ["authority"]): return authority(of: emulator)
        case ("DELETE", ["sends"]):
            hub.reset()
            journal.removeAll()
            outcomes.removeAll()
            return HTTPResponse(status: 204)
        case ("DELETE", ["devices"]):
            hub.removeDevices(now: now)
            return HTTPResponse(status: 204)
        case ("GET", ["stats"]): return .json { hub.statistics.write(to: &$0, hub: hub) }
        case ("GET", ["faults"]): return faults(hub)
        case ("DELETE", ["faults"]):
            hub.setFaults(FaultSet(), now: now)
            return HTTPResponse(status: 204)
        case ("PUT", ["faults"]):
            switch newFaults {
            case .success(let new)?:
                hub.setFaults(new, now: now)
                return faults(hub)
            case .failure(let problem)?: return .problem(400, problem.description)
            case nil: return notThere
            }
        default: return notThere
        }
    }

    /// The resources and their methods.
    private static let methods: KeyValuePairs = [
        "hub": "GET", "token": "GET", "authority": "GET", "sends": "GET, DELETE", "deliveries": "GET",
        "requests": "GET", "outcomes": "GET",
        "devices": "GET, DELETE",
        "stats": "GET",
        "faults": "GET, PUT, DELETE", "events": "GET", "news": "POST", "feedback": "GET",
    ]

    private var notThere: HTTPResponse {
        let isFeedback = segments.first == "feedback"
        guard (segments.count == 1) != isFeedback, segments.count <= (isFeedback ? 3 : 1),
            let allowed = Self.methods.first(where: { $0.key == segments.first })?.value
        else {
            return .problem(404, "not found; /_emulator has \(Self.methods.map(\.key).joined(separator: ", "))")
        }
        var response = HTTPResponse.problem(405, "this method is not allowed here")
        response.headers.append("Allow", allowed)
        return response
    }

    // MARK: Pages

    private func sends(_ hub: EmulatedHub) throws(InspectionProblem) -> Writing {
        let page = try PageQuery(target)
        let records = hub.log.records(after: page.after, limit: page.limit)
        let last = hub.log.last
        return {
            InspectionPage.answer("sends", records, limit: page.limit, last: last, sequence: \.sequence) {
                record,
                writer in
                record.write(to: &writer)
            }
        }
    }

    private func deliveries(_ hub: EmulatedHub) throws(InspectionProblem) -> Writing {
        let query = try DeliveryQuery(target)
        let kept = hub.deliveries.kept
        return {
            let found = kept.deliveries(after: query.page.after, limit: query.page.limit, where: query.matches)
            return InspectionPage.answer(
                "deliveries",
                found,
                limit: query.page.limit,
                last: kept.last,
                sequence: \.sequence
            ) { delivery, writer in
                delivery.write(to: &writer)
            }
        }
    }

    /// The devices of one hub, collected at once because they change in place.
    private func devices(_ hub: EmulatedHub, about emulator: EmulatorFacts) throws(InspectionProblem) -> Writing {
        let page = try PageQuery(target)
        let filter = try DeviceFilter(target)
        let name = target.value(of: "hub") ?? emulator.hubName
        guard let hosted = hub.hubs[HubKey(name).text] else {
            throw InspectionProblem("the parameter hub must be the name of a hub")
        }
        let (found, last) = hosted.registry.devices(after: page.after, limit: page.limit, where: filter, now: now)
        return {
            InspectionPage.answer("devices", found, limit: page.limit, last: last, sequence: \.sequence) {
                device,
                writer in
                device.write(to: &writer)
            }
        }
    }

    private func requests() throws(InspectionProblem) -> Writing {
        let page = try PageQuery(target)
        let (found, last) = journal.records(after: page.after, limit: page.limit) { [wantsRefusals] record in
            record.isRefusal || !wantsRefusals
        }
        return {
            InspectionPage.answer("requests", found, limit: page.limit, last: last, sequence: \.sequence) {
                record,
                writer in
                record.write(to: &writer)
            }
        }
    }

    private var wantsRefusals: Bool { target.hasFlag("refused") }

    private func outcomesPage() throws(InspectionProblem) -> Writing {
        let page = try PageQuery(target)
        let (found, last) = outcomes.outcomes(after: page.after, limit: page.limit)
        return {
            InspectionPage.answer("outcomes", found, limit: page.limit, last: last, sequence: \.sequence) {
                outcome,
                writer in
                outcome.write(to: &writer)
            }
        }
    }

    // MARK: Others

    private func token(about emulator: EmulatorFacts) -> HTTPResponse {
        let end = now + .seconds(3600)
        var response = HTTPResponse.json { writer in
            writer.beginObject()
            writer.member("token", emulator.token(host: host, end: end))
            writer.member("expires", end.rfc3339)
            writer.member("apiVersion", APIVersion.newest)
            writer.endObject()
        }
        response.headers.append("Cache-Control", "no-store")
        return response
    }

    /// The CA certificate that clients must trust.
    private func authority(of emulator: EmulatorFacts) -> HTTPResponse {
        guard let certificate = emulator.authority else {
            return .problem(404, "this hub has no certificate authority of its own; start it with --tls to create one")
        }
        return HTTPResponse(
            status: 200,
            headers: [
                .init("Content-Type", "application/x-pem-file"),
                .init("Content-Disposition", "attachment; filename=\"authority.pem\""),
                .init("X-Content-Type-Options", "nosniff"),
            ],
            body: certificate
        )
    }

    private func faults(_ hub: EmulatedHub) -> HTTPResponse {
        .json { FaultWriter.write(hub.currentFaults(now: now), to: &$0) }
    }

    /// The feedback container of a hub, or a blob of it.
    private func feedback(_ hub: EmulatedHub) -> Writing {
        let (kept, name) = (hub.deliveries.kept, target.segments[2])
        let key = HubKey(name).text
        let endpoint = "\(request.isSecure ? "https" : "http")://\(host)/_emulator/feedback"
        let blob = segments.count == 3 ? segments[2] : nil
        let isKnown = hub.hubs[key] != nil
        return {
            let failures = kept.deliveries(after: 0, limit: .max) { $0.hub == key && $0.outcome != .success }
            let container = FeedbackContainer(failures: failures, hub: name, endpoint: endpoint)
            guard isKnown else { return .problem(404, "no hub has this name") }
            guard let blob else { return container.listing }
            return container.blob(blob) ?? .problem(404, "no feedback of this day or notification exists")
        }
    }
}
