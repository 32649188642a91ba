public import HTTPTransport
public import Timestamps

/// A client of one hub: sends messages, registers devices, and tells what became of both.
///
/// Over any `HTTPTransport`; `CurlTransport` is one. Copies share one token. Calls may run side by side.
///
/// What fails is tried again by a ``HubRetryPolicy``:
///
/// - What the hub surely did not take (throttled, out of order, no connection) is tried again, for any call.
/// - Where the hub may have taken it (the connection was cut, or no answer came in time), reads, writes under a name and
///   deletions are tried again: done twice they come to the same. A message is not, unless the policy says so, and neither
///   is ``createRegistration(_:)``.
/// - What the hub refuses is not tried again; after a 401 once, with a new token.
///
/// A pause that the hub asks for is kept. When the task of a call is cancelled, its request or its waiting ends, and
/// ``HubError/mayHaveBeenAccepted`` says whether the hub may have done the work all the same.
public struct NotificationHubClient: Sendable {
    /// Builds the requests and reads the answers.
    let client: HubClient
    private let transport: any HTTPTransport
    private let retries: HubRetryPolicy
    private let clock: @Sendable () -> Timestamp
    private let waiting: any Clock<Duration>

    /// The hub's URL, such as `https://newsdesk.servicebus.windows.net/breaking`.
    public var hubURL: String { client.hubURL }

    /// Makes a client.
    ///
    /// - Parameters:
    ///   - connection: Where the namespace is and how to sign.
    ///   - hub: The hub's name.
    ///   - transport: Carries the requests; shut it down when no client uses it any more.
    ///   - configuration: What may differ between clients.
    ///   - retries: How often and how long is tried.
    ///   - clock: Tells the present instant, for the life of tokens.
    ///   - waiting: Measures and waits between attempts.
    /// - Throws: ``HubError`` for a name that no hub has.
    public init(
        connection: HubConnectionString,
        hub: String,
        transport: any HTTPTransport,
        configuration: HubClientConfiguration = HubClientConfiguration(),
        retries: HubRetryPolicy = .default,
        clock: @escaping @Sendable () -> Timestamp = Timestamp.now,
        waiting: any Clock<Duration> = ContinuousClock()
    ) throws(HubError) {
        self.client = try HubClient(connection: connection, hub: hub, configuration: configuration, clock: clock)
        self.transport = transport
        self.retries = retries
        self.clock = clock
        self.waiting = waiting
    }
}

extension NotificationHubClient {
    /// Asks until the hub says yes, or the policy ends it.
    ///
    /// - Parameters:
    ///   - operation: What is asked.
    ///   - request: Makes a request; called for each attempt.
    /// - Returns: An answer that says yes.
    /// - Throws: ``HubError``.
    func perform(
        _ operation: HubClientOperation,
        _ request: () throws(HubError) -> HTTPRequest
    ) async throws(HubError) -> HubAnswer {
        var attempts = HubAttempts(operation, retries)
        var random = SystemRandomNumberGenerator()
        let watch = Stopwatch(waiting)
        var last: HubReply?
        while true {
            if Task.isCancelled { throw HubError(cancelled: attempts, last: last, at: hubURL) }
            let remaining = min(max(.zero, retries.maximumTime - watch.elapsed), .seconds(86_400))
            let result = await transport.result(of: try request(), notAfter: .now + remaining)
            let reply = HubClient.reply(to: result, now: clock())
            if case .success(let response) = result, reply.verdict == .accepted {
                return HubAnswer(response: response, reply: reply, attempts: attempts.failures + 1)
            }
            last = reply
            let mayHaveBeenAcceptedBefore = attempts.mayHaveBeenAccepted
            let step = attempts.failed(reply, elapsed: watch.elapsed, using: &random)
            // What was ended here is no fault of the hub's.
            if Task.isCancelled, reply.status == nil {
                throw HubError(cancelled: attempts, last: reply, at: hubURL)
            }
            switch step {
            case .againWithNewToken: client.renewToken()
            case .again(let pause):
                do {
                    try await watch.sleep(pause)
                } catch {
                    throw HubError(cancelled: attempts, last: reply, at: hubURL)
                }
            case .end:
                let isMissing = operation.namesThing && isAbsence(result)
                // An attempt before it may have removed what is missing now.
                if isMissing, mayHaveBeenAcceptedBefore, operation.removes, case .success(let response) = result {
                    return HubAnswer(response: response, reply: reply, attempts: attempts.failures)
                }
                throw HubError(isMissing ? .missing : .notAccepted, reply, attempts, at: hubURL)
            }
        }
    }

    /// Whether an answer says that the hub is there and the thing is not. A 404 may also be that of a wrong address, or of
    /// a server in between.
    private func isAbsence(_ result: Result<HTTPResponse, HTTPTransportError>) -> Bool {
        guard case .success(let response) = result, response.status == 404 else { return false }
        let start = response.body.prefix(64)
        guard response.body.isEmpty || start.firstRange(of: Array("<Error".utf8)) != nil else { return false }
        let text = response.body.prefix(8192)
        return Self.absentHubs.allSatisfy { text.firstRange(of: $0) == nil }
    }

    /// What the service says where there is no hub or namespace of the name.
    private static let absentHubs = [
        "No service is hosted", "NamespaceNotFound", "EndpointNotFound", "SubCode=40400", "SubCode=40402",
    ].map { Array($0.utf8) }
}

/// The time since the first attempt, by a clock of any kind.
private struct Stopwatch {
    private let read: () -> Duration
    private let wait: (Duration) async throws -> Void

    init(_ clock: some Clock<Duration>) {
        let start = clock.now
        read = { start.duration(to: clock.now) }
        wait = { try await clock.sleep(for: $0) }
    }

    var elapsed: Duration { read() }

    func sleep(_ pause: Duration) async throws {
        try await wait(pause)
    }
}
