import NewsflashBasics
import Testing

@testable import NewsflashGateway

/// The removed users, whose devices must be removed.
@Suite(.timeLimit(.minutes(1)))
struct UserWatchTests {
    @Test func `a removed user is former until the devices are removed`() {
        var watch = UserWatch(["anna", "bob", "eve"])
        #expect(watch.record(["anna", "bob", "eve"]) == nil && watch.former.isEmpty)
        #expect(watch.record(["bob"]) == nil)
        #expect(watch.former == ["anna", "eve"])
        #expect(watch.record(["bob"]) == nil && watch.former == ["anna", "eve"])
        watch.isDone("anna")
        #expect(watch.former == ["eve"])
    }

    @Test func `a user who comes back keeps the remaining devices`() {
        var watch = UserWatch(["anna", "bob"])
        #expect(watch.record(["bob"]) == nil && watch.former == ["anna"])
        #expect(watch.record(["anna", "bob"]) == nil && watch.former.isEmpty)
    }

    @Test func `more than ten and more than half of the users at once count as a mistake`() {
        let all = Set((0..<22).map { "user-\($0)" })
        var watch = UserWatch(all)
        #expect(watch.record([]) == 22)
        #expect(watch.former.isEmpty)
        watch = UserWatch(all)
        #expect(watch.record(Set(all.sorted().prefix(11))) == nil)
        #expect(watch.former.count == 11)
        watch = UserWatch(Set(all.sorted().prefix(10)))
        #expect(watch.record([]) == nil && watch.former.count == 10)
    }
}

/// Which check of the hub proves that a removed user has no device.
@Suite(.timeLimit(.minutes(1)))
struct DeviceRemovalTests {
    @Test func `devices are looked for until the hub lists none`() async throws {
        let anna = try #require(GatewayUser("anna"))
        // The hub lists an installation for a moment after it was deleted, and a request in flight writes another.
        let phone = DeviceRecord.installation("phone")
        let looks = Locked<[Set<DeviceRecord>]>([[phone], [phone, .registration("1-2-3")], []])
        let removal = DeviceRemoval(settlingTime: .zero) { _ throws(GatewayRefusal) in
            looks.withLock { $0.isEmpty ? [] : $0.removeFirst() }
        }
        #expect(try await removal.removeAll(of: anna) == 2)
        #expect(looks.withLock { $0.isEmpty })
    }

    @Test func `an early check of the hub does not count`() async throws {
        let anna = try #require(GatewayUser("anna"))
        let looks = Locked(0)
        let removal = DeviceRemoval(settlingTime: .milliseconds(700)) { _ throws(GatewayRefusal) in
            // A gateway wrote the device after the first check.
            let look = looks.withLock { looks in
                looks += 1
                return looks
            }
            return look == 2 ? [.registration("1-2-3")] : []
        }
        #expect(try await removal.removeAll(of: anna) == 1)
        #expect(looks.withLock { $0 } >= 3)
    }
}
