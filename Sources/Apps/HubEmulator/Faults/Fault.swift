/// Something that goes wrong on purpose, for requests to the hub (not for inspection).
package struct Fault: Sendable, Equatable {
    /// What the header `Retry-After` says.
    package enum RetryAfter: Sendable, Equatable {
        /// A number of seconds.
        case seconds(Int)
        /// The date that lies so many seconds ahead when the fault strikes.
        case date(secondsAhead: Int)
    }

    /// Where a connection is cut.
    package enum Cut: String, Sendable, CaseIterable {
        /// The request has no effect and no answer.
        case before
        /// The request has its effect, but no answer.
        case after
        /// The request has its effect, and half of its answer.
        case middle
    }

    /// What a refused token is said to lack.
    package enum TokenError: String, Sendable, CaseIterable {
        /// The signature is not that of the rule's key.
        case signature
        /// The token's life is over.
        case expired
        /// There is no token.
        case missing
        /// The header is no token.
        case malformed
        /// The token is for another resource.
        case audience
    }

    /// Answers with this status.
    package var status: Int?
    /// With which words a 401 is answered.
    package var tokenError: TokenError = .signature
    /// Stands in the answer.
    package var retryAfter: RetryAfter?
    /// Cuts the connection; a status then does not matter.
    package var cut: Cut?
    /// Answers, or cuts, so much later.
    package var latency = FaultLatency.none
    /// Whether the request has its effect before the answer says no, as when a gateway times out.
    package var isAccepted = false
    /// Lets so many requests a second pass, with a burst of one second's worth, and strikes those beyond.
    package var throttle: Double?
    /// Which requests it can strike.
    package var scope = FaultScope()
    /// The share of these that it strikes, from 0 to 1.
    package var rate: Double = 1
    /// How often it strikes; without end where there is none.
    package var remaining: Int?
    /// When it strikes, counted from the moment it is set.
    package var window = FaultWindow()

    /// Makes a fault; what is rarer is set afterwards.
    ///
    /// - Parameters:
    ///   - status: Answers with this status.
    ///   - retryAfter: Stands in the answer.
    ///   - isCut: Cuts the connection in place of an answer.
    ///   - latency: Answers so much later.
    ///   - isAccepted: Whether the request has its effect before the answer says no, or the cut.
    ///   - containing: Strikes only where the body has this text.
    ///   - rate: The share of requests that it strikes.
    ///   - remaining: How often it strikes.
    ///   - lasting: How long it lasts.
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

    /// Whether a request that it strikes has its effect all the same.
    var hasEffect: Bool {
        switch cut {
        case .before: false
        case .after, .middle: true
        case nil: isAccepted
        }
    }

    /// The status of the answer that it makes, if it makes one.
    var refusal: Int? {
        guard cut == nil else { return nil }
        // A throttle without a status is the service's own.
        return status ?? throttle.map { _ in 429 }
    }
}
