import FoundationEssentials
import Gateway
import Signing
import StructuredLog
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct UserFileTests {
    private let logger = Logger(label: "tests", handler: DiscardingLogHandler())

    @Test func `a file is made for its owner alone, and users are added and replaced`() throws {
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
    func `a file that others may read, or the group write, is refused`(mode: Int) throws {
        let folder = try TemporaryFolder()
        let path = folder.file("users")
        try GatewayRig.set("anna", "two", in: path)
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
        let error = try #require(throws: UserFileError.self) { try UserDirectory(path, logger: logger) }
        #expect(error.description.contains("chmod 600"))
    }

    @Test func `a file that there is not is named`() throws {
        let error = try #require(throws: UserFileError.self) { try UserDirectory("/nowhere/users", logger: logger) }
        #expect(error.description.hasPrefix("/nowhere/users cannot be used"))
    }

    @Test(arguments: [
        "anna", "anna:", "anna:secret", ":x", "a b:$scrypt$",
        "anna:$scrypt$ln=4,r=8,p=1$U29kaXVtQ2hsb3JpZGU$cCO9yzr9c0hGHAbNgf046/2o\n"
            + "Anna:$scrypt$ln=4,r=8,p=1$U29kaXVtQ2hsb3JpZGU$cCO9yzr9c0hGHAbNgf046/2o",
    ])
    func `a line that cannot be read is named by its number, without its words`(text: String) throws {
        let error = try #require(throws: UserFileError.self) { try UserFile(Array(text.utf8)) }
        #expect(error.description.contains("line "))
        #expect(!error.description.contains("secret") && !error.description.contains("cCO9"))
    }
}
