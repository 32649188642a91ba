import NewsflashBasics
import NewsflashHTTPServer
import NewsflashHTTPTransport
import NewsflashTimestamps
import NotificationHubs

/// An emulated hub on this machine: accepts and validates requests of real clients, stores their devices, and shows the
/// notifications that each device receives.
///
/// ``answer(_:)`` is the hub without a network; ``start()`` adds a server.
package final class HubEmulator: Sendable {
    struct State {
        var hub: EmulatedHub
        /// Tasks that wait for a send.
        var sendWaiters = LogWaiters()
        /// Tasks that wait for a delivery.
        var deliveryWaiters = LogWaiters()
        /// The storage that keeps devices across restarts, if configured.
        var store: (any DeviceKeeping)?
        /// Changes that the store has not accepted yet.
        var unwritten = UnwrittenChanges()
    }

    let configuration: HubEmulatorConfiguration
    let pageHosts: PageHosts
    let consoleAccess: ConsoleAccess?
    let state: Locked<State>
    let listening = Locked<HubListening?>(nil)
    let runner = Locked(Runner())
    let streams: EventStreams
    let journal: RequestJournal
    let outcomes: OutcomeLog
    let delays = DelayedAnswers()
    let consoleExtension = Locked<(any ConsoleExtension)?>(nil)

    /// Creates a hub that does not listen yet.
    package init(_ configuration: HubEmulatorConfiguration = HubEmulatorConfiguration()) {
        let rules = configuration.rules.isEmpty ? AccessRule.defaults() : configuration.rules
        let streams = EventStreams()
        self.configuration = configuration
        self.streams = streams
        self.journal = RequestJournal(streams: streams, observer: configuration.requestObserver)
        self.outcomes = OutcomeLog(streams: streams)
        self.pageHosts = PageHosts(
            bound: configuration.hosts,
            allowed: configuration.allowedHosts + (configuration.tls?.names ?? [])
        )
        let access = ConsoleAccess(configuration)
        self.consoleAccess = access
        let now = configuration.clock()
        let hub = EmulatedHub(configuration, rules: rules, feedbackSignature: access?.feedbackSignature, now: now)
        self.state = Locked(State(hub: hub))
    }

    /// The access rules: from the configuration, otherwise from storage, otherwise the two created at the start.
    package var rules: [AccessRule] { state.withLock { $0.hub.rules } }

    /// Answers a request without a network.
    ///
    /// - Returns: The response, with any status.
    package func answer(_ request: EmulatedRequest) -> EmulatedAnswer {
        let target = RequestTarget(request.target)
        return answer(request, target: target, route: Routes.route(method: request.method, target: target))
    }

    /// Answers a request whose target is already parsed.
    func answer(_ request: EmulatedRequest, target: RequestTarget, route: Route) -> EmulatedAnswer {
        let received = ContinuousClock.now
        let now = configuration.clock()
        switch route {
        case .inspection(let segments):
            if let refusal = refusePage(request, target: target, isPage: false) { return refusal }
            return EmulatedAnswer(response: inspect(request, segments: segments, target: target, now: now))
        case .console(let file):
            if let refusal = refusePage(request, target: target, isPage: true) { return refusal }
            return EmulatedAnswer(response: consoleAccess?.signIn(target) ?? file.answer(to: request))
        case .operation(let operation) where request.body.count > operation.maximumBodyBytes:
            return refuse(request, .tooLarge)
        case .operation, .wrongMethod, .unknown: break
        }
        let answer = perform(request, route: route, target: target, received: received, now: now)
        journal.append(RequestRecord(request, answer: answer, received: received, time: now))
        return answer
    }

    private func perform(
        _ request: EmulatedRequest,
        route: Route,
        target: RequestTarget,
        received: ContinuousClock.Instant,
        now: Timestamp
    ) -> EmulatedAnswer {
        let (call, work) = prepare(request, route: route, target: target, received: received, now: now)
        let isWrite = (try? work.get())?.changesWhatIsKept ?? false
        var (answer, change) = change(isWrite: isWrite) { hub in hub.answer(call, work: work, now: now) }
        publish(change)
        if answer.failure == nil { answer.warnings = (try? work.get())?.warnings ?? [] }
        if let failure = change.failure, ![401, 403].contains(answer.response.status) {
            let names = RequestNames(answer.response.headers)
            let failure = HubFailure(500, failure.description)
            answer.response = failure.response(names: names, now: now)
            answer.failure = failure
        }
        return answer
    }

    /// Refuses a request without processing it.
    func refuse(_ request: EmulatedRequest, _ failure: HubFailure) -> EmulatedAnswer {
        let received = ContinuousClock.now
        let now = configuration.clock()
        let answer = state.withLock { $0.hub.refuse(failure, now: now) }
        journal.append(RequestRecord(request, answer: answer, received: received, time: now))
        return answer
    }

    /// The refusal of a request for the page or below `/_emulator` that comes from another host or site, or lacks the token of
    /// the console; `nil` if it is allowed.
    func refusePage(_ request: EmulatedRequest, target: RequestTarget, isPage: Bool) -> EmulatedAnswer? {
        let foreign = pageHosts.refusal(of: request, target: target, isPage: isPage)
        guard let failure = foreign ?? (isPage ? nil : consoleAccess?.refusal(of: request, target: target)) else {
            return nil
        }
        var response = HTTPResponse.problem(failure.status, failure.text ?? "")
        if failure.status == 401 { response.headers.append("WWW-Authenticate", "Bearer") }
        let answer = EmulatedAnswer(response: response, failure: failure)
        journal.append(RequestRecord(request, answer: answer, received: .now, time: configuration.clock()))
        return answer
    }

    /// Parses everything that needs no state, so that the lock is not held meanwhile.
    private func prepare(
        _ request: EmulatedRequest,
        route: Route,
        target: RequestTarget,
        received: ContinuousClock.Instant,
        now: Timestamp
    ) -> (HubCall, Result<HubWork, HubFailure>) {
        var operation: HubOperation?
        if case .operation(let asked) = route { operation = asked }
        var version = APIVersion.newest
        let work: Result<HubWork, HubFailure>
        do throws(HubFailure) {
            version = try APIVersion.check(target)
            let reader = HubWorkReader(
                tier: configuration.tier,
                retiredPlatforms: configuration.retiredPlatforms,
                now: now
            )
            work = .success(try reader.read(request, route: route, target: target, apiVersion: version))
        } catch {
            work = .failure(error)
        }
        let call = HubCall(
            request: request,
            target: target,
            host: target.host ?? request.headers["Host"] ?? configuration.host,
            hubName: target.segments.first ?? configuration.hubName,
            apiVersion: version,
            operation: operation,
            received: received
        )
        return (call, work)
    }
}

/// The hosts for which the emulator answers requests below `/_emulator` and for its page, which need no token.
///
/// A browser lets a page read responses of the page's own origin. If an attacker's host name resolves to this machine (DNS
/// rebinding), the attacker's page has the emulator's origin, but the browser still sends the attacker's name in `Host`. So
/// only names are accepted that no attacker can use. The hub's REST API is protected by its signatures and needs no such
/// check.
struct PageHosts {
    private let named: Set<RequestHost>
    /// Whether the emulator listens on all addresses; then any IP address may be its own.
    private let takesAddresses: Bool

    /// Creates the list.
    ///
    /// - Parameters:
    ///   - bound: The one or two addresses that the emulator listens on.
    ///   - allowed: Further allowed names, without ports.
    init(bound: [String], allowed: [String]) {
        self.named = Set((allowed + bound + ["::1"]).map(RequestHost.init))
        self.takesAddresses = !bound.allSatisfy { !["", "0.0.0.0", "::"].contains($0) }
    }

    /// Returns the reason to refuse a request.
    ///
    /// - Parameters:
    ///   - request: A request below `/_emulator`, or for a file of the page.
    ///   - target: The target of the request; if it contains a host, that is checked too.
    ///   - isPage: Whether the request is for a file of the page.
    /// - Returns: 421 for a foreign host (RFC 9110, section 15.5.20), 403 for a request from another site's page, otherwise
    ///   `nil`.
    func refusal(of request: EmulatedRequest, target: RequestTarget, isPage: Bool) -> HubFailure? {
        // Programs may omit the host; browsers never do.
        let hosts = [target.host, request.headers["Host"]].compactMap(\.self)
        if let foreign = hosts.first(where: { !isOwn($0) }) {
            return HubFailure(
                421,
                "the host '\(foreign.prefix(100))' is not allowed: use localhost, or allow the name with "
                    + "--allow-host"
            )
        }
        // A link on another site may open the page in its own tab.
        let metadata = FetchMetadata { request.headers[$0] }
        guard metadata.isCrossSite, !(isPage && metadata.isLink) else { return nil }
        return HubFailure(403, "requests from other sites are not allowed")
    }

    private func isOwn(_ text: String) -> Bool {
        let host = RequestHost(text)
        if named.contains(host) || host.isLocalhost { return true }
        guard let bytes = host.ipv4 else { return takesAddresses && host.isIPv6 }
        return takesAddresses || bytes[0] == 127
    }
}
