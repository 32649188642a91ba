import FoundationEssentials
import Glibc
import NewsflashObservability
import NewsflashSigning
import NewsflashTestSupport
import NewsflashTimestamps
import Testing

@testable import NewsflashGateway

@Suite(.timeLimit(.minutes(1)))
struct UserFileTests {
    private let logger = Logger(label: "tests", handler: DiscardingLogHandler())

    @Test func `a file is created for its owner alone, and users are added and replaced`() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("users")
        for (name, password) in [("bob", "one"), ("anna", "two"), ("bob", "three")] {
            try GatewayRig.set(name, password, in: path)
        }
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        let text = String(decoding: try Data(contentsOf: URL(filePath: path)), as: UTF8.self)
        let lines = text.split(separator: "\n")
        #expect(lines.map { $0.prefix { $0 != ":" } }.dropFirst() == ["anna", "bob"])
        #expect(!text.contains("three"))
        let hash = try #require(UserFile(Array(text.utf8)).hashes["bob"])
        #expect(try hash.matches(Array("three".utf8)))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["users"])
    }

    @Test(arguments: [0o644, 0o606, 0o660])
    func `a file that others may read or the group may write is refused`(mode: Int) throws {
        let folder = try TemporaryFolder()
        let path = folder.file("users")
        try GatewayRig.set("anna", "two", in: path)
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
        let error = try #require(throws: UserFileError.self) { try UserDirectory(path, logger: logger) }
        #expect(error.description.contains("chmod 600"))
    }

    @Test func `a user is removed, and nothing else changes`() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("users")
        for name in ["anna", "bob"] { try GatewayRig.set(name, "one", in: path) }
        let (anna, carl) = (try #require(GatewayUser("ANNA")), try #require(GatewayUser("carl")))
        #expect(try UserFile.set(anna, nil, in: path))
        #expect(try !UserFile.set(carl, nil, in: path))
        #expect(try UserFile.read(path).hashes.keys.sorted() == ["bob"])
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["users"])
    }

    @Test func `a changed file keeps its mode and group, and a link still leads to it`() throws {
        let folder = try TemporaryFolder()
        let (path, link) = (folder.file("users"), folder.file("link"))
        try GatewayRig.set("anna", "one", in: path)
        try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: path)
        // A group other than that of new files here, if the tests may set one.
        let isRoot = getuid() == 0
        if isRoot { #expect(chown(path, 1, 2) == 0) }
        #expect(symlink("users", link) == 0)
        try GatewayRig.set("bob", "two", in: link)
        var status = stat()
        #expect(lstat(link, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK)
        #expect(lstat(path, &status) == 0 && status.st_mode & 0o7777 == 0o640)
        if isRoot { #expect(status.st_uid == 1 && status.st_gid == 2) }
        #expect(try UserFile.read(path).hashes.count == 2)
        #expect(symlink("nowhere", folder.file("broken")) == 0)
        #expect(throws: UserFileError.self) { try GatewayRig.set("bob", "two", in: folder.file("broken")) }
    }

    @Test func `a user who was removed while the file was unreadable is gone as soon as it can be read`() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("users")
        for name in ["anna", "eve"] { try GatewayRig.set(name, "one", in: path) }
        let recorder = EventLog<LogEntry>()
        let users = try UserDirectory(path, logger: Logger(label: "tests", handler: recorder))
        #expect(users.hash(of: "eve", now: .now).isUser)
        // In place, as an editor may write it: size and content time stay when the mode is corrected.
        let lines = try String(contentsOf: URL(filePath: path), encoding: .utf8).split(separator: "\n")
        let text = lines.filter { !$0.hasPrefix("eve:") }.joined(separator: "\n")
        #expect(chmod(path, 0o644) == 0)
        let file = open(path, O_WRONLY | O_TRUNC)
        #expect(text.withCString { Glibc.write(file, $0, text.utf8.count) } == text.utf8.count && close(file) == 0)
        for _ in 0..<3 { users.check() }
        #expect(users.hash(of: "eve", now: .now).isUser, "the users stay while the file cannot be read")
        #expect(users.fault?.contains("chmod 600") == true)
        #expect(recorder.lines.count { $0.contains("cannot be read") } == 1, "logged once")
        #expect(chmod(path, 0o600) == 0)
        users.check()
        #expect(!users.hash(of: "eve", now: .now).isUser)
        #expect(users.hash(of: "anna", now: .now).isUser)
        #expect(users.fault == nil)
    }

    @Test func `a change that keeps size and content time is noticed`() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("users")
        for name in ["anna", "eve"] { try GatewayRig.set(name, "one", in: path) }
        let users = try UserDirectory(path, logger: logger)
        var before = stat()
        #expect(stat(path, &before) == 0)
        let text = try String(contentsOf: URL(filePath: path), encoding: .utf8).replacing("eve:", with: "bob:")
        let file = open(path, O_WRONLY)
        #expect(text.withCString { Glibc.write(file, $0, text.utf8.count) } == text.utf8.count)
        // Like a copy that keeps times.
        let times = [before.st_atim, before.st_mtim]
        #expect(futimens(file, times) == 0 && close(file) == 0)
        users.check()
        #expect(!users.hash(of: "eve", now: .now).isUser)
        #expect(users.hash(of: "bob", now: .now).isUser)
    }

    @Test func `a missing file is named`() throws {
        let error = try #require(throws: UserFileError.self) { try UserDirectory("/nowhere/users", logger: logger) }
        #expect(error.description.hasPrefix("/nowhere/users cannot be used"))
    }

    @Test(arguments: [
        "anna", "anna:", "anna:secret", ":x", "a b:$scrypt$",
        "anna:$scrypt$ln=4,r=8,p=1$U29kaXVtQ2hsb3JpZGU$cCO9yzr9c0hGHAbNgf046/2o\n"
            + "Anna:$scrypt$ln=4,r=8,p=1$U29kaXVtQ2hsb3JpZGU$cCO9yzr9c0hGHAbNgf046/2o",
    ])
    func `a line that cannot be parsed is named by its number, without its content`(text: String) throws {
        let error = try #require(throws: UserFileError.self) { try UserFile(Array(text.utf8)) }
        #expect(error.description.contains("line "))
        #expect(!error.description.contains("secret") && !error.description.contains("cCO9"))
    }
}
