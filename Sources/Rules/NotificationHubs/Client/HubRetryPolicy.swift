/// How often and how long a ``NotificationHubClient`` tries.
///
/// Waits grow from ``firstWait`` to ``longestWait`` with full jitter: each is drawn evenly from zero to the present
/// ceiling, so that programs which failed together do not come back together. A `Retry-After` is waited out first.
public struct HubRetryPolicy: Sendable, Equatable {
    /// How many requests at most, the first one included; at least one.
    public var maximumAttempts: Int
    /// How long after the first request another may begin. One that is under way ends by the transport's own time-outs.
    ///
    /// A `Retry-After` that reaches past it ends the call at once.
    public var maximumTime: Duration
    /// The ceiling of the first wait.
    public var firstWait: Duration
    /// The ceiling of every later one.
    public var longestWait: Duration
    /// Whether a message is sent again when the hub may have it already: readers may get it twice then, so let it carry a
    /// collapse id. It is not by default: the caller decides, see ``HubError/mayHaveBeenAccepted``.
    public var repeatsUnknownSends: Bool

    /// Makes a policy.
    ///
    /// - Parameters:
    ///   - maximumAttempts: How many requests at most, the first one included.
    ///   - maximumTime: How long after the first request another may begin.
    ///   - firstWait: The ceiling of the first wait.
    ///   - longestWait: The ceiling of every later one.
    ///   - repeatsUnknownSends: Whether a message is sent again when the hub may have it already.
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

    /// Four requests within a minute.
    public static let `default` = HubRetryPolicy()
    /// One request, whatever comes.
    public static let never = HubRetryPolicy(maximumAttempts: 1)
}
