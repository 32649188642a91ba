package import HubEmulator

/// A fault of the hub on the requests of a story.
///
/// The word is part of the story's headlines, so that the hub knows which requests to strike and a check knows which may have
/// been struck.
package enum HubFault: String, Sendable, CaseIterable {
    /// Answers 503 and takes nothing.
    case unavailable
    /// Answers 429 and takes nothing.
    case throttled
    /// Cuts the connection and takes nothing.
    case cutBefore
    /// Takes the request and cuts the connection.
    case cutAfter
    /// Takes the request and answers late.
    case slow

    /// The share of a marked story's requests that are struck.
    ///
    /// So small that the last events of a run, retries all of them, hardly ever fail five times in a row: a worker would take
    /// the hub for dead, and hold its line.
    package static let rate = 0.2
    /// How late a slow answer comes: within the worker's patience.
    package static let delay = Duration.seconds(5)
    /// How long a throttled worker is asked to wait.
    package static let pause = Duration.seconds(1)

    /// The text that a struck request contains.
    package var mark: String { "(\(rawValue))" }

    /// Whether the worker cannot know what became of a request that was struck.
    package var hidesTheAnswer: Bool { self == .cutBefore || self == .cutAfter }

    /// Whether a request that is struck is not accepted, so that the event is sent again a while later.
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
