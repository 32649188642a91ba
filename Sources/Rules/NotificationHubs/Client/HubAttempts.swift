/// The attempts of one call: says after each that failed whether and when there is another.
///
/// The rules are the worker's: what a hub surely did not take is tried again, what it refuses is not, and what is not known
/// is tried again only where doing it twice comes to the same.
struct HubAttempts {
    /// What comes after a failed attempt.
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
    /// How many have failed.
    private(set) var failures = 0
    /// Whether one of those that failed may have been carried out all the same.
    private(set) var mayHaveBeenAccepted = false
    private var hasRenewedToken = false

    init(_ operation: HubClientOperation, _ policy: HubRetryPolicy) {
        self.operation = operation
        self.policy = policy
    }

    /// Counts an attempt that failed.
    ///
    /// - Parameters:
    ///   - reply: What it came to; not accepted.
    ///   - elapsed: Since the first attempt began.
    ///   - random: Where the jitter comes from.
    /// - Returns: What comes now.
    mutating func failed(
        _ reply: HubReply,
        elapsed: Duration,
        using random: inout some RandomNumberGenerator
    ) -> Step {
        failures += 1
        mayHaveBeenAccepted = mayHaveBeenAccepted || reply.mayHaveBeenAccepted
        let remaining = policy.maximumTime - elapsed
        guard remaining > .zero, failures < policy.maximumAttempts else { return .end }
        // Once: a key that is wrong stays wrong.
        if reply.status == 401, !hasRenewedToken {
            hasRenewedToken = true
            return .againWithNewToken
        }
        let pause = reply.retryAfter ?? .zero
        guard mayHelp(reply), isSafe(after: reply), pause < remaining else { return .end }
        return .again(after: min(remaining, pause + jitter(using: &random)))
    }

    /// Whether another attempt may come to something else.
    private func mayHelp(_ reply: HubReply) -> Bool {
        // The condition does not hold; and an answer that is too large stays so.
        guard reply.status != 412, reply.label != "response_too_large" else { return false }
        // Ended by the caller, or by the end of the transport.
        guard reply.verdict != .notSent else { return false }
        return reply.verdict.isRetriable
    }

    /// Whether another attempt can do no harm.
    private func isSafe(after reply: HubReply) -> Bool {
        if operation.isRepeatable || !reply.mayHaveBeenAccepted { return true }
        // What the hub itself says it could not do, it has not done; of a gateway's answer that is not known.
        if let status = reply.status, status == 500 || status == 503 { return true }
        return policy.repeatsUnknownSends && operation != .createRegistration
    }

    private func jitter(using random: inout some RandomNumberGenerator) -> Duration {
        // A day is more than anyone waits, and no number overflows.
        let longest = min(policy.longestWait, .seconds(86_400))
        var ceiling = max(.zero, min(policy.firstWait, longest))
        for _ in 0..<min(max(failures - 1, 0), 30) { ceiling = max(.zero, min(longest, ceiling * 2)) }
        return .milliseconds(Double.random(in: 0...(ceiling / .milliseconds(1)), using: &random))
    }
}
