/// How often and for how long a ``NotificationHubClient`` retries.
///
/// Waits grow from ``firstWait`` to ``longestWait`` with full jitter: each is drawn evenly from zero to the current ceiling,
/// so that programs that failed together do not retry together. A `Retry-After` is added before the jitter.
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
    /// Whether to send a message again if the hub may have accepted it; default `false`. Subscribers may then get it twice, so
    /// give the message a collapse ID. By default the caller decides, see ``HubError/mayHaveBeenAccepted``.
    public var repeatsUnknownSends: Bool

    /// Creates a policy.
    ///
    /// - Parameters:
    ///   - maximumAttempts: The maximum number of requests, including the first.
    ///   - maximumTime: How long after the first request another may begin.
    ///   - firstWait: The ceiling of the first wait.
    ///   - longestWait: The ceiling of all later waits.
    ///   - repeatsUnknownSends: Whether to send a message again if the hub may have accepted it.
    public init(
        maximumAttempts: Int = 4,
        maximumTime: Duration = .seconds(60),
        firstWait: Duration = .milliseconds(250),
        longestWait: Duration = .seconds(30),
        repeatsUnknownSends: Bool = false
    ) {
        self.maximumAttempts = maximumAttempts
        self.maximumTime = maximumTime
        self.firstWait = firstWait
        self.longestWait = longestWait
        self.repeatsUnknownSends = repeatsUnknownSends
    }

    /// At most four requests within a minute.
    public static let `default` = HubRetryPolicy()
    /// One request, no retries.
    public static let never = HubRetryPolicy(maximumAttempts: 1)
}
