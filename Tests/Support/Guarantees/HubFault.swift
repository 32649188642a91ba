package import NewsflashHubEmulator

/// A fault of the hub for the requests of a story.
///
/// The word is part of the story's headlines, so the hub can select the requests, and a check can find the requests
/// that may have failed.
package enum HubFault: String, Sendable, CaseIterable {
    /// Answers 503 and accepts nothing.
    case unavailable
    /// Answers 429 and accepts nothing.
    case throttled
    /// Cuts the connection and accepts nothing.
    case cutBefore
    /// Accepts the request and cuts the connection.
    case cutAfter
    /// Accepts the request and answers late.
    case slow

    /// The share of a marked story's requests that get the fault.
    ///
    /// It is so small that the last events of a run, all retries, hardly ever fail five times in a row. Otherwise a
    /// worker would open the hub's circuit.
    package static let rate = 0.2
    /// The delay of a slow answer, shorter than the worker's timeout.
    package static let delay = Duration.seconds(5)
    /// The time for which a throttled worker must wait.
    package static let pause = Duration.seconds(1)

    /// The text in a request that may get the fault.
    package var mark: String { "(\(rawValue))" }

    /// Whether the worker cannot know the result of a request with the fault.
    package var hidesTheAnswer: Bool { self == .cutBefore || self == .cutAfter }

    /// Whether a request with the fault is not accepted, so that the event is sent again later.
    package var takesNothing: Bool { self == .unavailable || self == .throttled || self == .cutBefore }

    /// The fault that the emulator is configured with.
    package var fault: Fault {
        switch self {
        case .unavailable: Fault(status: 503, containing: mark, rate: Self.rate)
        case .throttled:
            Fault(
                status: 429,
                retryAfter: .seconds(Int(Self.pause.components.seconds)),
                containing: mark,
                rate: Self.rate
            )
        case .cutBefore: Fault(isCut: true, containing: mark, rate: Self.rate)
        case .cutAfter: Fault(isCut: true, isAccepted: true, containing: mark, rate: Self.rate)
        case .slow: Fault(latency: Self.delay, containing: mark, rate: Self.rate)
        }
    }
}
