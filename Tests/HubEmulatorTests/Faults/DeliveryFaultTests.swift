import HubEmulator
import NotificationHubs
import Testing

@Suite("Deliveries that go wrong on purpose", .timeLimit(.minutes(1)))
struct DeliveryFaultTests {
    /// Counts up, so that a test sees whether it was asked.
    private struct Counting: RandomNumberGenerator {
        var count: UInt64 = 0

        mutating func next() -> UInt64 {
            count += 1
            return count &* 0x9E37_79B9_7F4A_7C15
        }
    }

    @Test func `strikes the platform and the handle it names, the first that fits`() {
        let faults = DeliveryFaults([
            DeliveryFault(outcome: "Success", handle: "ab12"), DeliveryFault(outcome: "WrongToken", platform: .apns),
            DeliveryFault(outcome: "BadChannel", handle: "https://push.example/1"),
            DeliveryFault(outcome: "Dropped", platform: .fcmv1, handle: "f"),
        ])
        var generator = Counting()
        func outcome(_ platform: PushPlatform, _ handle: String) -> String? {
            faults.outcome(platform: platform, handle: handle, using: &generator)
        }
        #expect(outcome(.apns, "00FC") == "WrongToken")
        #expect(outcome(.apns, "AB12") == "Success")
        #expect(outcome(.wns, "AB12") == nil)
        #expect(outcome(.wns, "https://push.example/1") == "BadChannel")
        #expect(outcome(.fcmv1, "f") == "Dropped")
        #expect(outcome(.gcm, "f") == nil)
        // Certainty needs no chance, so it moves nobody else's.
        #expect(generator.count == 0)
    }

    @Test func `strikes the share it was told, and the same ones again`() {
        let faults = DeliveryFaults([DeliveryFault(outcome: "Throttled", rate: 0.25)])
        var generator = Counting()
        let outcomes = (0..<128).map { faults.outcome(platform: .adm, handle: "\($0)", using: &generator) }
        #expect((20...44).contains(outcomes.count { $0 == "Throttled" }))
        #expect(generator.count == 128)
        var again = Counting()
        #expect((0..<128).map { faults.outcome(platform: .adm, handle: "\($0)", using: &again) } == outcomes)
    }

    @Test func `knows the names of the telemetry`() {
        #expect(DeliveryFault.outcomes.count == 20)
        #expect(Set(DeliveryFault.outcomes).count == 20)
    }
}
