import HTTPTransport
import NotificationHubs
import Timestamps

/// The hub's state: what it accepted, what goes wrong, which tokens it knows. Values in, values out.
struct EmulatedHub {
    private(set) var log: SendLog
    private(set) var statistics = HubStatistics()
    private var faults: Faults
    /// What goes wrong with deliveries, for the fan-out.
    private(set) var deliveryFaults: DeliveryFaults
    private var authorization: Authorization
    private var generator: SeededGenerator
    private let tier: HubTier

    init(_ configuration: HubEmulatorConfiguration, rules: [AccessRule], now: Timestamp) {
        self.log = SendLog(capacity: configuration.sendsKept, maximumBytes: configuration.bytesKept)
        self.authorization = Authorization(rules: rules)
        self.generator = SeededGenerator(seed: configuration.seed)
        self.tier = configuration.tier
        self.faults = Faults(seed: configuration.seed)
        self.deliveryFaults = DeliveryFaults(configuration.deliveryFaults)
        faults.set(configuration.faults, now: now)
    }

    /// Answers a request whose parts were looked at already.
    ///
    /// - Parameters:
    ///   - call: The request.
    ///   - work: What it asks for, or why that cannot be; the token is looked at first.
    ///   - now: The present instant.
    /// - Returns: The answer, and how late it shall be.
    mutating func answer(_ call: HubCall, work: Result<HubWork, HubFailure>, now: Timestamp) -> EmulatedAnswer {
        let names = RequestNames(using: &generator)
        let strike = faults.strike(call, now: now)
        var response: HTTPResponse
        if !strike.hasEffect {
            response = strike.failure?.response(names: names, now: now) ?? HTTPResponse(status: 500)
        } else {
            do throws(HubFailure) {
                response = try perform(call, work: work, names: names, now: now)
                if let failure = strike.failure { response = failure.response(names: names, now: now) }
            } catch {
                response = error.response(names: names, now: now)
            }
        }
        statistics.received += 1
        if strike.cut == nil { statistics.byStatus[response.status, default: 0] += 1 }
        if strike.failure != nil || strike.cut != nil { statistics.faults += 1 }
        return EmulatedAnswer(response: response, delay: strike.latency, cut: strike.cut)
    }

    /// Refuses a request that did not come whole; no fault concerns it.
    mutating func refuse(_ failure: HubFailure, now: Timestamp) -> HTTPResponse {
        statistics.received += 1
        statistics.byStatus[failure.status, default: 0] += 1
        return failure.response(names: RequestNames(using: &generator), now: now)
    }

    private mutating func perform(
        _ call: HubCall,
        work: Result<HubWork, HubFailure>,
        names: RequestNames,
        now: Timestamp
    ) throws(HubFailure) -> HTTPResponse {
        if let claim = call.claim {
            try authorization.check(
                header: call.request.headers["Authorization"],
                host: call.host,
                path: call.target.path,
                claim: claim,
                now: now
            )
        }
        switch try work.get() {
        case .send(let send): return accept(send, call: call, names: names, now: now)
        }
    }

    private mutating func accept(
        _ send: ReadSend,
        call: HubCall,
        names: RequestNames,
        now: Timestamp
    ) -> HTTPResponse {
        let record = SendRecord(
            sequence: log.nextSequence(),
            time: now,
            kind: send.kind,
            isTest: send.isTest,
            format: send.format,
            expression: send.expression,
            handles: send.handles,
            headers: send.headers,
            body: send.body,
            clientTrackingID: call.request.headers["TrackingId"],
            trackingID: names.trackingID,
            notificationID: NotificationID.make(now: now, using: &generator)
        )
        log.append(record)
        statistics.accepted += 1
        var headers = names.headers
        if tier == .standard {
            // Always https: the JavaScript SDK refuses another scheme, also from an emulator.
            headers.append(
                "Location",
                "https://\(call.host)/\(call.hubName)/messages/\(record.notificationID)?api-version=\(call.apiVersion)"
            )
        }
        guard send.isTest else { return HTTPResponse(status: 201, headers: headers) }
        headers.append("Content-Type", "application/xml; charset=utf-8")
        return HTTPResponse(status: 201, headers: headers, body: Array(TestOutcome.withoutTargets.utf8))
    }

    mutating func setFaults(_ faults: FaultSet, now: Timestamp) {
        self.faults.set(faults.requests, now: now)
        deliveryFaults = DeliveryFaults(faults.deliveries)
    }

    func currentFaults(now: Timestamp) -> FaultSet {
        FaultSet(requests: faults.current(now: now), deliveries: deliveryFaults.list)
    }

    mutating func reset() {
        log.removeAll()
        statistics = HubStatistics()
    }
}

/// What the answer to a test send says.
private enum TestOutcome {
    static let withoutTargets =
        "<NotificationOutcome xmlns=\"http://schemas.microsoft.com/netservices/2010/10/servicebus/connect\" "
        + "xmlns:i=\"http://www.w3.org/2001/XMLSchema-instance\">"
        + "<Success>0</Success><Failure>0</Failure><Results /></NotificationOutcome>"
}
