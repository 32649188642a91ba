package import NotificationHubs

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

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

/// The delay that a fault adds.
package enum FaultLatency: Sendable, Equatable {
    /// A constant delay.
    case fixed(Duration)
    /// A random delay as in real services: most responses are fast, a few are slow.
    ///
    /// Drawn from the log-normal distribution with these two percentiles: `exp(µ + σ·z)`, with `z` from the standard normal
    /// distribution (Box–Muller method), `µ = ln(p50)` and `σ = (ln(p99) - ln(p50)) / 2.3263478740408408`; the constant is the
    /// 99th percentile of the standard normal distribution. One draw in 100 is above `p99`, one in 10,000 above
    /// `p50 · (p99 / p50)^1.6`.
    case percentiles(p50: Duration, p99: Duration)

    /// No delay.
    static let none = FaultLatency.fixed(.zero)

    /// The maximum delay, also for the sum of several faults.
    static let longest = Duration.seconds(31_536_000)

    private static let standardNormal99 = 2.3263478740408408

    /// Draws a delay.
    ///
    /// - Parameter generator: Not used for a constant delay.
    /// - Returns: A delay of zero or more.
    func draw(using generator: inout some RandomNumberGenerator) -> Duration {
        switch self {
        case .fixed(let latency): return latency
        case .percentiles(let p50, let p99):
            let median = p50 / .seconds(1)
            let sigma = log(p99 / p50) / Self.standardNormal99
            // In (0, 1], because zero has no logarithm.
            let radius = (-2 * log(1 - Double.random(in: 0..<1, using: &generator))).squareRoot()
            let angle = 2 * Double.pi * Double.random(in: 0..<1, using: &generator)
            let seconds = median * exp(sigma * radius * cos(angle))
            return seconds < Self.longest / .seconds(1) ? .seconds(seconds) : Self.longest
        }
    }
}

/// All faults.
package struct FaultSet: Sendable, Equatable {
    /// The request faults.
    package var requests: [Fault]
    /// The delivery faults.
    package var deliveries: [DeliveryFault]

    /// Creates a set.
    package init(requests: [Fault] = [], deliveries: [DeliveryFault] = []) {
        self.requests = requests
        self.deliveries = deliveries
    }
}

/// A fault that applies to a delivery: the send is accepted, but a platform rejects it for some devices.
package struct DeliveryFault: Sendable, Equatable {
    /// The service's names for the outcome of a delivery (`get-notification-message-telemetry`; `NotFound` was also observed).
    package static let outcomes: [String] = [
        "AbandonedNotificationMessages", "BadChannel", "ChannelDisconnected", "ChannelThrottled", "Dropped",
        "ExpiredChannel", "InvalidCredentials", "InvalidNotificationFormat", "InvalidNotificationSize", "NoTargets",
        "NotFound", "PnsInterfaceError", "PnsServerError", "PnsUnavailable", "PnsUnreachable", "Skipped", "Success",
        "Throttled", "UnknownError", "WrongToken",
    ]

    /// The outcome of the delivery, one of ``outcomes``. `Success` exempts matching deliveries from the faults after it.
    package var outcome: String
    /// The share of matching deliveries that it affects, from 0 to 1.
    package var rate: Double
    /// Restricts the fault to a platform.
    package var platform: PushPlatform?
    /// Restricts the fault to a handle, as registered by the device; APNs tokens are compared case-insensitively.
    package var handle: String?

    /// Creates a fault.
    ///
    /// - Parameters:
    ///   - outcome: The outcome of the delivery.
    ///   - rate: The share of matching deliveries that it affects, from 0 to 1.
    ///   - platform: Restricts the fault to a platform.
    ///   - handle: Restricts the fault to a handle.
    package init(outcome: String, rate: Double = 1, platform: PushPlatform? = nil, handle: String? = nil) {
        self.outcome = outcome
        self.rate = rate
        self.platform = platform
        self.handle = handle
    }
}

/// The active delivery faults, evaluated for each delivery of a fan-out.
package struct DeliveryFaults: Sendable, Equatable {
    /// The faults; the first one that applies determines the outcome.
    package var list: [DeliveryFault]

    /// Creates a list.
    ///
    /// - Parameter list: The faults; empty for none.
    package init(_ list: [DeliveryFault] = []) {
        self.list = list
    }

    /// Returns the outcome that a fault sets for a delivery.
    ///
    /// - Parameters:
    ///   - platform: The push service of the device.
    ///   - handle: The handle of the device.
    ///   - generator: Used once for each matching fault with a rate below 1.
    /// - Returns: The name of the outcome; `nil` if no fault applies.
    package func outcome(
        platform: PushPlatform,
        handle: String,
        using generator: inout some RandomNumberGenerator
    ) -> String? {
        list.first { $0.concerns(platform, handle) && $0.rate.applies(using: &generator) }?.outcome
    }
}

extension DeliveryFault {
    fileprivate func concerns(_ platform: PushPlatform, _ handle: String) -> Bool {
        if let wanted = self.platform, wanted != platform { return false }
        guard let wanted = self.handle else { return true }
        // The service stores APNs tokens in upper case.
        return wanted == handle || platform == .apns && wanted.lowercased() == handle.lowercased()
    }
}

extension Double {
    /// Whether a fault with this rate applies; a rate of 1 uses no random number.
    func applies(using generator: inout some RandomNumberGenerator) -> Bool {
        self >= 1 || Double.random(in: 0..<1, using: &generator) < self
    }
}

/// The requests that a fault can apply to; by default all requests to the hub.
package struct FaultScope: Sendable, Equatable {
    /// Groups of operations.
    package enum Operation: String, Sendable, CaseIterable {
        /// Sends to tags, to a handle or in a batch, including scheduled ones.
        case send
        /// Telemetry of notifications.
        case telemetry
        /// Registrations, their ids and lists.
        case registration
        /// Installations.
        case installation
        /// Import, export and the feedback container.
        case job
        /// The hub itself.
        case hub
    }

    /// A pattern for method and path.
    package struct Pattern: Sendable, Equatable {
        /// The method in upper case; `nil` for any.
        package var method: String?
        /// The beginning of the path, with the hub's name; compared with the decoded path, case-insensitively.
        package var path: String

        /// Parses a pattern: `POST /newsroom/messages`, or a path alone.
        ///
        /// - Parameter text: An optional method and a space, followed by a path that begins with a slash.
        package init?(_ text: String) {
            let words = text.split(separator: " ", omittingEmptySubsequences: false)
            guard let path = words.last, path.hasPrefix("/"), words.count <= 2 else { return nil }
            if words.count == 2 {
                guard !words[0].isEmpty, words[0].allSatisfy({ $0.isASCII && $0.isLetter }) else { return nil }
                self.method = words[0].uppercased()
            }
            self.path = String(path)
        }

        /// The pattern in the form that is parsed.
        var text: String { method.map { "\($0) \(path)" } ?? path }

        fileprivate func concerns(_ request: HubCall) -> Bool {
            if let method, method != request.request.method { return false }
            let actual = "/" + request.target.segments.joined(separator: "/")
            return actual.lowercased().hasPrefix(path.lowercased())
        }
    }

    /// Restricts the scope to these groups.
    package var operations: Set<Operation>?
    /// Restricts the scope to requests that match one of these patterns.
    package var requests: [Pattern]?
    /// Restricts the scope to requests whose body contains this text.
    package var containing: String?

    /// Creates a scope of all requests.
    package init() {}

    /// Whether a request is in the scope.
    ///
    /// - Returns: True if all restrictions match.
    func contains(_ call: HubCall) -> Bool {
        if let operations {
            guard let operation = call.operation, operations.contains(operation.group) else { return false }
        }
        if let requests, !requests.contains(where: { $0.concerns(call) }) { return false }
        return containing.map { call.request.body.contains($0) } ?? true
    }
}

extension HubOperation {
    /// The group of the operation, for faults.
    fileprivate var group: FaultScope.Operation {
        switch self {
        case .send, .scheduleSend, .cancelScheduledSend: .send
        case .telemetry: .telemetry
        case .createRegistrationID, .createRegistration, .listRegistrations, .registration, .listTagged: .registration
        case .installation: .installation
        case .feedbackContainer, .jobs, .job: .job
        case .hub, .listHubs: .hub
        }
    }
}

extension [UInt8] {
    fileprivate func contains(_ text: String) -> Bool {
        let wanted = Array(text.utf8)
        guard let first = wanted.first else { return true }
        guard count >= wanted.count else { return false }
        return (0...(count - wanted.count)).contains { self[$0] == first && self[$0...].starts(with: wanted) }
    }
}
