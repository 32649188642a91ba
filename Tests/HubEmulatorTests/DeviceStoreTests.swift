import FoundationEssentials
import NewsflashHubEmulator
import NewsflashSQLite
import NewsflashTestSupport
import NewsflashTimestamps
import NotificationHubs
import Testing

@Suite("DeviceStore", .timeLimit(.minutes(1)))
struct DeviceStoreTests {
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func `devices of every platform are read as written, also after a restart`(seed: UInt64) throws {
        var random = RandomDevices(seed: seed)
        var expected: [StoredDevice] = []
        for (number, platform) in PushPlatform.allCases.enumerated() {
            expected.append(
                .installation(try random.installation(id: "i\(number)", platform: platform), hub: "news")
            )
        }
        for (number, platform) in PushPlatform.allCases.enumerated() {
            let registration = try random.registration(id: "r\(9 - number)", platform: platform)
            expected.append(
                .registration(registration, installationID: number % 2 == 0 ? "i\(number)" : nil, hub: "news")
            )
        }
        let store = try DeviceStore(folder: folder.path)
        try store.write(expected.map(\.change))
        expectSame(try load(store), expected, "seed \(seed)")
        store.close()
        expectSame(try load(DeviceStore(folder: folder.path)), expected, "seed \(seed)")
    }

    @Test func `a device that is written again replaces the old one and keeps its position`() throws {
        var random = RandomDevices(seed: 1)
        let store = try DeviceStore(folder: folder.path)
        let first = try random.installation(id: "first", platform: .wns)
        let second = try random.installation(id: "second", platform: .apns)
        let changed = try random.installation(id: "first", platform: .browser)
        let registration = try random.registration(id: "r", platform: .baidu)
        let changedRegistration = try random.registration(id: "r", platform: .browser)
        try store.write([.putInstallation(first, hub: "news"), .putInstallation(second, hub: "news")])
        try store.write([.put(registration, installationID: "first", hub: "news")])
        try store.write([
            .put(changedRegistration, installationID: nil, hub: "news"), .putInstallation(changed, hub: "news"),
        ])
        expectSame(
            try load(store),
            [
                .installation(changed, hub: "news"), .installation(second, hub: "news"),
                .registration(changedRegistration, installationID: nil, hub: "news"),
            ]
        )
    }

    @Test func `a removal deletes only the named device, and only from its hub`() throws {
        var random = RandomDevices(seed: 2)
        let store = try DeviceStore(folder: folder.path)
        let installation = try random.installation(id: "same", platform: .wns)
        let registration = try random.registration(id: "same", platform: .fcmv1)
        for hub in ["a", "b", "c"] {
            try store.write([
                .putInstallation(installation, hub: hub), .put(registration, installationID: nil, hub: hub),
            ])
        }
        try store.write([
            .remove(registrationID: "same", hub: "a"), .removeInstallation(id: "same", hub: "b"),
            .removeAll(hub: "c"), .remove(registrationID: "none", hub: "a"),
            .removeInstallation(id: "none", hub: "none"), .removeAll(hub: "none"),
        ])
        let left: [StoredDevice] = [
            .installation(installation, hub: "a"), .registration(registration, installationID: nil, hub: "b"),
        ]
        expectSame(try load(store), left)
        store.close()
        expectSame(try load(DeviceStore(folder: folder.path)), left)
    }

    @Test func `changes are applied in their order`() throws {
        var random = RandomDevices(seed: 3)
        let registration = try random.registration(id: "r", platform: .apns)
        let store = try DeviceStore(folder: folder.path)
        try store.write([
            .put(registration, installationID: nil, hub: "news"), .remove(registrationID: "r", hub: "news"),
        ])
        #expect(try load(store) == [])
        try store.write([.removeAll(hub: "news"), .put(registration, installationID: nil, hub: "news")])
        #expect(try load(store).count == 1)
    }

    @Test func `a crash does not lose written changes`() throws {
        var random = RandomDevices(seed: 4)
        let store = try DeviceStore(folder: folder.path)
        var expected: [StoredDevice] = []
        for number in 100..<300 {
            let platform = PushPlatform.allCases[number % PushPlatform.allCases.count]
            let registration = try random.registration(id: "r\(number)", platform: platform)
            expected.append(.registration(registration, installationID: nil, hub: "news"))
            try store.write([.put(registration, installationID: nil, hub: "news")])
        }
        expectSame(try loadCopy(), expected)
        store.close()
    }

    @Test(arguments: [0, 1, 33, 4096, 20_000, 100_001, 150_000])
    func `a truncated log loses the last writes, each as a whole`(length: Int) throws {
        let store = try DeviceStore(folder: folder.path)
        let pairs = try (0..<40).map { number in
            try ["a", "b"].map { half in
                var random = RandomDevices(seed: UInt64(number))
                let registration = try random.registration(id: "\(100 + number)\(half)", platform: .browser)
                return StoredDevice.registration(registration, installationID: nil, hub: "news")
            }
        }
        for pair in pairs { try store.write(pair.map(\.change)) }
        let left = try loadCopy { copy in
            let log = URL(filePath: copy.file("devices.sqlite-wal"))
            let bytes = try Data(contentsOf: log)
            try #require(bytes.count > length)
            try bytes.prefix(length).write(to: log)
        }
        #expect(left.isEmpty == (length <= 20_000))
        #expect(left.count < 80)
        #expect(left.count % 2 == 0)
        expectSame(left, Array(pairs.joined().prefix(left.count)))
        store.close()
    }

    @Test(arguments: [["news"], ["news", "other"], ["a", "news", "z"]])
    func `no table has rows of a hub that was emptied`(hubs: [String]) throws {
        var random = RandomDevices(seed: 11)
        let store = try DeviceStore(folder: folder.path)
        for hub in hubs {
            for (number, platform) in PushPlatform.allCases.enumerated() {
                try store.write([
                    .putInstallation(try random.installation(id: "\(number)", platform: platform), hub: hub),
                    .put(try random.registration(id: "\(number)", platform: platform), installationID: nil, hub: hub),
                ])
            }
        }
        let before = try load(store)
        try store.write([.removeAll(hub: "news")])
        let left = try load(store)
        expectSame(left, before.filter { $0.hub != "news" })
        store.close()
        let database = try SQLiteDatabase(path: folder.file("devices.sqlite"))
        var rows = try database.prepare("SELECT count(*) FROM items").rows()
        #expect(try rows.next() == true)
        #expect(try rows.integer(0) == Int64(left.count))
    }

    @Test func `a second store on the folder is refused while the first is open`() throws {
        let first = try DeviceStore(folder: folder.path)
        let error = #expect(throws: DeviceStoreError.self) {
            try DeviceStore(folder: folder.path, patience: .zero)
        }
        #expect(error?.code == .inUse)
        #expect(error?.message.contains("another process uses the folder \(folder.path)") == true)
        first.close()
        #expect(throws: Never.self) { try DeviceStore(folder: folder.path, patience: .zero) }
    }

    @Test(arguments: [
        (4, DeviceStoreError.Code.newerVersion, "(table version 4, supported up to 3)"),
        (2, .olderVersion, "(table version 2, supported from 3); delete it, or use another folder"),
    ])
    func `the tables of another version are refused and not changed`(
        version: Int32,
        code: DeviceStoreError.Code,
        message: String
    ) throws {
        do {
            let database = try SQLiteDatabase(path: folder.file("devices.sqlite"))
            try database.execute("CREATE TABLE registrations(something_else TEXT)")
            try database.setUserVersion(version)
        }
        let error = #expect(throws: DeviceStoreError.self) { try DeviceStore(folder: folder.path) }
        #expect(error?.code == code)
        #expect(error?.message.contains(message) == true, "\(String(describing: error))")
        let database = try SQLiteDatabase(path: folder.file("devices.sqlite"))
        #expect(try database.userVersion() == version)
    }

    @Test func `the database of another program is refused`() throws {
        try SQLiteDatabase(path: folder.file("devices.sqlite")).execute("CREATE TABLE subscribers(name TEXT)")
        let error = #expect(throws: DeviceStoreError.self) { try DeviceStore(folder: folder.path) }
        #expect(error?.code == .unreadable)
        #expect(error?.message.contains("another program") == true)
    }

    @Test func `a file that is not a database is refused`() throws {
        try Data("hello, this is not a database".utf8).write(to: URL(filePath: folder.file("devices.sqlite")))
        let error = #expect(throws: DeviceStoreError.self) { try DeviceStore(folder: folder.path) }
        #expect(error?.code == .unreadable)
    }

    @Test(
        arguments: [
            "UPDATE items SET value = replace(value, 'apns', 'pager')",
            "UPDATE items SET value = replace(value, 'apns', 'baidu')",
            "UPDATE items SET value = replace(value, '\"tags\":[', '\"tags\":[\"no tag!\",')",
            "UPDATE items SET value = replace(value, '\"tags\":[', '\"tags\":[1,')",
            "UPDATE items SET value = replace(value, '\"id\"', '\"variables\":[\"odd\"],\"id\"')",
            "UPDATE items SET value = replace(value, '\"id\"', '\"template\":{},\"id\"') WHERE kind = 'registration'",
            "UPDATE items SET value = replace(value, '\"tiles\":[', '\"tiles\":[{}') WHERE kind = 'installation'",
            "UPDATE items SET value = '{'",
        ] as [StaticStringValue]
    )
    func `an invalid row is an error that names the column`(change: StaticStringValue) throws {
        var random = RandomDevices(seed: 6)
        let registration = try random.registration(id: "r", platform: .apns)
        let installation = try random.installation(id: "i", platform: .apns)
        try keep { store in
            try store.write([
                .put(registration, installationID: nil, hub: "news"), .putInstallation(installation, hub: "news"),
            ])
        }
        do {
            try SQLiteDatabase(path: folder.file("devices.sqlite")).execute(change.text)
        }
        let error = #expect(throws: DeviceStoreError.self) { try load(DeviceStore(folder: folder.path)) }
        #expect(error?.code == .unreadable)
        #expect(error?.message.contains("the column '") == true, "\(String(describing: error))")
    }

    @Test(arguments: [(1, false), (0, true), (Int64.max, true)])
    func `a scheduled send with an impossible number is an error`(sequence: Int64, isRefused: Bool) throws {
        try keep { _ in }
        do {
            let send =
                #"{"sequence":\#(sequence),"id":"a","time":0,"due":0,"hub":"news","format":"template","body":"e30="}"#
            try SQLiteDatabase(path: folder.file("devices.sqlite"))
                .prepare("INSERT INTO items(kind, hub, id, value) VALUES ('send', '', 'a', ?1)").run(.text(send))
        }
        let store = try DeviceStore(folder: folder.path)
        defer { store.close() }
        let kept = Result { () throws(DeviceStoreError) in try store.loadNamespace() }
        switch kept {
        case .success(let namespace): #expect(!isRefused && namespace.sends.map(\.sequence) == [sequence])
        case .failure(let error): #expect(isRefused && error.code == .unreadable, "\(error)")
        }
    }

    @Test func `a missing folder is created, together with its parents`() throws {
        let store = try DeviceStore(folder: folder.file("a/b/c"))
        store.close()
        #expect(FileManager.default.fileExists(atPath: folder.file("a/b/c/devices.sqlite")))
    }

    @Test(arguments: ["file", "file/folder"])
    func `the error for a folder that cannot be created names its path`(name: String) throws {
        try Data().write(to: URL(filePath: folder.file("file")))
        let error = #expect(throws: DeviceStoreError.self) { try DeviceStore(folder: folder.file(name)) }
        #expect(error?.code == .notWritable)
        #expect(error?.message.contains(folder.file(name)) == true)
    }

    @Test func `a closed store throws an error`() throws {
        let store = try DeviceStore(folder: folder.path)
        store.close()
        store.close()
        for body in [{ try store.write([.removeAll(hub: "news")]) }, { _ = try load(store) }] {
            let error = #expect(throws: DeviceStoreError.self) { try body() }
            #expect(error?.code == .closed)
        }
    }

    private func keep(_ body: (DeviceStore) throws -> Void) throws {
        let store = try DeviceStore(folder: folder.path)
        defer { store.close() }
        try body(store)
    }

    private func load(_ store: DeviceStore) throws -> [StoredDevice] {
        var devices: [StoredDevice] = []
        try store.load { devices.append($0) }
        return devices
    }

    /// Reads the files that a killed process would leave: a copy of the files of an open store.
    private func loadCopy(_ change: (TemporaryFolder) throws -> Void = { _ in }) throws -> [StoredDevice] {
        let copy = try TemporaryFolder()
        // The copy exists until its store is closed.
        return try withExtendedLifetime(copy) {
            for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
                try FileManager.default.copyItem(atPath: folder.file(name), toPath: copy.file(name))
            }
            try change(copy)
            return try load(DeviceStore(folder: copy.path))
        }
    }

    private func expectSame(_ found: [StoredDevice], _ expected: [StoredDevice], _ comment: Comment? = nil) {
        #expect(found.count == expected.count, comment)
        for (found, expected) in zip(found, expected) {
            #expect(found == expected, comment)
            // Compares bytes, because `==` is true for two encodings of é.
            #expect("\(found)".utf8.elementsEqual("\(expected)".utf8), comment)
        }
    }
}

/// SQL among the arguments of a test.
struct StaticStringValue: ExpressibleByStringLiteral, Sendable, CustomStringConvertible {
    let text: StaticString

    init(stringLiteral text: StaticString) {
        self.text = text
    }

    var description: String { text.description }
}

extension StoredDevice {
    fileprivate var hub: String {
        switch self {
        case .registration(_, _, let hub), .installation(_, let hub): hub
        }
    }

    /// The change that stores the device.
    fileprivate var change: DeviceChange {
        switch self {
        case .registration(let registration, let installationID, let hub):
            .put(registration, installationID: installationID, hub: hub)
        case .installation(let installation, let hub): .putInstallation(installation, hub: hub)
        }
    }
}
