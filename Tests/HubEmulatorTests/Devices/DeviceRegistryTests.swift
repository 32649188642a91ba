import NewsflashBasics
import NewsflashTestSupport
import NotificationHubs
import Testing

@testable import NewsflashHubEmulator

@Suite("the registry of devices", .timeLimit(.minutes(1)))
struct DeviceRegistryTests {
    @Test func `a tag that no device has any more is removed`() throws {
        var registry = DeviceRegistry()
        for number in 0..<10_000 {
            try registry.put(prepared(["$UserId:{reader-\(number)}", "world"]), name: .assigned(1, 2, 3))
        }
        #expect(registry.tagCount == 2)
        #expect(registry.slots(of: try Tag("$UserId:{reader-9999}")).slots == [0])
        #expect(registry.slots(of: try Tag("$UserId:{reader-9998}")).isEmpty)
        #expect(registry.slots(of: try Tag("world")).slots == [0])
    }

    @Test func `a tag exists as long as a device has any spelling of it`() throws {
        var registry = DeviceRegistry()
        let first = try registry.put(prepared(["World", "WORLD"]), name: .assigned(1, 1, 1))
        let second = try registry.put(prepared(["world"]), name: .assigned(2, 1, 1))
        #expect(registry.slots(of: try Tag("wOrLd")).slots == [first, second])
        registry.remove(slot: first)
        #expect(registry.slots(of: try Tag("World")).slots == [second])
        let third = try registry.put(prepared(["sports"]), name: .assigned(3, 1, 1))
        #expect(registry.registration(try #require(registry[third])).description.tags == [try Tag("sports")])
        #expect(registry.registration(try #require(registry[second])).description.tags == [try Tag("world")])
        registry.remove(slot: second)
        #expect(registry.tagCount == 1)
        let fourth = try registry.put(prepared(["culture"]), name: .assigned(4, 1, 1))
        #expect(registry.slots(of: try Tag("culture")).slots == [fourth])
        #expect(registry.slots(of: try Tag("world")).isEmpty)
    }

    @Test func `the time to write an installation grows linearly with its templates, which share texts`() throws {
        func prepared(templates count: Int) throws -> PreparedInstallation {
            var installation = Installation(id: "phone", channel: .apns(deviceToken: "AB"))
            installation.templates = (0..<count).map {
                InstallationTemplate(name: "t-\($0)", body: #"{"aps":{"alert":"$(title)"}}"#)
            }
            return try PreparedInstallation(installation)
        }
        let growth = try growth(from: 1000, prepare: { try prepared(templates: $0) }) { prepared in
            var registry = DeviceRegistry()
            var generator = SeededRandom(seed: 1)
            for _ in 0..<2 {
                let written = registry.put(prepared, using: &generator)
                #expect(written.slots.count == prepared.registrations.count)
                #expect(written.removed.isEmpty)
            }
            registry.removeInstallation("phone")
            #expect(registry.installation("phone") == nil)
            #expect(registry.registrationCount == 0)
            #expect(registry.slots(ofHandle: "AB").isEmpty)
        }
        // With one search per template the growth is at least 9.
        #expect(growth < 7)
        #expect(try prepared(templates: 1000).registrations.count == 1001)
    }

    @Test func `an installation contains what was written`() throws {
        var installation = Installation(id: "phone", channel: .apns(deviceToken: "AB"))
        var registry = DeviceRegistry()
        var generator = SeededRandom(seed: 1)
        for count in [0, 1, 2, 15, 16, 17, 40, 9, 8, 7, 1, 0, 30] {
            installation.templates = (0..<count).map { InstallationTemplate(name: "t-\($0)", body: "{}") }
            _ = registry.put(try PreparedInstallation(installation), using: &generator)
            #expect(registry.installation("phone")?.installation == installation)
            #expect(Set(registry.slots(ofHandle: "AB")).count == count + 1)
            #expect(registry.slots(ofHandle: "AB").count == count + 1)
            #expect(registry.registrationCount == count + 1)
        }
    }

    @Test func `texts that only look equal are stored separately`() throws {
        var registry = DeviceRegistry()
        var generator = SeededRandom(seed: 7)
        let texts = ["caf\u{E9}", "cafe\u{301}"].map { #"{"aps":{"alert":"\#($0)"}}"# }
        for (number, text) in texts.enumerated() {
            var installation = Installation(id: "\(number)", channel: .apns(deviceToken: "AB0\(number)"))
            installation.templates = [InstallationTemplate(name: "t", body: text)]
            let slots = registry.put(try PreparedInstallation(installation), using: &generator).slots
            let record = try #require(registry[slots[1]])
            let bodies = [
                registry.registration(record).description.template?.body,
                registry.installation("\(number)")?.installation.templates.first?.body,
            ]
            #expect(bodies.allSatisfy { $0?.utf8.elementsEqual(text.utf8) == true })
        }
    }

    @Test func `a new id is unused, also if the generator starts again`() throws {
        var registry = DeviceRegistry()
        for (round, id) in ["first", "second", "third"].enumerated() {
            var generator = SeededRandom(seed: 7)
            let installation = Installation(id: id, channel: .apns(deviceToken: "AB0\(round)"))
            _ = registry.put(try PreparedInstallation(installation), using: &generator)
            #expect(registry.registrationCount == round + 1)
        }
    }

    private func prepared(_ tags: [String]) throws -> PreparedRegistration {
        try PreparedRegistration(
            RegistrationDescription(channel: .apns(deviceToken: "AB"), tags: tags.map { try Tag($0) })
        )
    }
}
