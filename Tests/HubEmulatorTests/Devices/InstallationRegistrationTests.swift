import HTTPTransport
import HubEmulator
import StrictXML
import TestSupport
import Testing

@Suite("registrations of installations that are written by their own ids", .timeLimit(.minutes(1)))
struct InstallationRegistrationTests {
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test(arguments: [false, true])
    func `one that its tags no longer bind is a device of its own, and nobody's slot is given twice`(
        isKept: Bool
    ) async throws {
        let desk = try Desk()
        if isKept { try desk.hub.keepDevices(in: folder.path) }
        desk.install("phone", tags: ["world"])
        let ids = try desk.registrationIDs()
        #expect(ids.count == 2)
        for id in ids {
            let entry = desk.device("GET", "registrations/\(id)").text
                .replacing("$InstallationId:{phone},", with: "sports,")
            #expect(desk.device("PUT", "registrations/\(id)", body: entry).status == 200)
        }
        desk.send(tags: "$InstallationId:{phone}")
        #expect(desk.arrived.isEmpty)
        for id in ids { #expect(desk.device("DELETE", "registrations/\(id)").status == 200) }
        desk.install("other", tags: ["world"])
        #expect(desk.device("DELETE", "installations/phone").status == 204)
        desk.send(tags: "world")
        #expect(desk.readers == ["other"])
        #expect(try desk.registrationIDs().count == 2)
        await desk.hub.stop()
        guard isKept else { return }
        let again = try Desk()
        #expect(try again.hub.keepDevices(in: folder.path) == (2, 1))
        again.send(tags: "$InstallationId:{other}")
        #expect(again.readers == ["other"])
        await again.hub.stop()
    }

    @Test func `an installation that is written anew leaves those alone that left it`() throws {
        let desk = try Desk()
        desk.install("phone", tags: ["world"])
        let id = try #require(try desk.registrationIDs().last)
        let entry = desk.device("GET", "registrations/\(id)").text.replacing("$InstallationId:{phone},", with: "")
        #expect(desk.device("PUT", "registrations/\(id)", body: entry).status == 200)
        desk.install("phone", tags: ["sports"])
        let ids = try desk.registrationIDs()
        #expect(ids.count == 3)
        #expect(ids.contains(id))
        desk.send(tags: "world")
        #expect(desk.hub.settledDeliveries.map(\.registrationID) == [id])
    }

    @Test(arguments: [false, true])
    func `one whose tags name its installation stays its own`(isKept: Bool) async throws {
        let desk = try Desk()
        if isKept { try desk.hub.keepDevices(in: folder.path) }
        desk.install("phone", tags: ["world"])
        for id in try desk.registrationIDs() {
            let entry = desk.device("GET", "registrations/\(id)").text
                .replacing("$InstallationId:{phone},", with: "$InstallationId:{PHONE},sports,")
            #expect(desk.device("PUT", "registrations/\(id)", body: entry).status == 200)
        }
        var last = desk
        if isKept {
            await desk.hub.stop()
            last = try Desk()
            #expect(try last.hub.keepDevices(in: folder.path) == (2, 1))
        }
        last.send(tags: "$InstallationId:{phone} && sports")
        #expect(last.readers == ["phone"])
        #expect(last.device("DELETE", "installations/phone").status == 204)
        #expect(try last.registrationIDs().isEmpty)
        await last.hub.stop()
    }

    @Test func `two that play the same role become one when the installation is written`() throws {
        let desk = try Desk()
        desk.install("phone", tags: ["world"])
        let ids = try desk.registrationIDs()
        let native = desk.device("GET", "registrations/\(try #require(ids.first))").text
        #expect(native.contains("<AppleRegistrationDescription"))
        #expect(desk.device("PUT", "registrations/\(try #require(ids.last))", body: native).status == 200)
        desk.install("phone", tags: ["world"])
        #expect(try desk.registrationIDs().count == 2)
        #expect(desk.device("DELETE", "installations/phone").status == 204)
        #expect(try desk.registrationIDs().isEmpty)
    }
}

extension Desk {
    /// The ids of all registrations, in the order of the list.
    fileprivate func registrationIDs() throws -> [String] {
        try XMLReader.read(device("GET", "registrations").body).elements.filter { $0.name == "entry" }
            .compactMap { $0.first("title")?.text }
    }
}
