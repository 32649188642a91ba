/// How often and for how long a ``NotificationHubClient`` retries.
///
/// Waits grow from ``firstWait`` to ``longestWait``. Each is drawn evenly between half of the current ceiling and the ceiling,
/// so that programs that failed together do not retry together. A `Retry-After` is added before the jitter.
///
/// ```swift
/// let patient = HubRetryPolicy(maximumAttempts: 10, maximumTime: .seconds(300))
/// ```
public struct HubRetryPolicy: Sendable, Equatable {
    /// The maximum number of requests, including the first; at least one.
    public var maximumAttempts: Int
    /// How long after the first request another may begin. The transport's time-outs limit a request in flight.
    ///
    /// If a `Retry-After` exceeds the remaining time, the call fails at once.
    public var maximumTime: Duration
    /// The ceiling of the first wait.
    public var firstWait: Duration
    /// The ceiling of all later waits.
    public var longestWait: Duration
    /// Whether a message is sent again after a 500 or 503 of the service, which has probably not accepted the message then.
    public var resendsAfterServerErrors: Bool
    /// Whether a message is sent again after a lost connection, a time-out, or an error of a gateway, so that subscribers may
    /// get it twice. A collapse ID in the message prevents that on most platforms.
    ///
    /// Otherwise the caller decides, see ``HubError/mayHaveBeenAccepted``.
    public var resendsAfterLostConnections: Bool

    /// Creates a policy.
    ///
    /// - Parameters:
    ///   - maximumAttempts: The maximum number of requests, including the first.
    ///   - maximumTime: How long after the first request another may begin.
    ///   - firstWait: The ceiling of the first wait.
    ///   - longestWait: The ceiling of all later waits.
    ///   - resendsAfterServerErrors: Whether a message is sent again after a 500 or 503.
    ///   - resendsAfterLostConnections: Whether a message is sent again if the hub may have accepted it.
    public init(
        maximumAttempts: Int = 6,
        maximumTime: Duration = .seconds(60),
        firstWait: Duration = .seconds(1),
        longestWait: Duration = .seconds(30),
        resendsAfterServerErrors: Bool = true,
        resendsAfterLostConnections: Bool = false
    ) {
        self.maximumAttempts = maximumAttempts
        self.maximumTime = maximumTime
        self.firstWait = firstWait
        self.longestWait = longestWait
        self.resendsAfterServerErrors = resendsAfterServerErrors
        self.resendsAfterLostConnections = resendsAfterLostConnections
    }

    /// At most six requests within a minute. The waits between them are 15 to 31 seconds in all, so that a call outlives the
    /// restart of a server in between.
    public static let `default` = HubRetryPolicy()
    /// One request, no retries.
    public static let never = HubRetryPolicy(maximumAttempts: 1)
}

/// The attempts of one call. Decides after each failure whether and when to try again.
///
/// The rules are the worker's: a request that the hub surely did not accept is repeated; a refused request is not. If the
/// outcome is unknown, the request is repeated only if repeating it does no harm.
struct HubAttempts {
    /// The next step after a failed attempt.
    enum Step: Equatable {
        /// Another attempt after a pause.
        case again(after: Duration)
        /// Another attempt at once, with a new token.
        case againWithNewToken
        /// No other attempt.
        case end
    }

    let operation: HubClientOperation
    let policy: HubRetryPolicy
    /// The number of failed attempts.
    private(set) var failures = 0
    /// Whether the hub may have carried out one of the failed attempts.
    private(set) var mayHaveBeenAccepted = false
    private var hasRenewedToken = false

    init(_ operation: HubClientOperation, _ policy: HubRetryPolicy) {
        self.operation = operation
        self.policy = policy
    }

    /// Counts an attempt that failed.
    ///
    /// - Parameters:
    ///   - reply: The reply; its verdict is not `accepted`.
    ///   - elapsed: The time since the first attempt began.
    ///   - random: The source of the jitter.
    /// - Returns: The next step.
    mutating func failed(
        _ reply: HubReply,
        elapsed: Duration,
        using random: inout some RandomNumberGenerator
    ) -> Step {
        failures += 1
        mayHaveBeenAccepted = mayHaveBeenAccepted || reply.mayHaveBeenAccepted
        let remaining = policy.maximumTime - elapsed
        guard remaining > .zero, failures < policy.maximumAttempts else { return .end }
        // Only once: a wrong key stays wrong.
        if reply.status == 401, !hasRenewedToken {
            hasRenewedToken = true
            return .againWithNewToken
        }
        let pause = reply.retryAfter ?? .zero
        guard mayHelp(reply), isSafe(after: reply), pause < remaining else { return .end }
        return .again(after: min(remaining, pause + jitter(using: &random)))
    }

    /// Whether another attempt may have a different result.
    private func mayHelp(_ reply: HubReply) -> Bool {
        // A failed precondition does not change, and a response that is too large stays too large.
        guard reply.status != 412, reply.label != "response_too_large" else { return false }
        // The caller or the transport's shutdown ended the request.
        guard reply.verdict != .notSent else { return false }
        return reply.verdict.isRetriable
    }

    /// Whether another attempt can do no harm.
    private func isSafe(after reply: HubReply) -> Bool {
        if operation.isRepeatable || !reply.mayHaveBeenAccepted { return true }
        guard operation.sendsMessage else { return reply.isServerError }
        return reply.isServerError ? policy.resendsAfterServerErrors : policy.resendsAfterLostConnections
    }

    private func jitter(using random: inout some RandomNumberGenerator) -> Duration {
        // The limit of one day prevents overflow.
        let longest = min(policy.longestWait, .seconds(86_400))
        var ceiling = max(.zero, min(policy.firstWait, longest))
        for _ in 0..<min(max(failures - 1, 0), 30) { ceiling = max(.zero, min(longest, ceiling * 2)) }
        let milliseconds = ceiling / .milliseconds(1)
        return .milliseconds(Double.random(in: milliseconds / 2...milliseconds, using: &random))
    }
}

extension HubReply {
    /// Whether the service itself reports that it could not process the request.
    fileprivate var isServerError: Bool { status == 500 || status == 503 }
}
