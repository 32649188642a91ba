import NewsflashTimestamps
import Testing

@testable import NewsSubscriptions

@Suite(.timeLimit(.minutes(1)))
struct SubscriptionRecordsTests {
    private let place = RegistrationPlace(kind: "register", url: "https://push.example.org", user: "anna")
    private let now = Timestamp(seconds: 1_767_222_000)
    private let storage = MemoryStorage()
    private var records: SubscriptionRecords { SubscriptionRecords(storage: storage, device: nil) }

    @Test func `a registration of another format counts as absent`() throws {
        let state = RegistrationState.registered(id: "7", digest: "a", at: now)
        try records.store(state, at: place)
        #expect(try records.state(at: place) == state)
        let text = try #require(storage.strings(forKey: SubscriptionRecords.registrationKey)?.first)
        for other in [text.replacing("\"v\":2", with: "\"v\":1"), "", "{}", "no JSON"] {
            try storage.store([other], forKey: SubscriptionRecords.registrationKey)
            #expect(try records.state(at: place) == .none)
            #expect(try records.enter(place, now: now) == .none)
        }
    }

    @Test func `the latest of many former registrations are kept`() throws {
        for number in 1...40 { try records.addFormer(["\(number)"], at: place, now: now) }
        #expect(try records.former().map(\.state.id) == (9...40).map { "\($0)" })
    }
}
