import NewsflashHTTPTransport
import NewsflashHubEmulator
import NewsflashKafkaTestCluster
import NotificationHubs
import Testing

/// Signed-in users who try to get what belongs to another.
@Suite(.timeLimit(.minutes(1)))
struct HostileReaderTests {
    @Test func `there are at least ninety hostile users, each with a unique name in its kind`() {
        #expect(HostileReader.all.count >= 90)
    }

    @Test func `each hostile user is refused with its status, and nobody's data is changed`() async throws {
        let world = try await SecureWorld()
        try await world.run { rig in
            // Anna's data: a registration, an installation for World, an id that she has not used yet.
            let registration = try await rig.register("anna", handle: "A1A1A1", tags: ["Politics"])
            let phone = #"{"platform":"apns","pushChannel":"A2A2A2","tags":["World"]}"#
            #expect(try await rig.ask("PUT", "/api/installations/anna-phone", as: "anna", phone).status == 200)
            let issued = try await rig.ask("POST", "/api/register", as: "anna")
            // Bob's data.
            let own = #"{"platform":"apns","pushChannel":"B0","tags":["Sports"]}"#
            #expect(try await rig.ask("PUT", "/api/installations/bob-phone", as: "bob", own).status == 200)
            let hub = try rig.hubClient()
            let channel = PushChannel.apns(deviceToken: "A2A2A2")
            let ofPhone = try await hub.registrations(.channel(channel)).registrations.first?.id ?? ""
            var names = world.tokens
            names["anna's registration"] = registration
            names["anna's new id"] = String(issued.text.dropFirst().dropLast())
            names["anna-phone's registration"] = ofPhone
            let before = try await hub.registrations().registrations

            // Anna was in both audiences.
            for name in ["for anna", "for World"] {
                let answer = try await rig.ask("GET", "/api/notifications/\(names[name] ?? "")", as: "anna")
                #expect(answer.status == 200, "\(name): \(answer.text)")
                #expect(answer.text.contains("secret words"))
            }
            for reader in HostileReader.all {
                var target = reader.target
                for (name, value) in names { target = target.replacing("{\(name)}", with: value) }
                let user = reader.user.isEmpty ? nil : reader.user
                let answer = try await rig.ask(reader.method, target, as: user, reader.body)
                #expect(answer.status == reader.status, "\(reader.name): \(answer.status) \(answer.text)")
                #expect(!answer.text.contains("secret words"), "\(reader.name)")
            }
            let after = try await hub.registrations().registrations
            #expect(after.map(\.description) == before.map(\.description))
            #expect(rig.hub.sends.isEmpty)
            let log = rig.log.lines.joined(separator: "\n")
            for secret in ["secret words", "A1A1A1", "A2A2A2"] + world.tokens.values.filter({ $0.count > 8 }) {
                #expect(!log.contains(secret), "the log holds \(secret)")
            }
        }
    }
}
