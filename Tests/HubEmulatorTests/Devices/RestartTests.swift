import FoundationEssentials
import HTTPTransport
import HubEmulator
import NotificationHubs
import Testing

@Suite("devices over restarts", .timeLimit(.minutes(1)))
struct RestartTests {
    @Test func `knows registrations and installations again`() async throws {
        let folder = FileManager.default.temporaryDirectory.path + "/devices-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let first = try Desk()
        #expect(try first.hub.keepDevices(in: folder) == (0, 0))
        first.install("phone", tags: ["world"], user: "reader")
        first.install("gone", tags: ["world"])
        first.install("patched", tags: ["sports"])
        let patch = #"[{"op":"replace","path":"/tags/sports","value":"world"}]"#
        _ = first.device("PATCH", "installations/patched", body: patch)
        _ = first.device("DELETE", "installations/gone")
        let phone = first.device("GET", "installations/phone").text
        let patched = first.device("GET", "installations/patched").text
        await first.hub.stop()

        let second = try Desk()
        #expect(try second.hub.keepDevices(in: folder) == (4, 2))
        #expect(second.device("GET", "installations/phone").text == phone)
        #expect(second.device("GET", "installations/patched").text == patched)
        second.send(tags: "$UserId:{reader} || $InstallationId:{patched}")
        #expect(second.readers == ["patched", "phone"])
        #expect(second.device("PUT", "installations/phone", body: phone).status == 200)
        #expect(second.inspect("GET", "hub").text.contains(#""registrations":4,"installations":2"#))
        await second.hub.stop()
    }

    @Test func `says which other process has the folder`() async throws {
        let folder = FileManager.default.temporaryDirectory.path + "/devices-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let first = try Desk()
        try first.hub.keepDevices(in: folder)
        let error = #expect(throws: DeviceStoreError.self) { try Desk().hub.keepDevices(in: folder) }
        #expect(error?.code == .inUse)
        await first.hub.stop()
    }
}
