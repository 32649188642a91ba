import HTTPServer
import Locks
import Timestamps

/// Whether a gateway can serve, with reasons.
final class GatewayHealth: Sendable {
    /// How long a start may keep requests away: devices can be served without Kafka.
    static let patience = Duration.seconds(30)

    private let started: Instant
    private let isRead: @Sendable () -> Bool
    private let faults: @Sendable () -> [String]
    private let hubFault = Locked<String?>(nil)

    /// Makes the health of a gateway that starts.
    ///
    /// - Parameters:
    ///   - started: When the gateway started.
    ///   - isRead: Whether everything was read that requests need.
    ///   - faults: Returns the faults of now and their remedies; never a secret.
    init(started: Instant, isRead: @escaping @Sendable () -> Bool, faults: @escaping @Sendable () -> [String]) {
        self.started = started
        self.isRead = isRead
        self.faults = faults
    }

    /// Learns from an answer to a signed-in user whether the hub serves.
    ///
    /// - Parameters:
    ///   - call: The request, taken apart.
    ///   - status: Of the answer.
    ///   - request: The name of the request in the log.
    func observe(_ call: GatewayCall, status: Int, request: String) {
        guard call.needsHub else { return }
        let fault = status >= 500 ? "\(call.action) got \(status): see request.id=\(request) in the log" : nil
        hubFault.withLock { $0 = fault }
    }

    /// The answer to a load balancer: 503 during the start, until all is read or ``patience`` is over. A fault of Kafka or the
    /// hub later on costs only the requests that need them, so it takes no gateway away.
    func answer(now: Instant) -> HTTPServerResponse {
        guard !isRead(), now - started < Self.patience else { return .text("ready\n") }
        return .text("not ready: starting\n", status: 503)
    }

    /// The answer to people: 503 with each reason in a line if anything is wrong.
    func report() -> HTTPServerResponse {
        var reasons = faults()
        if let fault = hubFault.withLock({ $0 }) { reasons.append("hub: \(fault)") }
        if !isRead() { reasons.append("starting: not everything that requests need is read from Kafka yet") }
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
