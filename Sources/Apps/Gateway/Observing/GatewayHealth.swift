import HTTPServer
import Locks
import Timestamps

/// The readiness of a gateway, with reasons.
final class GatewayHealth: Sendable {
    /// How long a start may delay requests. Limited, because devices can be served without Kafka.
    static let patience = Duration.seconds(30)

    private let started: Instant
    private let isRead: @Sendable () -> Bool
    private let faults: @Sendable () -> [String]
    private let hubFault = Locked<String?>(nil)

    /// Creates the health of a starting gateway.
    ///
    /// - Parameters:
    ///   - started: When the gateway started.
    ///   - isRead: Whether everything that requests need has been read.
    ///   - faults: Returns the current faults and their remedies, without secrets.
    init(started: Instant, isRead: @escaping @Sendable () -> Bool, faults: @escaping @Sendable () -> [String]) {
        self.started = started
        self.isRead = isRead
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
    /// of
    /// Kafka or the hub does not make the gateway unready, because it affects only the requests that need them.
    func answer(now: Instant) -> HTTPServerResponse {
        guard !isRead(), now - started < Self.patience else { return .text("ready\n") }
        return .text("not ready: starting\n", status: 503)
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
