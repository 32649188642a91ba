import NewsflashBasics
import NewsflashHTTPTransport
import NewsflashTimestamps
import NotificationHubs

/// The state of the namespace: its hubs with their devices, the accepted sends and the faults. Does no input or output.
struct EmulatedHub {
    private(set) var statistics = HubStatistics()
    var log: SendLog
    var deliveries: DeliveryLog
    var queue = FanOutQueue()
    /// Writes of installations that have not taken effect yet.
    private var delayed = FIFOQueue<DelayedWrite>()
    private let installationDelay: Duration
    /// The time of the next search for expired devices.
    private var nextPurge = Timestamp(nanoseconds: 0)
    /// The hubs, by name in lower case.
    var hubs: [String: HostedHub]
    /// Changes that must be stored before the response is sent.
    var changes: [DeviceChange] = []
    /// Changes that subscribers of the event stream have not received yet.
    var notices = HubNotices()
    var generator: SeededRandom
    let tier: HubTier
    /// The signature in the URLs of feedback; `nil` if none is needed.
    let feedbackSignature: String?
    private(set) var rules: [AccessRule]
    /// The rule of the console, with all claims; in addition to ``rules``, never listed or stored.
    let consoleRule = AccessRule.console()
    private var faults: Faults
    /// The delivery faults, for the fan-out.
    private(set) var deliveryFaults: DeliveryFaults
    private var authorization: Authorization
    var testSends: TestSendLimit

    init(_ configuration: HubEmulatorConfiguration, rules: [AccessRule], feedbackSignature: String?, now: Timestamp) {
        self.feedbackSignature = feedbackSignature
        self.log = SendLog(capacity: configuration.sendsKept, maximumBytes: configuration.bytesKept)
        self.deliveries = DeliveryLog(
            capacity: configuration.deliveriesKept,
            maximumBytes: configuration.deliveryBytesKept
        )
        self.authorization = Authorization(rules: rules + [consoleRule])
        self.generator = SeededRandom(seed: configuration.seed)
        self.tier = configuration.tier
        self.installationDelay = configuration.installationDelay
        self.testSends = TestSendLimit(perMinute: configuration.testSendsPerMinute)
        self.rules = rules
        self.hubs = [configuration.hubName.lowercased(): HostedHub(name: configuration.hubName, created: now)]
        self.faults = Faults(seed: configuration.seed)
        self.deliveryFaults = DeliveryFaults(configuration.deliveryFaults)
        faults.set(configuration.faults, now: now)
    }

    /// Answers a request whose parts have already been parsed.
    ///
    /// - Parameters:
    ///   - call: The request.
    ///   - work: The requested operation, or the error found while parsing it. An invalid token has precedence over that
    ///     error.
    ///   - now: The current time.
    /// - Returns: The response, and the delay before it is sent.
    mutating func answer(_ call: HubCall, work: Result<HubWork, HubFailure>, now: Timestamp) -> EmulatedAnswer {
        let names = RequestNames(using: &generator)
        let effect = faults.effect(on: call, now: now)
        var answer = EmulatedAnswer(response: HTTPResponse(status: 500), delay: effect.latency, cut: effect.cut)
        var failure = effect.failure
        answer.isByFault = failure != nil || effect.cut != nil
        if effect.hasEffect {
            do throws(HubFailure) {
                answer.response = try perform(call, work: work, names: names, now: now)
            } catch {
                failure = error
                answer.isByFault = effect.cut != nil
            }
        }
        if let failure { answer.response = failure.response(names: names, now: now) }
        answer.failure = failure
        statistics.received += 1
        if effect.cut == nil { statistics.byStatus[answer.response.status, default: 0] += 1 }
        if effect.failure != nil || effect.cut != nil { statistics.faults += 1 }
        return answer
    }

    /// A write of an installation that takes effect later.
    private struct DelayedWrite {
        var due: Timestamp
        var hub: HubKey
        var work: InstallationWork
    }

    /// Delays a write if the hub imitates the service's delay.
    ///
    /// - Returns: Whether it is delayed.
    mutating func delay(_ work: InstallationWork, hub: HubKey, now: Timestamp) -> Bool {
        guard installationDelay > .zero else { return false }
        delayed.append(DelayedWrite(due: now + installationDelay, hub: hub, work: work))
        return true
    }

    /// Makes the delayed writes that are due. Called before each access, so no timer is needed.
    mutating func catchUp(now: Timestamp) {
        while let write = delayed.first, write.due <= now {
            _ = delayed.popFirst()
            // As in the service, a failure is not reported, such as a patch of an installation that was removed meanwhile.
            _ = try? apply(write.work, hub: write.hub, now: now)
        }
    }

    /// Removes expired registrations and installations, at most once a minute.
    mutating func purge(now: Timestamp) {
        guard now >= nextPurge else { return }
        nextPurge = now + .seconds(60)
        for key in hubs.keys.sorted() {
            guard let gone = hubs[key]?.registry.removeExpired(now: now) else { continue }
            changes += gone.installations.map { .removeInstallation(id: $0, hub: key) }
            changes += gone.registrations.map { .remove(registrationID: $0.description, hub: key) }
        }
    }

    /// Refuses a request that was not received completely. Faults do not apply to it.
    mutating func refuse(_ failure: HubFailure, now: Timestamp) -> EmulatedAnswer {
        statistics.received += 1
        statistics.byStatus[failure.status, default: 0] += 1
        let response = failure.response(names: RequestNames(using: &generator), now: now)
        return EmulatedAnswer(response: response, failure: failure)
    }

    private mutating func perform(
        _ call: HubCall,
        work: Result<HubWork, HubFailure>,
        names: RequestNames,
        now: Timestamp
    ) throws(HubFailure) -> HTTPResponse {
        let hub = HubKey(call.hubName)
        // A hub that does not exist has no keys to check.
        if call.operation?.isOfHub == true, hubs[hub.text] == nil { throw .noService }
        try authorize(call, now: now)
        switch try work.get() {
        case .send(let send):
            return try accept(send, call: call, hub: hub, names: names, now: now)
        case .schedule(let send, let due):
            return schedule(send, at: due, call: call, hub: hub, names: names, now: now)
        case .cancelScheduledSend(let sequence, let id):
            return try cancel(sequence: sequence, id: id, hub: hub, names: names, now: now)
        case .telemetry(let sequence, let id):
            return try telemetry(sequence: sequence, id: id, call: call, names: names)
        case .registration(let work):
            return try perform(work, call: call, hub: hub, names: names, now: now)
        case .installation(let work):
            return try perform(work, hub: hub, names: names, now: now)
        case .feedbackContainer:
            return feedbackContainer(call: call, names: names)
        case .management(let work): return try perform(work, call: call, names: names, now: now)
        }
    }

    private mutating func authorize(_ call: HubCall, now: Timestamp) throws(HubFailure) {
        guard let operation = call.operation else { return }
        let header = call.request.headers["Authorization"]
        let own = hubs[HubKey(call.hubName).text]?.rules ?? []
        do throws(HubFailure) {
            try authorization.check(
                header: header,
                host: call.host,
                path: call.target.path,
                claim: operation.claim,
                ofHub: own,
                now: now
            )
        } catch {
            var failure = error
            if failure.status == 401 {
                failure.token = RequestRecord.Token(
                    header: header,
                    host: call.host,
                    path: call.target.path,
                    keys: (rules + own + [consoleRule]).map(\.key)
                )
            }
            // Recorded in 2020: reading a hub with a wrong key returns this text, writing it returns the text about the
            // signature.
            if case .hub = operation, error.status == 403 || call.request.method == "GET" {
                failure.status = HubFailure.needsManage.status
                failure.text = HubFailure.needsManage.text
            }
            throw failure
        }
    }

    /// Sets the policies of the namespace.
    mutating func set(rules: [AccessRule]) {
        self.rules = rules
        authorization = Authorization(rules: rules + [consoleRule])
    }

    mutating func count(accepted: Int) {
        statistics.accepted += accepted
    }

    mutating func setFaults(_ faults: FaultSet, now: Timestamp) {
        self.faults.set(faults.requests, now: now)
        deliveryFaults = DeliveryFaults(faults.deliveries)
        notices.faults = true
    }

    func currentFaults(now: Timestamp) -> FaultSet {
        FaultSet(requests: faults.current(now: now), deliveries: deliveryFaults.list)
    }

    /// Removes all registrations and installations of all hubs.
    mutating func removeDevices(now: Timestamp) {
        for key in hubs.keys {
            hubs[key]?.registry = DeviceRegistry()
            endFanOuts(of: key, now: now)
            changes.append(.removeAll(hub: key))
        }
    }

    /// Removes finished sends, all deliveries and counters. Devices remain, and so do scheduled sends and sends in progress.
    mutating func reset() {
        // Subscribers discard all sends on a reset, so they receive these again.
        notices.sends.formUnion(log.removeFinished())
        deliveries.removeAll()
        testSends.reset()
        statistics = HubStatistics()
        notices.reset = true
    }
}

/// Counters since the start or the last reset.
package struct HubStatistics: Sendable, Equatable {
    /// Requests to the hub, accepted or not.
    package var received = 0
    /// Accepted sends, including those whose response a fault replaced.
    package var accepted = 0
    /// Responses by status.
    package var byStatus: [Int: Int] = [:]
    /// Responses that a fault determined.
    package var faults = 0
}

/// A limit of test sends per minute. Each operation takes amortized constant time, regardless of the limit.
struct TestSendLimit {
    /// The limit of the service.
    static let ofTheService = 10

    /// The limit; `nil` for none.
    let perMinute: Int?
    /// The times of test sends in the last minute, the oldest first.
    private var times = FIFOQueue<Timestamp>()

    init(perMinute: Int?) {
        self.perMinute = perMinute
    }

    /// Counts a test send unless the limit is reached.
    ///
    /// - Returns: Whether it is allowed; a refused one does not count.
    mutating func acquire(now: Timestamp) -> Bool {
        guard let perMinute else { return true }
        // If the clock was set back, the times would count for longer than a minute.
        if let last = times.last, last > now { reset() }
        while let first = times.first, first + .seconds(60) <= now { _ = times.popFirst() }
        guard times.count < perMinute else { return false }
        times.append(now)
        return true
    }

    mutating func reset() {
        times = FIFOQueue()
    }
}

/// A hub's name as a key, in lower case.
struct HubKey: Hashable {
    let text: String

    init(_ name: String) {
        self.text = name.lowercased()
    }
}

/// The changes since the event streams were last notified.
struct HubNotices {
    /// The sends that were accepted or have progressed.
    var sends: Set<Int64> = []
    /// Whether there are new deliveries.
    var deliveries = false
    /// Whether the faults were changed.
    var faults = false
    /// Whether everything was reset.
    var reset = false

    var isEmpty: Bool { sends.isEmpty && !deliveries && !faults && !reset }
}
