/// One request of a call, for logs and metrics. Contains no text of a message, no credentials and no handle or ID of a device.
///
/// A successful call has one attempt, or several of which the last has the result `accepted`.
///
/// ```swift
/// let hub = try NotificationHubClient(
///     connection: HubConnectionString(connectionString),
///     hub: "breaking",
///     transport: transport,
///     observer: { attempt in
///         print(attempt.operation.label, attempt.number, attempt.result, attempt.duration)
///     }
/// )
/// ```
public struct HubCallAttempt: Sendable, Equatable {
    /// The operation.
    public let operation: HubClientOperation
    /// The number of the attempt within the call, from 1.
    public let number: Int
    /// The status of the response; `nil` without a response.
    public let status: Int?
    /// The result as a label for metrics: `accepted`, `throttled`, `refused`, `unavailable`, `cannot_connect`, `timed_out`, …
    public let result: String
    /// The time from the call of the transport to its result.
    public let duration: Duration
    /// The pause before the next attempt; `nil` after the last attempt.
    public let retryAfter: Duration?
    /// The service's ID of the request, for support.
    public let trackingID: String?

    init(_ operation: HubClientOperation, number: Int, _ reply: HubReply, took: Duration, pause: Duration?) {
        self.operation = operation
        self.number = number
        self.status = reply.status
        self.result = reply.label
        self.duration = took
        self.retryAfter = pause
        self.trackingID = reply.trackingID
    }
}

extension HubAttempts.Step {
    /// The pause before the next attempt; `nil` after the last attempt.
    var pause: Duration? {
        switch self {
        case .again(let pause): pause
        case .againWithNewToken: .zero
        case .end: nil
        }
    }
}
