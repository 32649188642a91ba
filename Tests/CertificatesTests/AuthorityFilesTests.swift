import FoundationEssentials
import Glibc
import NewsflashTestSupport
import NewsflashTimestamps
import Testing

@testable import NewsflashCertificates

@Suite("An authority in a file", .timeLimit(.minutes(1)))
struct AuthorityFilesTests {
    private static let now = Timestamp.now()
    private let folder: TemporaryFolder
    private var certificate: String { folder.file(AuthorityFiles.certificateName) }
    private var key: String { folder.file(AuthorityFiles.keyName) }

    init() throws {
        folder = try TemporaryFolder()
    }

    private func open() throws(CertificateError) -> CertificateAuthority {
        try AuthorityFiles.authority(in: folder.path, now: Self.now)
    }

    @Test func `an authority is created once, and only its owner can read its key`() throws {
        let made = try open()
        #expect(try AuthorityFiles.read(certificate) == made.certificate)
        #expect(try AuthorityFiles.read(key) == made.key)
        for file in [certificate, key] {
            let attributes = try FileManager.default.attributesOfItem(atPath: file)
            #expect(attributes[.posixPermissions].map { "\($0)" } == "\(0o600)")
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).count == 2)
        let again = try open()
        #expect(again.certificate == made.certificate)
        #expect(again.key == made.key)
    }

    @Test func `an authority gets its certificate later if the process ended before the certificate existed`() throws {
        let first = try open()
        try FileManager.default.removeItem(atPath: certificate)
        let second = try open()
        #expect(second.key == first.key)
        #expect(try open().certificate == second.certificate)
    }

    @Test(arguments: ["", "no PEM", "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n"])
    func `an existing file is never overwritten, whatever it is`(text: String) throws {
        #expect(FileManager.default.createFile(atPath: key, contents: Data(text.utf8)))
        let error = try #require(throws: CertificateError.self) { try open() }
        #expect(error.code == .notAKey)
        #expect(error.message.contains("remove authority.pem and authority-key.pem for a new one"))
        #expect(try AuthorityFiles.read(key) == Array(text.utf8))
        #expect(try AuthorityFiles.read(certificate) == nil)
    }

    @Test func `an authority is not created again if only its key is missing`() throws {
        let made = try open()
        try FileManager.default.removeItem(atPath: key)
        let error = try #require(throws: CertificateError.self) { try open() }
        #expect(error.code == .unreadableFile)
        #expect(error.message.contains("has no key beside it"))
        #expect(try AuthorityFiles.read(certificate) == made.certificate)
    }

    @Test(arguments: [EPERM, EOPNOTSUPP, ENOSYS])
    func `an authority is created on a file system without hard links`(fault: Int32) throws {
        let made = try AuthorityFiles.authority(in: folder.path, for: [], now: Self.now) { _, _ in
            errno = fault
            return -1
        }
        #expect(try AuthorityFiles.read(key) == made.key)
        let attributes = try FileManager.default.attributesOfItem(atPath: key)
        #expect(attributes[.posixPermissions].map { "\($0)" } == "\(0o600)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).count == 2)
        #expect(try open().certificate == made.certificate)
    }

    @Test func `the authority of another process that was faster is used`() throws {
        let other = try TemporaryFolder()
        let theirs = try AuthorityFiles.authority(in: other.path, now: Self.now)
        let name = folder.path
        let taken = try AuthorityFiles.authority(in: name, for: [], now: Self.now) { draft, path in
            // Between the check and the link, the other's file appears.
            let file = path.split(separator: "/").last.map(String.init) ?? ""
            _ = try? FileManager.default.copyItem(atPath: other.file(file), toPath: path)
            return link(draft, path)
        }
        #expect(taken.key == theirs.key)
        #expect(taken.certificate == theirs.certificate)
        #expect(try FileManager.default.contentsOfDirectory(atPath: name).count == 2)
    }

    @Test func `an authority refuses to sign for a name outside its own names`() throws {
        let hub = try #require(CertificateName("hub.test"))
        let local = try #require(CertificateName("localhost"))
        _ = try AuthorityFiles.vouch(in: folder.path, for: [local], now: Self.now)
        let error = #expect(throws: CertificateError.self) {
            try AuthorityFiles.vouch(in: folder.path, for: [local, hub], now: Self.now)
        }
        #expect(error?.code == .otherNames)
        #expect(error?.message.contains("hub.test") == true)
        #expect(error?.message.contains("remove authority.pem and authority-key.pem there for a new one") == true)
        _ = try AuthorityFiles.vouch(in: folder.path, for: [local], now: Self.now)
    }

    @Test func `an unreadable file is named with the reason`() throws {
        try FileManager.default.createDirectory(atPath: key, withIntermediateDirectories: false)
        let error = try #require(throws: CertificateError.self) { try open() }
        #expect(error.message.contains(key))
        #expect(error.message.contains("directory"))
        let nowhere = try #require(throws: CertificateError.self) {
            try AuthorityFiles.authority(in: folder.file("none"), now: Self.now)
        }
        #expect(nowhere.code == .unwritableFile)
        #expect(nowhere.message.contains("No such file or directory"))
    }
}
