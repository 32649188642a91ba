public import NewsflashHTTPTransport
package import NewsflashTimestamps
public import NotificationHubsCore

/// A client of one hub: sends messages, registers devices and reads telemetry.
///
/// ```swift
/// let transport = try CurlTransport()
/// let hub = try NotificationHubClient(
///     connection: HubConnectionString(connectionString),
///     hub: "breaking",
///     transport: transport
/// )
/// try await hub.send(.template(properties: ["headline": "Dam gives way"]), to: .broadcast)
/// ```
///
/// Works with any `HTTPTransport`: `CurlTransport`, or an `AsyncHTTPTransport` around the HTTP client of your program. Copies
/// share one token. Calls may run concurrently.
///
/// A ``HubRetryPolicy`` controls retries of failed calls:
///
/// - If the hub surely did not accept the request (throttled, unavailable, no connection), any call is retried.
/// - If the hub may have accepted it (the connection ended, or the response timed out), the client retries reads, writes
///   with a given ID and deletions, because repeating them does no harm. It does not retry ``createRegistration(_:)``, nor a
///   message unless the policy allows it.
/// - A refused request is not retried. After a 401 the client retries once, with a new token.
///
/// The client waits for a pause that the hub requests. If the task of a call is cancelled, its request or wait ends, and
/// ``HubError/mayHaveBeenAccepted`` says whether the hub may have carried out the request.
public struct NotificationHubClient: Sendable {
    /// Creates the requests and decodes the responses.
    let client: HubClient
    private let transport: any HTTPTransport
    private let retries: HubRetryPolicy
    private let clock: @Sendable () -> Timestamp
    private let waiting: any Clock<Duration>
    private let observer: (@Sendable (HubCallAttempt) -> Void)?

    /// The hub's URL, such as `https://newsdesk.servicebus.windows.net/breaking`.
    public var hubURL: String { client.hubURL }

    /// Creates a client.
    ///
    /// - Parameters:
    ///   - connection: The namespace and the key that signs tokens.
    ///   - hub: The hub's name: 1 to 260 letters, digits, `.`, `-` and `_`.
    ///   - transport: The transport that sends the requests; shut it down when no client uses it any more.
    ///   - retries: The retry policy.
    ///   - userAgent: The value of `User-Agent`; identifies the program in the service's logs.
    ///   - tokenLifetime: The lifetime of a token. It is renewed after three quarters of that time.
    ///   - apiVersion: The API version; all current SDKs send `2020-06`.
    ///   - observer: Receives each attempt of each call when it has ended, for logs and metrics. Called by the task of the
    ///     call: it should return soon.
    /// - Throws: ``HubError`` if the name is invalid.
    public init(
        connection: HubConnectionString,
        hub: String,
        transport: any HTTPTransport,
        retries: HubRetryPolicy = .default,
        userAgent: String = "NotificationHubs-Swift",
        tokenLifetime: Duration = .seconds(3600),
        apiVersion: String = "2020-06",
        observer: (@Sendable (HubCallAttempt) -> Void)? = nil
    ) throws(HubError) {
        let configuration = HubClientConfiguration(
            apiVersion: apiVersion,
            tokenLife: tokenLifetime,
            userAgent: userAgent
        )
        self.init(
            try HubClient(connection: connection, hub: hub, configuration: configuration),
            transport: transport,
            retries: retries,
            observer: observer
        )
    }

    /// Creates a client with given clocks.
    ///
    /// - Parameters:
    ///   - client: Creates the requests.
    ///   - transport: The transport that sends the requests.
    ///   - retries: The retry policy.
    ///   - clock: Returns the current time; a `Retry-After` with a date is relative to it.
    ///   - waiting: The clock for delays between attempts.
    ///   - observer: Receives each attempt when it has ended.
    package init(
        _ client: HubClient,
        transport: any HTTPTransport,
        retries: HubRetryPolicy = .default,
        clock: @escaping @Sendable () -> Timestamp = Timestamp.now,
        waiting: any Clock<Duration> = ContinuousClock(),
        observer: (@Sendable (HubCallAttempt) -> Void)? = nil
    ) {
        self.client = client
        self.transport = transport
        self.retries = retries
        self.clock = clock
        self.waiting = waiting
        self.observer = observer
    }

    /// Signs all further requests of this client and its copies with the key of another connection string, for example because
    /// the key was regenerated. Requests in flight are not affected.
    ///
    /// ```swift
    /// try hub.replaceKey(with: HubConnectionString(newConnectionString))
    /// ```
    ///
    /// - Parameter connection: The policy's name and the key.
    /// - Throws: ``HubError`` with ``HubErrorCode/invalidHubName`` if the connection string is of another namespace.
    public func replaceKey(with connection: HubConnectionString) throws(HubError) {
        guard connection.endpoint.url == client.namespaceURL else {
            throw HubError(.invalidHubName, "the connection string is of another namespace than \(client.namespaceURL)")
        }
        client.replaceKey(connection)
    }
}

extension NotificationHubClient {
    /// Repeats a request until the hub accepts it or the policy ends the attempts.
    ///
    /// - Parameters:
    ///   - operation: The operation.
    ///   - hidden: Texts of the request that no error may contain: the ID and the handle of a device.
    ///   - request: Creates a request; called for each attempt.
    /// - Returns: The accepted response.
    /// - Throws: ``HubError``.
    func perform(
        _ operation: HubClientOperation,
        hiding hidden: [String] = [],
        _ request: () throws(HubError) -> HTTPRequest
    ) async throws(HubError) -> HubAnswer {
        var attempts = HubAttempts(operation, retries)
        var random = SystemRandomNumberGenerator()
        let watch = Stopwatch(waiting)
        var last: HubReply?
        while true {
            if Task.isCancelled { throw HubError(cancelled: attempts, last: last, at: hubURL) }
            let remaining = min(max(.zero, retries.maximumTime - watch.elapsed), .seconds(86_400))
            let next = try request()
            let start = ContinuousClock.now
            let result = await transport.result(of: next, notAfter: start + remaining)
            let took = start.duration(to: .now)
            let reply = HubClient.reply(to: result, now: clock())
            if case .success(let response) = result, reply.verdict == .accepted {
                observer?(HubCallAttempt(operation, number: attempts.failures + 1, reply, took: took, pause: nil))
                return HubAnswer(response: response, reply: reply, attempts: attempts.failures + 1)
            }
            last = reply
            let mayHaveBeenAcceptedBefore = attempts.mayHaveBeenAccepted
            let step = attempts.failed(reply, elapsed: watch.elapsed, using: &random)
            observer?(HubCallAttempt(operation, number: attempts.failures, reply, took: took, pause: step.pause))
            // A request that this task cancelled is not the hub's fault.
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
                // An earlier attempt may have deleted the missing object.
                if isMissing, mayHaveBeenAcceptedBefore, operation.removes, case .success(let response) = result {
                    return HubAnswer(response: response, reply: reply, attempts: attempts.failures)
                }
                throw HubError(isMissing ? .missing : .notAccepted, reply, attempts, hiding: hidden, at: hubURL)
            }
        }
    }

    /// Whether the hub exists but the object does not. A 404 may also come from a wrong address, or from a server in between.
    private func isAbsence(_ result: Result<HTTPResponse, HTTPTransportError>) -> Bool {
        guard case .success(let response) = result, response.status == 404 else { return false }
        let start = response.body.prefix(64)
        guard response.body.isEmpty || start.firstRange(of: Array("<Error".utf8)) != nil else { return false }
        let text = response.body.prefix(8192)
        return Self.absentHubs.allSatisfy { text.firstRange(of: $0) == nil }
    }

    /// Texts in the service's response if the hub or the namespace does not exist.
    private static let absentHubs = [
        "No service is hosted", "NamespaceNotFound", "EndpointNotFound", "SubCode=40400", "SubCode=40402",
    ].map { Array($0.utf8) }
}

/// The time since the first attempt, by any clock.
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

/// The final result of a call that the hub accepted.
struct HubAnswer {
    /// The response; its status is 2xx, or 404 for a deletion that an earlier attempt may have carried out.
    var response: HTTPResponse
    /// The decoded response.
    var reply: HubReply
    /// The number of requests sent.
    var attempts: Int
}
