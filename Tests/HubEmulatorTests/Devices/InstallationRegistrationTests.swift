import NewsflashHTTPTransport
import NewsflashHubEmulator
import NewsflashStrictXML
import NewsflashTestSupport
import Testing

@Suite("writes to single registrations of installations", .timeLimit(.minutes(1)))
struct InstallationRegistrationTests {
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test(arguments: [false, true])
    func `a registration without its installation's tag is a separate device, and no slot is reused`(
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

    @Test func `a rewritten installation keeps registrations that no longer belong to it`() throws {
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
    func `a registration whose tags name its installation still belongs to it`(isKept: Bool) async throws {
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

    @Test func `two registrations with the same role become one when the installation is written`() throws {
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
