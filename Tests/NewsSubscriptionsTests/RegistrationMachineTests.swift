import NewsflashTimestamps
import Testing

@testable import NewsSubscriptions

@Suite(.timeLimit(.minutes(1)))
struct RegistrationMachineTests {
    private let now = Timestamp(seconds: 1_767_222_000)
    private let place = RegistrationPlace(kind: "hub", url: "https://newsdesk.example.net/newsdesk", user: nil)
    private let gone = SubscriptionError(.gone, "gone", isRetriable: true)
    private let offline = SubscriptionError(.offline, "offline", isRetriable: true)

    private func machine(_ state: RegistrationState = .none) -> RegistrationMachine {
        RegistrationMachine(state: state, refresh: .seconds(86_400))
    }

    @Test func `a device without a registration requests an id, then writes under it`() {
        var machine = machine()
        #expect(machine.begin(.registered(digest: "a"), now: now) == .requestID)
        #expect(machine.state == .pending(id: nil, since: now))
        #expect(machine.receive(.id("7-8-1"), now: now) == .put(id: "7-8-1"))
        #expect(machine.state == .pending(id: "7-8-1", since: now))
        let later = now + .seconds(2)
        #expect(machine.receive(.done, now: later) == .end(.registered))
        #expect(machine.state == .registered(id: "7-8-1", digest: "a", at: later))
    }

    @Test func `the same content is not registered again within a day, and is after it`() {
        let state = RegistrationState.registered(id: "7", digest: "a", at: now)
        for (seconds, step) in [
            (0, RegistrationMachine.Step.end(.unchanged(since: now))), (86_399, .end(.unchanged(since: now))),
            (86_400, .put(id: "7")),
        ] {
            var machine = machine(state)
            #expect(machine.begin(.registered(digest: "a"), now: now + .seconds(seconds)) == step)
        }
    }

    @Test func `other content is written at once under the same id`() {
        var machine = machine(.registered(id: "7", digest: "a", at: now))
        #expect(machine.begin(.registered(digest: "b"), now: now) == .put(id: "7"))
        #expect(machine.receive(.done, now: now) == .end(.registered))
        #expect(machine.state == .registered(id: "7", digest: "b", at: now))
    }

    @Test func `a registration with a future date is made again`() {
        var machine = machine(.registered(id: "7", digest: "a", at: now + .seconds(1)))
        #expect(machine.begin(.registered(digest: "a"), now: now) == .put(id: "7"))
    }

    @Test func `an id that is gone is dropped, and both steps are repeated`() {
        var machine = machine(.registered(id: "7", digest: "a", at: now))
        #expect(machine.begin(.registered(digest: "b"), now: now) == .put(id: "7"))
        #expect(machine.receive(.gone(gone), now: now) == .requestID)
        #expect(machine.state == .pending(id: nil, since: now))
        #expect(machine.receive(.id("8"), now: now) == .put(id: "8"))
        #expect(machine.receive(.done, now: now) == .end(.registered))
    }

    @Test func `both steps are repeated only once`() {
        var machine = machine()
        #expect(machine.begin(.registered(digest: "a"), now: now) == .requestID)
        #expect(machine.receive(.id("7"), now: now) == .put(id: "7"))
        #expect(machine.receive(.gone(gone), now: now) == .requestID)
        #expect(machine.receive(.id("8"), now: now) == .put(id: "8"))
        #expect(machine.receive(.gone(gone), now: now) == .end(.failed(gone)))
        #expect(machine.state == .pending(id: nil, since: now))
        // The next launch begins like the first.
        #expect(machine.begin(.registered(digest: "a"), now: now) == .requestID)
        #expect(machine.receive(.id("9"), now: now) == .put(id: "9"))
        #expect(machine.receive(.gone(gone), now: now) == .requestID)
    }

    @Test func `a failed registration stays pending since the first failure, with its id`() {
        var first = machine(.registered(id: "7", digest: "a", at: now))
        #expect(first.begin(.registered(digest: "b"), now: now) == .put(id: "7"))
        #expect(first.receive(.failed(offline), now: now) == .end(.failed(offline)))
        #expect(first.state == .pending(id: "7", since: now))
        var second = machine(first.state)
        #expect(second.begin(.registered(digest: "a"), now: now + .seconds(60)) == .put(id: "7"))
        #expect(second.state == .pending(id: "7", since: now))
    }

    @Test func `a registration is removed, at the next launch if the first removal failed`() {
        var first = machine(.registered(id: "7", digest: "a", at: now))
        #expect(first.begin(.absent, now: now) == .delete(id: "7"))
        #expect(first.receive(.failed(offline), now: now) == .end(.failed(offline)))
        #expect(first.state == .leaving(id: "7", since: now))
        var second = machine(first.state)
        #expect(second.begin(.absent, now: now) == .delete(id: "7"))
        #expect(second.receive(.done, now: now) == .end(.removed))
        #expect(second.state == .none)
        #expect(second.begin(.absent, now: now) == .end(.absent))
    }

    @Test func `a user who comes back before the removal keeps the id`() {
        var machine = machine(.leaving(id: "7", since: now))
        #expect(machine.begin(.registered(digest: "a"), now: now) == .put(id: "7"))
    }

    @Test(arguments: [
        RegistrationState.registered(id: "7-8-1", digest: "a+/=", at: Timestamp(seconds: 1_767_222_000)),
        .pending(id: nil, since: Timestamp(seconds: 1)), .pending(id: "7", since: Timestamp(seconds: 1)),
        .leaving(id: "7", since: Timestamp(seconds: 1)),
    ])
    func `a stored state is read back unchanged`(state: RegistrationState) {
        for device in [nil, "d"] {
            let kept = KeptRegistration(place: place, device: device, state: state)
            #expect(KeptRegistration(kept.text) == kept)
        }
    }

    @Test(arguments: [
        "", "{}", #"{"v":3,"address":"a","owner":"","state":"pending","at":"2026-01-01T00:00:00Z"}"#,
        #"{"v":2,"address":"a","state":"pending","at":"2026-01-01T00:00:00Z"}"#,
        #"{"v":2,"address":"a","owner":"","state":"registered","at":"2026-01-01T00:00:00Z"}"#,
        #"{"v":2,"address":"a","owner":"","state":"registered","id":"7","digest":"a","at":"yesterday"}"#,
    ])
    func `a text that this version did not write is not a state`(text: String) {
        #expect(KeptRegistration(text) == nil)
    }
}
