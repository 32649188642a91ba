import NotificationHubs
import Testing

@testable import HubEmulator

@Suite("the registry of devices", .timeLimit(.minutes(1)))
struct DeviceRegistryTests {
    @Test func `forgets tags that nobody has any more`() throws {
        var registry = DeviceRegistry()
        for number in 0..<10_000 {
            try registry.put(prepared(["$UserId:{reader-\(number)}", "world"]), name: .assigned(1, 2, 3))
        }
        #expect(registry.tags.foldedCount <= 4)
        #expect(registry.count(of: try Tag("$UserId:{reader-9999}")) == 1)
        #expect(registry.count(of: try Tag("$UserId:{reader-9998}")) == 0)
        #expect(registry.count(of: try Tag("world")) == 1)
        #expect(registry.possibleSlots(of: try Tag("world")).count <= 66)
    }

    @Test func `knows a tag for as long as any spelling of it has a device`() throws {
        var registry = DeviceRegistry()
        let first = try registry.put(prepared(["World", "WORLD"]), name: .assigned(1, 1, 1))
        let second = try registry.put(prepared(["world"]), name: .assigned(2, 1, 1))
        #expect(registry.count(of: try Tag("wOrLd")) == 2)
        registry.remove(slot: first)
        #expect(registry.count(of: try Tag("World")) == 1)
        let third = try registry.put(prepared(["sports"]), name: .assigned(3, 1, 1))
        #expect(registry.registration(try #require(registry[third])).description.tags == [try Tag("sports")])
        #expect(registry.registration(try #require(registry[second])).description.tags == [try Tag("world")])
        registry.remove(slot: second)
        #expect(registry.tags.folded(try Tag("world")) == nil)
        let fourth = try registry.put(prepared(["culture"]), name: .assigned(4, 1, 1))
        #expect(registry.possibleSlots(of: try Tag("culture")) == [fourth])
        #expect(registry.possibleSlots(of: try Tag("world")).isEmpty)
    }

    @Test func `shares the texts of an installation's templates, however many`() throws {
        var installation = Installation(id: "phone", channel: .apns(deviceToken: "AB"))
        installation.templates = (0..<3000).map {
            InstallationTemplate(name: "t-\($0)", body: #"{"aps":{"alert":"$(title)"}}"#)
        }
        var registry = DeviceRegistry()
        let prepared = try PreparedInstallation(installation)
        var next: UInt64 = 0
        for _ in 0..<2 {
            let written = registry.put(prepared) {
                next += 1
                return .assigned(next, 1, 1)
            }
            #expect(written.slots.count == 3001)
            #expect(written.removed.isEmpty)
        }
        #expect(registry.installation("phone")?.installation == installation)
        registry.removeInstallation("phone")
        #expect(registry.registrationCount == 0)
    }

    private func prepared(_ tags: [String]) throws -> PreparedRegistration {
        try PreparedRegistration(
            RegistrationDescription(channel: .apns(deviceToken: "AB"), tags: tags.map { try Tag($0) })
        )
    }
}
