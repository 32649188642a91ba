import NewsflashBasics
import NewsflashHTTPTransport
import NewsflashTimestamps
import NotificationHubs

/// Answers requests one after the other from a list, and records them.
final class ScriptedTransport: HTTPTransport {
    /// The result of a request.
    enum Turn: Sendable {
        case answer(HTTPResponse)
        case failure(HTTPTransportError)
        /// No answer until the request is cancelled; then this error.
        case silence(whenCancelled: HTTPTransportError)
    }

    private struct State {
        var turns: [Turn]
        var requests: [HTTPRequest] = []
        var silent: [UInt64: HTTPTransportError] = [:]
        var onSilence: (@Sendable () -> Void)?
    }

    private let state: Locked<State>

    init(_ turns: [Turn]) {
        state = Locked(State(turns: turns))
    }

    var requests: [HTTPRequest] { state.withLock { $0.requests } }
    var turnsLeft: Int { state.withLock { $0.turns.count } }

    /// Sets an action for a request that waits for an answer.
    func whenSilent(_ action: @escaping @Sendable () -> Void) {
        state.withLock { $0.onSilence = action }
    }

    func start(_ exchanges: [HTTPExchange], receiver: any HTTPResultReceiver) {
        for exchange in exchanges {
            let (turn, action) = state.withLock { state -> (Turn, (@Sendable () -> Void)?) in
                state.requests.append(exchange.request)
                let turn = state.turns.isEmpty ? Turn.failure(Self.exhausted) : state.turns.removeFirst()
                guard case .silence(let error) = turn else { return (turn, nil) }
                state.silent[exchange.id] = error
                return (turn, state.onSilence)
            }
            switch turn {
            case .answer(let response): receiver.receive([.init(id: exchange.id, result: .success(response))])
            case .failure(let error): receiver.receive([.init(id: exchange.id, result: .failure(error))])
            case .silence: action?()
            }
        }
    }

    func cancel(_ ids: [UInt64], receiver: any HTTPResultReceiver) {
        for id in ids {
            guard let error = state.withLock({ $0.silent.removeValue(forKey: id) }) else { continue }
            receiver.receive([.init(id: id, result: .failure(error))])
        }
    }

    private static let exhausted = HTTPTransportError(
        .invalidRequest,
        "the script has no turn left",
        mayHaveBeenReceived: false
    )
}

extension ScriptedTransport.Turn {
    /// Returns an answer with a status and a text.
    static func status(_ status: Int, _ body: String = "", headers: HTTPHeaders = []) -> Self {
        .answer(HTTPResponse(status: status, headers: headers, body: Array(body.utf8)))
    }

    /// Returns a refusal in the service's form.
    static func refusal(_ status: Int, _ text: String, headers: HTTPHeaders = []) -> Self {
        .status(status, "<Error><Code>\(status)</Code><Detail>\(text).TrackingId:7f195ef5_G19</Detail></Error>")
    }

    /// The connection was cut while the answer was awaited.
    static let cut = Self.failure(HTTPTransportError(.connectionLost, "the line is cut", mayHaveBeenReceived: true))
    /// No listener.
    static let closed = Self.failure(HTTPTransportError(.cannotConnect, "refused", mayHaveBeenReceived: false))
    /// A success in the service's form.
    static let created = Self.status(
        201,
        headers: [
            .init("Location", "https://newsdesk.servicebus.windows.net/breaking/messages/NH-1-06?api-version=2020-06")
        ]
    )
}

/// A clock that skips every wait and records it.
final class JumpingClock: Clock {
    struct Instant: InstantProtocol {
        var offset = Duration.zero

        func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
        func duration(to other: Instant) -> Duration { other.offset - offset }
        static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
    }

    private let state = Locked((now: Instant(), waits: [Duration]()))
    private let onSleep: (@Sendable () async throws -> Void)?

    /// Creates a clock.
    ///
    /// - Parameter onSleep: An action for each wait, instead of the time that it takes.
    init(onSleep: (@Sendable () async throws -> Void)? = nil) {
        self.onSleep = onSleep
    }

    var now: Instant { state.withLock { $0.now } }
    var minimumResolution: Duration { .nanoseconds(1) }
    var waits: [Duration] { state.withLock { $0.waits } }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        state.withLock { state in
            state.waits.append(state.now.duration(to: deadline))
            state.now = max(state.now, deadline)
        }
        try Task.checkCancellation()
        try await onSleep?()
    }
}

extension NotificationHubClient {
    /// Creates a client of the hub `breaking` whose requests go to a script.
    static func scripted(
        _ transport: ScriptedTransport,
        retries: HubRetryPolicy = .default,
        waiting: any Clock<Duration> = JumpingClock(),
        observer: (@Sendable (HubCallAttempt) -> Void)? = nil
    ) throws -> NotificationHubClient {
        let clock: @Sendable () -> Timestamp = { Timestamp(seconds: 1_767_222_000) }
        let client = try HubClient(
            connection: HubConnectionString(
                "Endpoint=sb://newsdesk.servicebus.windows.net/;SharedAccessKeyName=Full;SharedAccessKey=made-up-key"
            ),
            hub: "breaking",
            clock: clock
        )
        return NotificationHubClient(
            client,
            transport: transport,
            retries: retries,
            clock: clock,
            waiting: waiting,
            observer: observer
        )
    }
}
