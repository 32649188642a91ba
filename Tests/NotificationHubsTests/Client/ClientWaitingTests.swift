import NewsflashHTTPTransport
import NotificationHubs
import Testing

@Suite("Waits of the client", .timeLimit(.minutes(1)))
struct ClientWaitingTests {
    typealias Turn = ScriptedTransport.Turn

    private static func throttled(_ seconds: String) -> Turn {
        .status(429, headers: [.init("Retry-After", seconds)])
    }

    @Test func `a pause that the hub requests is observed`() async throws {
        let clock = JumpingClock()
        let transport = ScriptedTransport([
            Self.throttled("7"), .status(503, headers: [.init("Retry-After", "2")]), .created,
        ])
        let client = try NotificationHubClient.scripted(transport, waiting: clock)
        _ = try await client.createRegistrationID()
        #expect(clock.waits.count == 2)
        #expect(clock.waits[0] >= .milliseconds(7500) && clock.waits[0] <= .seconds(8))
        #expect(clock.waits[1] >= .seconds(3) && clock.waits[1] <= .seconds(4))
    }

    @Test func `a call fails at once if the requested pause is longer than its time`() async throws {
        let clock = JumpingClock()
        let transport = ScriptedTransport([Self.throttled("60"), .created])
        let client = try NotificationHubClient.scripted(transport, waiting: clock)
        let error = await #expect(throws: HubError.self) { try await client.createRegistrationID() }
        #expect(clock.waits.isEmpty)
        #expect(error?.reply?.retryAfter == .seconds(60))
        #expect(error?.isRetriable == true)
    }

    @Test func `the default policy outlives 15 seconds without a hub`() async throws {
        let clock = JumpingClock()
        let transport = ScriptedTransport(Array(repeating: .closed, count: 6))
        let client = try NotificationHubClient.scripted(transport, retries: .default, waiting: clock)
        await #expect(throws: HubError.self) {
            try await client.send(.template(properties: [("a", "b")]), to: .broadcast)
        }
        #expect(clock.waits.reduce(.zero, +) >= .milliseconds(15_500))
        #expect(clock.waits.reduce(.zero, +) <= .seconds(31))
    }

    @Test func `the wait before a retry has a maximum, which doubles`() async throws {
        let clock = JumpingClock()
        let policy = HubRetryPolicy(
            maximumAttempts: 40,
            maximumTime: .seconds(3600),
            firstWait: .milliseconds(100),
            longestWait: .seconds(2)
        )
        let transport = ScriptedTransport(Array(repeating: .closed, count: 40))
        let client = try NotificationHubClient.scripted(transport, retries: policy, waiting: clock)
        await #expect(throws: HubError.self) { try await client.registration("1-2-3") }
        #expect(clock.waits.count == 39)
        for (index, wait) in clock.waits.enumerated() {
            let ceiling = min(Duration.seconds(2), .milliseconds(100) * (1 << min(index, 20)))
            #expect(wait >= ceiling / 2 - .nanoseconds(1) && wait <= ceiling + .nanoseconds(1))
        }
        // Random each time.
        #expect(Set(clock.waits).count > 20)
    }

    @Test func `no attempt begins after the call's time`() async throws {
        let clock = JumpingClock()
        let policy = HubRetryPolicy(maximumAttempts: 100, maximumTime: .seconds(10), firstWait: .zero)
        let transport = ScriptedTransport(Array(repeating: Self.throttled("4"), count: 9))
        let client = try NotificationHubClient.scripted(transport, retries: policy, waiting: clock)
        await #expect(throws: HubError.self) { try await client.registration("1-2-3") }
        // At 0, 4 and 8 seconds.
        #expect(transport.requests.count == 3)
    }

    @Test(arguments: [HubRetryPolicy.never, HubRetryPolicy(maximumAttempts: 0), HubRetryPolicy(maximumAttempts: -1)])
    func `a call has at least one attempt`(policy: HubRetryPolicy) async throws {
        let transport = ScriptedTransport([.closed, .created])
        let client = try NotificationHubClient.scripted(transport, retries: policy)
        await #expect(throws: HubError.self) { try await client.createRegistrationID() }
        #expect(transport.requests.count == 1)
    }

    @Test(arguments: [
        HubRetryPolicy(maximumTime: .seconds(-1)), HubRetryPolicy(firstWait: .seconds(-1), longestWait: .seconds(-1)),
        HubRetryPolicy(maximumTime: .seconds(Int64.max / 2), firstWait: .seconds(Int64.max / 4)),
    ])
    func `a policy may have any numbers`(policy: HubRetryPolicy) async throws {
        let transport = ScriptedTransport(Array(repeating: .closed, count: 6))
        let client = try NotificationHubClient.scripted(transport, retries: policy, waiting: JumpingClock())
        await #expect(throws: HubError.self) { try await client.createRegistrationID() }
        #expect((1...6).contains(transport.requests.count))
    }

    @Test func `a cancelled task ends its request, which may have been sent`() async throws {
        let transport = ScriptedTransport([
            .silence(whenCancelled: .init(.cancelled, "ended", mayHaveBeenReceived: true)), .created,
        ])
        let error = try await error(ofSendCancelledBy: transport.whenSilent, over: transport)
        #expect(error.code == .cancelled)
        #expect(error.mayHaveBeenAccepted)
        #expect(error.message.contains("it may have been carried out or not"))
        #expect(transport.requests.count == 1)
    }

    @Test func `a cancelled task ends its request, which was surely not sent`() async throws {
        let transport = ScriptedTransport([
            .silence(whenCancelled: .init(.cancelled, "ended", mayHaveBeenReceived: false)), .created,
        ])
        let error = try await error(ofSendCancelledBy: transport.whenSilent, over: transport)
        #expect(error.code == .cancelled)
        #expect(!error.mayHaveBeenAccepted)
        #expect(error.isRetriable)
        #expect(error.message.contains("it was not carried out"))
    }

    @Test func `a cancelled task ends its wait`() async throws {
        let (waits, isWaiting) = AsyncStream<Void>.makeStream()
        let clock = JumpingClock {
            isWaiting.finish()
            try await Task.sleep(for: .seconds(3600))
        }
        let transport = ScriptedTransport([.closed, .created])
        let client = try NotificationHubClient.scripted(transport, waiting: clock)
        let message = try HubMessage.template(properties: [("a", "b")])
        // Awaited below.
        let task = Task { try await client.send(message, to: .broadcast) }
        for await _ in waits {}
        task.cancel()
        let error = await #expect(throws: HubError.self) { try await task.value }
        #expect(error?.code == .cancelled)
        #expect(error?.attempts == 1)
        #expect(transport.requests.count == 1)
    }

    @Test func `a task that was cancelled before sends nothing`() async throws {
        let transport = ScriptedTransport([.created])
        let client = try NotificationHubClient.scripted(transport)
        let (gate, opening) = AsyncStream<Void>.makeStream()
        // Awaited below.
        let task = Task {
            for await _ in gate {}
            return try await client.createRegistrationID()
        }
        task.cancel()
        opening.finish()
        let error = await #expect(throws: HubError.self) { try await task.value }
        #expect(error?.code == .cancelled)
        #expect(transport.requests.isEmpty)
    }

    /// Returns the error of a send that is cancelled when its request is in flight.
    private func error(
        ofSendCancelledBy whenSilent: (@escaping @Sendable () -> Void) -> Void,
        over transport: ScriptedTransport
    ) async throws -> HubError {
        let (silence, isSilent) = AsyncStream<Void>.makeStream()
        whenSilent { isSilent.finish() }
        let client = try NotificationHubClient.scripted(transport)
        let message = try HubMessage.template(properties: [("a", "b")])
        // Awaited below.
        let task = Task { try await client.send(message, to: .broadcast) }
        for await _ in silence {}
        task.cancel()
        return try #require(await #expect(throws: HubError.self) { try await task.value })
    }
}
