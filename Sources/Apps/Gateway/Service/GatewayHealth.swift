import NewsflashBasics
import NewsflashHTTPServer
import NewsflashObservability
import NewsflashTimestamps
import NewsflashWorker

/// The readiness of a gateway, with reasons.
final class GatewayHealth: Sendable {
    /// How long a start may delay requests. Limited, because devices can be served without Kafka.
    static let patience = Duration.seconds(30)

    private let started: Instant
    private let isRead: @Sendable () -> Bool
    private let waitUntilRead: @Sendable () async -> Bool
    private let faults: @Sendable () -> [String]
    private let hubFault = Locked<String?>(nil)

    /// Creates the health of a starting gateway.
    ///
    /// - Parameters:
    ///   - started: When the gateway started.
    ///   - isRead: Whether everything that requests need has been read.
    ///   - waitUntilRead: Waits until everything has been read for the first time; `false` if the task was cancelled before.
    ///   - faults: Returns the current faults and their remedies, without secrets.
    init(
        started: Instant,
        isRead: @escaping @Sendable () -> Bool,
        waitUntilRead: @escaping @Sendable () async -> Bool,
        faults: @escaping @Sendable () -> [String]
    ) {
        self.started = started
        self.isRead = isRead
        self.waitUntilRead = waitUntilRead
        self.faults = faults
    }

    /// Records the hub's state from the response to a signed-in user.
    ///
    /// - Parameters:
    ///   - call: The decoded request.
    ///   - status: The status of the response.
    ///   - request: The request's ID in the log.
    func observe(_ call: GatewayCall, status: Int, request: String) {
        guard call.needsHub else { return }
        let fault = status >= 500 ? "\(call.action) failed with \(status): see request.id=\(request) in the log" : nil
        hubFault.withLock { $0 = fault }
    }

    /// The response to a load balancer: 503 during the start, until everything is read or ``patience`` is over. A later fault
    /// of Kafka or the hub does not make the gateway unready, because it affects only the requests that need them.
    func answer(now: Instant) -> HTTPServerResponse {
        isReady(now: now) ? .text("ready\n") : .text("not ready: starting\n", status: 503)
    }

    /// Whether everything is read, or ``patience`` is over.
    func isReady(now: Instant) -> Bool { isRead() || now - started >= Self.patience }

    /// Waits until everything has been read for the first time, or ``patience`` is over.
    ///
    /// - Returns: `false` if the task was cancelled before.
    func waitUntilReady() async -> Bool {
        let rest = Self.patience - (Instant.now - started)
        let waitUntilRead = waitUntilRead
        return await withTaskGroup(of: Bool.self) { group in
            group.addTask { await waitUntilRead() }
            group.addTask { (try? await Task.sleep(for: rest)) != nil }
            defer { group.cancelAll() }
            return await group.next() ?? false
        }
    }

    /// The response to people: 503 with one reason per line if there is a fault.
    func report() -> HTTPServerResponse {
        var reasons = faults()
        if let fault = hubFault.withLock({ $0 }) { reasons.append("hub: \(fault)") }
        if !isRead() { reasons.append("starting: the data for requests is not completely read from Kafka yet") }
        guard !reasons.isEmpty else { return .text("ready\n") }
        return .text(reasons.map { "not ready: \($0)\n" }.joined(), status: 503)
    }
}

extension GatewayCall {
    fileprivate var needsHub: Bool {
        switch self {
        case .publishEvent, .readOutcome, .readNotification: false
        default: true
        }
    }
}

/// The gateway's metrics: requests by action and result, never by user.
final class GatewayMetrics: Sendable {
    let registry = MetricsRegistry()

    /// Creates metrics with zero counts.
    init() {
        ProcessMetrics.add(to: registry)
        registry.gauge(
            "newsflash_gateway_build_info",
            help: "Always 1; the label is the running version.",
            dimensions: [("version", WorkerVersion.current)]
        ).set(1)
    }

    /// Counts a response.
    ///
    /// - Parameters:
    ///   - action: The action as in the audit log; `none` for an unknown address.
    ///   - status: The status of the response.
    ///   - duration: The time from the request's last byte to its response.
    func answered(_ action: String, status: Int, after duration: Duration) {
        registry.counter(
            "newsflash_gateway_requests",
            help: "Answered requests by action and status of the response.",
            dimensions: [("action", action), ("status", "\(status)")]
        ).increment()
        registry.histogram(
            "newsflash_gateway_request_seconds",
            help: "Time from a request's last byte to its response, by action.",
            unit: "seconds",
            dimensions: [("action", action)]
        ).observe(duration / .seconds(1))
    }

    /// Counts a refusal.
    ///
    /// - Parameter label: The reason, as in the response's member `error`.
    func refused(_ label: String) {
        registry.counter(
            "newsflash_gateway_refusals",
            help: "Refused requests by the error in their response.",
            dimensions: [("error", label)]
        ).increment()
    }
}
