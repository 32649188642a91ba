import NewsflashBasics
import NewsflashHTTPTransport
import NewsflashTimestamps
import Testing

@testable import NewsSubscriptions

/// Attempts while the app runs, no sooner than the other side allows.
@Suite(.timeLimit(.minutes(1)))
struct RetryTests {
    private static let phone = PushChannel.apns(deviceToken: "abcd")
    private let storage = MemoryStorage()
    private let clock = TestClock()
    private let transport = ScriptedTransport([])

    private func app(
        _ transport: (any HTTPTransport)? = nil,
        _ credentials: @escaping @Sendable () async -> SignInCredentials = { .bearer(token: "t") }
    ) throws -> NewsSubscriber {
        let gateway = try NewsGateway(
            url: "https://push.example.org",
            user: "anna",
            transport: transport ?? self.transport,
            credentials: credentials
        )
        let clock = clock
        return NewsSubscriber(
            registrar: .gateway(gateway),
            storage: storage,
            clock: { clock.now },
            sleep: { clock.advance($0) }
        )
    }

    @Test func `nothing is sent if nothing is pending`() async throws {
        let app = try app()
        #expect(try await app.retry() == .notRegistered)
        transport.answer([HTTPResponse(200, #""7""#), HTTPResponse(200)])
        try await app.register(Self.phone)
        _ = transport.removeRequests()
        #expect(try await app.retry() == .unchanged(since: clock.now))
        #expect(transport.removeRequests().isEmpty)
    }

    @Test func `an old registration is written again while the app runs`() async throws {
        let app = try app()
        transport.answer([HTTPResponse(200, #""7""#), HTTPResponse(200)])
        try await app.register(Self.phone)
        clock.advance(.seconds(86_399))
        _ = transport.removeRequests()
        #expect(try await app.retry() == .unchanged(since: clock.now + .seconds(-86_399)))
        clock.advance(.seconds(1))
        transport.answer([HTTPResponse(200)])
        #expect(try await app.retry() == .registered)
        #expect(transport.removeRequests().map(\.call) == ["PUT /api/register/7"])
    }

    @Test func `a choice that was not registered because of a storage error is registered later`() async throws {
        let app = try app()
        transport.answer([HTTPResponse(200, #""7""#), HTTPResponse(200)])
        try await app.register(Self.phone)
        _ = transport.removeRequests()
        let locked = SubscriptionError(.storage, "locked", isRetriable: true)
        storage.fail(with: locked, forKey: SubscriptionRecords.registrationKey)
        await #expect(throws: SubscriptionError.self) { try await app.subscribe(to: [.world]) }
        storage.repair()
        transport.answer([HTTPResponse(200)])
        #expect(try await app.retry() == .registered)
        #expect(transport.removeRequests().map(\.text).last?.contains("World") == true)
    }

    @Test(arguments: [true, false])
    func `a retry that waited for its turn keeps the wish of the call before it`(isUnregister: Bool) async throws {
        let (began, goOn) = (Promise<Bool>(), Promise<Bool>())
        let app = try app {
            began.end(with: true)
            _ = await goOn.wait()
            return .bearer(token: "t")
        }
        transport.answer([HTTPResponse(200, #""7""#), HTTPResponse(200), HTTPResponse(200)])
        let first = Task { try await app.register(Self.phone) }
        _ = await began.wait()
        // Begun at once, so they wait in this order.
        let wish = Task.immediate { isUnregister ? try await app.unregister() : try await app.subscribe(to: [.world]) }
        let retry = Task.immediate { try await app.retry() }
        goOn.end(with: true)
        #expect(try await first.value == .registered)
        #expect(try await wish.value == (isUnregister ? .notRegistered : .registered))
        _ = try await retry.value
        let last = try #require(transport.removeRequests().last)
        #expect(last.call == (isUnregister ? "DELETE /api/register/7" : "PUT /api/register/7"))
        #expect(last.text.contains("World") == !isUnregister)
        #expect(try await app.status() == (isUnregister ? .notRegistered : .registered(at: clock.now)))
    }

    @Test func `the pause that the other side requests is observed`() async throws {
        let app = try app()
        transport.answer([HTTPResponse(503, headers: [.init("Retry-After", "30")])])
        guard case .pending = try await app.register(Self.phone) else {
            Issue.record("not pending")
            return
        }
        clock.advance(.seconds(29))
        _ = transport.removeRequests()
        guard case .pending(let error) = try await app.retry() else {
            Issue.record("not pending")
            return
        }
        #expect(error.retryAfter == .seconds(30))
        #expect(transport.removeRequests().isEmpty)
        clock.advance(.seconds(1))
        transport.answer([HTTPResponse(200, #""7""#), HTTPResponse(200)])
        #expect(try await app.retry() == .registered)
    }

    @Test func `retries go on until nothing is pending`() async throws {
        let app = try app()
        let began = clock.now
        transport.answer([
            HTTPResponse(503), HTTPResponse(503), HTTPResponse(503), HTTPResponse(200, #""7""#), HTTPResponse(200),
        ])
        _ = try await app.register(Self.phone)
        #expect(try await app.retryUntilDone() == .registered)
        // 5, 10 and 20 s, each up to a fifth more or less.
        let took = clock.now - began
        #expect(took >= .seconds(28) && took <= .seconds(42))
        #expect(clock.advances == 3, "it sleeps once before each attempt")
    }

    @Test func `retries end with an error that a person has to fix`() async throws {
        let app = try app()
        transport.answer([HTTPResponse(503), HTTPResponse(401)])
        _ = try await app.register(Self.phone)
        let error = await #expect(throws: SubscriptionError.self) { try await app.retryUntilDone() }
        #expect(error?.code == .signInNeeded)
    }

    @Test func `without a device nothing can be registered yet`() async throws {
        transport.answer([HTTPResponse(503)])
        _ = try await app().register(Self.phone)
        _ = transport.removeRequests()
        #expect(try await app().retry() == .waitingForDevice)
        #expect(transport.removeRequests().isEmpty)
    }

    @Test func `pauses grow, are spread, and are a quarter of an hour at most`() {
        var pause = RetryPause()
        let now = Timestamp(seconds: 1_767_222_000)
        let offline = SubscriptionError(.offline, "offline", isRetriable: true)
        #expect(pause.remaining(at: now) == .zero)
        let pauses = (0..<12).map { _ in
            pause.record(offline, now: now, share: 0.5)
            return pause.remaining(at: now)
        }
        #expect(pauses.prefix(8).map(\.components.seconds) == [5, 10, 20, 40, 80, 160, 320, 640])
        #expect(pauses.suffix(4).allSatisfy { $0 == .seconds(900) })
        pause.record(offline, now: now, share: 0)
        #expect(pause.remaining(at: now) == .seconds(720))
        #expect(pause.remaining(at: now + .seconds(1000)) == .zero)
        pause.record(SubscriptionError(.refused, "refused"), now: now)
        #expect(pause.remaining(at: now) == .zero)
        pause.record(offline, now: now, share: 0.5)
        #expect(pause.remaining(at: now) == .seconds(5))
        pause.record(nil, now: now)
        #expect(pause.error == nil)
    }

    @Test func `a call ends when its task is cancelled, at work and while it waits`() async throws {
        let silent = SilentTransport()
        let app = try app(silent)
        let first = Task<SubscriptionOutcome, any Error> { try await app.register(Self.phone) }
        await silent.waitForRequest()
        let second = Task<SubscriptionOutcome, any Error> { try await app.subscribe(to: [.world]) }
        second.cancel()
        let refusal = await failure(of: second)
        #expect(refusal?.code == .cancelled)
        #expect(refusal?.isRetriable == false)
        #expect(try await app.choice().categories.isEmpty, "its turn never came")
        first.cancel()
        guard case .pending(let error) = try await first.value else {
            Issue.record("not pending")
            return
        }
        #expect(error.code == .cancelled)
        #expect(!error.isRetriable)
        #expect(try await app.status() == .pending(since: clock.now), "the work is not forgotten")
        #expect(try await app.subscribe(to: []) != .waitingForDevice)
    }

    @Test func `a cancelled attempt is not repeated until somebody asks for it`() async throws {
        let silent = SilentTransport()
        let app = try app(silent)
        let first = Task<SubscriptionOutcome, any Error> { try await app.register(Self.phone) }
        await silent.waitForRequest()
        // The transport was shut down, but the task goes on.
        silent.cancelHeld()
        guard case .pending = try await first.value else {
            Issue.record("not pending")
            return
        }
        silent.hold()
        let retries = Task<SubscriptionOutcome, any Error> { try await app.retryUntilDone() }
        await silent.waitForRequest()
        silent.cancelHeld()
        guard case .pending(let error) = try await retries.value else {
            Issue.record("not pending")
            return
        }
        #expect(error.code == .cancelled)
        #expect(clock.advances == 0, "it never waits for another attempt")
    }

    @Test func `a removal that was cancelled stays pending`() async throws {
        transport.answer([HTTPResponse(200, #""7""#), HTTPResponse(200)])
        try await app().register(Self.phone)
        let silent = SilentTransport()
        let app = try app(silent)
        let removal = Task<SubscriptionOutcome, any Error> { try await app.unregister() }
        await silent.waitForRequest()
        removal.cancel()
        guard case .pending(let error) = try await removal.value else {
            Issue.record("not pending")
            return
        }
        #expect(error.code == .cancelled)
        #expect(try await app.status() == .pending(since: clock.now))
    }

    @Test func `a cancelled attempt neither begins nor ends a pause`() {
        var pause = RetryPause()
        let now = Timestamp(seconds: 1_767_222_000)
        let cancelled = SubscriptionError(.cancelled, "cancelled")
        pause.record(cancelled, now: now)
        #expect(pause.remaining(at: now) == .zero)
        #expect(pause.error == cancelled)
        let busy = SubscriptionError(.unavailable, "busy", isRetriable: true, retryAfter: .seconds(30))
        pause.record(busy, now: now)
        pause.record(cancelled, now: now + .seconds(10))
        #expect(pause.remaining(at: now + .seconds(10)) == .seconds(20))
        #expect(pause.error == busy)
        pause.record(cancelled, now: now + .seconds(31))
        #expect(pause.error == cancelled)
        // The failure before still counts: this pause is the second one.
        pause.record(SubscriptionError(.offline, "offline", isRetriable: true), now: now + .seconds(31), share: 0.5)
        #expect(pause.remaining(at: now + .seconds(31)) == .seconds(10))
    }

    private func failure(of task: Task<SubscriptionOutcome, any Error>) async -> SubscriptionError? {
        do {
            _ = try await task.value
            return nil
        } catch {
            return error as? SubscriptionError
        }
    }
}

/// Answers a held request only when it is cancelled: the first one, and the first after each ``hold()``. Others have no
/// network.
private final class SilentTransport: HTTPTransport {
    private struct State {
        var held: (id: UInt64, receiver: any HTTPResultReceiver)?
        var holdsNext = true
        var began = Promise<Bool>()
    }

    private let state = Locked(State())

    /// Holds the next request, too.
    func hold() {
        state.withLock { state in
            state.holdsNext = true
            state.began = Promise()
        }
    }

    /// Waits until a request is held.
    func waitForRequest() async {
        _ = await state.withLock { $0.began }.wait()
    }

    /// Cancels the held request, as a transport does that is shut down.
    func cancelHeld() {
        guard let held = state.withLock({ $0.held.take() }) else { return }
        let error = HTTPTransportError(.cancelled, "cancelled", mayHaveBeenReceived: true)
        held.receiver.receive([HTTPExchangeResult(id: held.id, result: .failure(error))])
    }

    func start(_ exchanges: [HTTPExchange], receiver: any HTTPResultReceiver) {
        for exchange in exchanges {
            let began = state.withLock { state -> Promise<Bool>? in
                guard state.holdsNext else { return nil }
                state.holdsNext = false
                state.held = (exchange.id, receiver)
                return state.began
            }
            if let began {
                began.end(with: true)
            } else {
                let error = HTTPTransportError(.cannotConnect, "no network", mayHaveBeenReceived: false)
                receiver.receive([HTTPExchangeResult(id: exchange.id, result: .failure(error))])
            }
        }
    }

    func cancel(_ ids: [UInt64], receiver: any HTTPResultReceiver) { cancelHeld() }
}
