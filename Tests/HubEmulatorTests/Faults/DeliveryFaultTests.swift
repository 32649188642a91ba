import NewsflashHubEmulator
import NotificationHubs
import Testing

@Suite("Faults of deliveries", .timeLimit(.minutes(1)))
struct DeliveryFaultTests {
    /// A generator that counts up, so that a test sees whether it was used.
    private struct Counting: RandomNumberGenerator {
        var count: UInt64 = 0

        mutating func next() -> UInt64 {
            count += 1
            return count &* 0x9E37_79B9_7F4A_7C15
        }
    }

    @Test func `the first delivery fault that matches the platform and the handle applies`() {
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
        // A fault that always applies draws no random number, so other draws stay the same.
        #expect(generator.count == 0)
    }

    @Test func `a delivery fault applies to its share of deliveries, reproducibly`() {
        let faults = DeliveryFaults([DeliveryFault(outcome: "Throttled", rate: 0.25)])
        var generator = Counting()
        let outcomes = (0..<128).map { faults.outcome(platform: .adm, handle: "\($0)", using: &generator) }
        #expect((20...44).contains(outcomes.count { $0 == "Throttled" }))
        #expect(generator.count == 128)
        var again = Counting()
        #expect((0..<128).map { faults.outcome(platform: .adm, handle: "\($0)", using: &again) } == outcomes)
    }

    @Test func `delivery faults have the outcome names of the telemetry`() {
        #expect(DeliveryFault.outcomes.count == 20)
        #expect(Set(DeliveryFault.outcomes).count == 20)
    }
}
