/// A deliberate failure of requests to the hub; does not apply to inspection.
package struct Fault: Sendable, Equatable {
    /// The value of the header `Retry-After`.
    package enum RetryAfter: Sendable, Equatable {
        /// A number of seconds.
        case seconds(Int)
        /// A date, this many seconds after the fault applies.
        case date(secondsAhead: Int)
    }

    /// The point at which a connection is cut.
    package enum Cut: String, Sendable, CaseIterable {
        /// The request has no effect and gets no response.
        case before
        /// The request has its effect, but gets no response.
        case after
        /// The request has its effect and gets half of its response.
        case middle
    }

    /// The reason for rejecting a token.
    package enum TokenError: String, Sendable, CaseIterable {
        /// The signature does not match the rule's key.
        case signature
        /// The token has expired.
        case expired
        /// There is no token.
        case missing
        /// The header does not contain a token.
        case malformed
        /// The token is for another resource.
        case audience
    }

    /// The status of the response.
    package var status: Int?
    /// The reason in the text of a 401.
    package var tokenError: TokenError = .signature
    /// The value of `Retry-After` in the response.
    package var retryAfter: RetryAfter?
    /// Cuts the connection; a status is then ignored.
    package var cut: Cut?
    /// The delay before the response or the cut.
    package var latency = FaultLatency.none
    /// Whether the request takes effect despite the error response, as when a gateway times out.
    package var isAccepted = false
    /// Lets this many requests pass per second, with a burst of one second's worth, and applies to those above.
    package var throttle: Double?
    /// The requests that it can apply to.
    package var scope = FaultScope()
    /// The share of these requests that it affects, from 0 to 1.
    package var rate: Double = 1
    /// The number of times that it applies; `nil` for no limit.
    package var remaining: Int?
    /// The time window in which it applies, relative to the time at which it was set.
    package var window = FaultWindow()

    /// Creates a fault; set rarely used properties afterwards.
    ///
    /// - Parameters:
    ///   - status: The status of the response.
    ///   - retryAfter: The value of `Retry-After` in the response.
    ///   - isCut: Whether to cut the connection instead of responding.
    ///   - latency: The delay before the response.
    ///   - isAccepted: Whether the request takes effect before the error response or the cut.
    ///   - containing: Applies only to requests whose body contains this text.
    ///   - rate: The share of requests that it affects, from 0 to 1.
    ///   - remaining: The number of times that it applies.
    ///   - lasting: The time for which it is active.
    package init(
        status: Int? = nil,
        retryAfter: RetryAfter? = nil,
        isCut: Bool = false,
        latency: Duration = .zero,
        isAccepted: Bool = false,
        containing: String? = nil,
        rate: Double = 1,
        remaining: Int? = nil,
        lasting: Duration? = nil
    ) {
        self.status = status
        self.retryAfter = retryAfter
        self.cut = isCut ? (isAccepted ? .after : .before) : nil
        self.latency = .fixed(latency)
        self.isAccepted = isAccepted
        self.scope.containing = containing
        self.rate = rate
        self.remaining = remaining
        self.window.length = lasting
    }

    /// Whether an affected request still takes effect.
    var hasEffect: Bool {
        switch cut {
        case .before: false
        case .after, .middle: true
        case nil: isAccepted
        }
    }

    /// The status of the response that it produces; `nil` if it produces none.
    var refusal: Int? {
        guard cut == nil else { return nil }
        // A throttle without a status responds like the service.
        return status ?? throttle.map { _ in 429 }
    }
}
