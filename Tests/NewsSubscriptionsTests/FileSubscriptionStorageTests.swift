import FoundationEssentials
import NewsSubscriptions
import NewsflashTestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct FileSubscriptionStorageTests {
    private let folder: TemporaryFolder
    private let path: String

    init() throws {
        folder = try TemporaryFolder()
        path = folder.file("new/subscriptions.json")
    }

    @Test func `strings are kept over launches, in a folder that the storage creates`() throws {
        #expect(try FileSubscriptionStorage(path: path).strings(forKey: "a") == nil)
        try FileSubscriptionStorage(path: path).store(["x", "é\n"], forKey: "a")
        try FileSubscriptionStorage(path: path).store([], forKey: "b")
        let storage = FileSubscriptionStorage(path: path)
        #expect(try storage.strings(forKey: "a") == ["x", "é\n"])
        #expect(try storage.strings(forKey: "b") == [])
        try storage.store(nil, forKey: "a")
        #expect(try FileSubscriptionStorage(path: path).strings(forKey: "a") == nil)
    }

    @Test func `the file cannot be read by others`() throws {
        try FileSubscriptionStorage(path: path).store(["x"], forKey: "a")
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
    }

    @Test(arguments: ["", "{", "[1]", #"{"a":1}"#])
    func `a file in another form counts as empty and is replaced`(text: String) throws {
        let path = folder.file("broken.json")
        #expect(FileManager.default.createFile(atPath: path, contents: Data(text.utf8)))
        let storage = FileSubscriptionStorage(path: path)
        #expect(try storage.strings(forKey: "a") == nil)
        try storage.store(["x"], forKey: "a")
        #expect(try storage.strings(forKey: "a") == ["x"])
    }

    @Test func `a path that cannot be written is reported`() throws {
        let file = folder.file("file")
        #expect(FileManager.default.createFile(atPath: file, contents: nil))
        let storage = FileSubscriptionStorage(path: file + "/below.json")
        let error = #expect(throws: SubscriptionError.self) { try storage.store(["x"], forKey: "a") }
        #expect(error?.code == .storage)
    }

    @Test func `simultaneous changes are all kept`() async throws {
        let storage = FileSubscriptionStorage(path: path)
        try await withThrowingTaskGroup { group in
            for index in 0..<20 { group.addTask { try storage.store(["\(index)"], forKey: "key\(index)") } }
            try await group.waitForAll()
        }
        for index in 0..<20 { #expect(try storage.strings(forKey: "key\(index)") == ["\(index)"]) }
    }
}
