import NewsflashBasics
import NewsflashHTTPTransport
import NewsflashTestSupport
import NotificationHubs
import Testing

@testable import NewsflashHubEmulator

@Suite("a hub whose storage fails", .timeLimit(.minutes(1)))
struct FailingStoreTests {
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test func `a failed write is reported, and a repetition of the request stores it`() async throws {
        let (desk, store) = try desk()
        desk.install("phone", tags: ["world"])
        store.fails(true)
        let refused = desk.device("DELETE", "installations/phone")
        #expect(refused.status == 500)
        #expect(refused.text.contains("the disk is full"))
        #expect(desk.device("DELETE", "installations/phone").status == 500, "nothing is left to delete in memory")
        // Requests that write nothing still succeed.
        desk.send()
        store.fails(false)
        #expect(desk.device("DELETE", "installations/phone").status == 204)
        await desk.hub.stop()
        #expect(try await kept() == [])
    }

    @Test func `failed writes are repeated in order before the next write`() async throws {
        let (desk, store) = try desk()
        store.fails(true)
        desk.install("phone", tags: ["old"], answers: 500)
        desk.install("phone", tags: ["new"], answers: 500)
        desk.install("other", answers: 500)
        #expect(desk.device("DELETE", "installations/other").status == 500)
        store.fails(false)
        desk.install("third")
        await desk.hub.stop()
        #expect(try await kept() == ["phone", "third"])
        let again = try Desk()
        try again.hub.keepDevices(in: folder.path)
        again.send(tags: "new")
        #expect(again.readers == ["phone"])
        await again.hub.stop()
    }

    @Test func `failed writes are repeated when the hub stops`() async throws {
        let (desk, store) = try desk()
        store.fails(true)
        desk.install("phone", answers: 500)
        store.fails(false)
        await desk.hub.stop()
        #expect(try await kept() == ["phone"])
    }

    @Test func `a failed removal of all devices is reported`() async throws {
        let (desk, store) = try desk()
        desk.install("phone")
        store.fails(true)
        let refused = desk.inspect("DELETE", "devices")
        #expect(refused.status == 500)
        #expect(refused.text.contains("the disk is full"))
        store.fails(false)
        #expect(desk.inspect("DELETE", "devices").status == 204)
        await desk.hub.stop()
        #expect(try await kept() == [])
    }

    @Test func `a failing store does not bypass authorization`() async throws {
        let (desk, store) = try desk()
        store.fails(true)
        desk.install("phone", answers: 500)
        let stranger: HTTPHeaders = [.init("Authorization", desk.token(key: "another"))]
        #expect(desk.device("DELETE", "installations/phone", headers: stranger).status == 401)
        await desk.hub.stop()
    }

    @Test func `the memory for failed writes is bounded by the number of devices`() throws {
        var unwritten = UnwrittenChanges()
        for number in 0..<10_000 {
            unwritten.append([
                .putInstallation(Installation(id: "A\(number % 10)", channel: .apns(deviceToken: "AB")), hub: "news"),
                .removeInstallation(id: "a\(number % 10)", hub: "news"),
            ])
        }
        #expect(unwritten.changes.count <= 1026)
        unwritten.append([.removeAll(hub: "news")])
        let channel = PushChannel.apns(deviceToken: "AB")
        for _ in 0..<3000 {
            unwritten.append([
                .put(
                    Registration(id: "r", description: RegistrationDescription(channel: channel)),
                    installationID: nil,
                    hub: "news"
                ),
                .removeHub(name: "regional"),
            ])
        }
        #expect(unwritten.changes.count <= 1026)
        #expect(unwritten.changes.first == .removeAll(hub: "news"))
        #expect(unwritten.changes.last == .removeHub(name: "regional"))
    }

    private func desk() throws -> (Desk, UnsteadyStore) {
        let desk = try Desk()
        try desk.hub.keepDevices(in: folder.path)
        let store = UnsteadyStore(try #require(desk.hub.state.withLock { $0.store }))
        desk.hub.state.withLock { $0.store = store }
        return (desk, store)
    }

    /// The installations that another hub finds in the folder.
    private func kept() async throws -> [String] {
        let store = try DeviceStore(folder: folder.path)
        defer { store.close() }
        var ids: [String] = []
        try store.load { if case .installation(let installation, _) = $0 { ids.append(installation.id) } }
        return ids
    }
}

/// A store on a disk that is full from time to time.
private final class UnsteadyStore: DeviceKeeping {
    private let store: any DeviceKeeping
    private let isFull = Locked(false)

    init(_ store: any DeviceKeeping) {
        self.store = store
    }

    func fails(_ fails: Bool) { isFull.withLock { $0 = fails } }

    func write(_ changes: [DeviceChange]) throws(DeviceStoreError) {
        guard !isFull.withLock({ $0 }) else { throw DeviceStoreError(.diskFull, "the disk is full") }
        try store.write(changes)
    }

    func close() { store.close() }
}
