import CNewsflashCrypto
import NewsflashTestSupport
import NewsflashTimestamps
import Testing

@testable import NewsflashCertificates

@Suite("A private authority", .timeLimit(.minutes(1)))
struct CertificateAuthorityTests {
    private static let now = Timestamp.now()
    private static let names = ["localhost", "127.0.0.1", "::1", "hub.test"].compactMap { CertificateName($0) }

    @Test func `an authority signs for servers with keys of their own`() throws {
        let authority = try CertificateAuthority(for: Self.names, now: Self.now)
        let server = try authority.vouch(for: Self.names, now: Self.now)
        try Certificate(pem: server.certificate).check(PrivateKey(pem: server.key), now: Self.now)
        let isAuthority = try Certificate(pem: server.certificate).isAuthority
        #expect(!isAuthority)
        let mayVouch = try Certificate(pem: authority.certificate).isAuthority
        #expect(mayVouch)
        #expect(server.key != authority.key)
        // A certificate that somebody else has made is valid, too.
        let shown = try ServerCertificate(certificate: server.certificate, key: server.key, now: Self.now)
        #expect(shown.certificate == server.certificate)
    }

    @Test func `the key is never printed`() throws {
        let authority = try CertificateAuthority(for: Self.names, now: Self.now)
        let server = try authority.vouch(for: Self.names, now: Self.now)
        #expect(leaks(of: authority.key, in: authority) == [])
        #expect(leaks(of: server.key, in: server) == [])
    }

    @Test func `a certificate and a key that do not match, or are not valid now, are refused`() throws {
        let (one, other) = (try CertificateAuthority(now: Self.now), try CertificateAuthority(now: Self.now))
        let late = Self.now + .seconds(4000 * 86_400)
        let early = Self.now + .seconds(-2 * 86_400)
        func code(_ certificate: [UInt8], _ key: [UInt8], _ now: Timestamp = Self.now) -> CertificateError.Code? {
            #expect(throws: CertificateError.self) {
                try CertificateAuthority(certificate: certificate, key: key, now: now)
            }?.code
        }
        #expect(code(one.certificate, other.key) == .otherKey)
        #expect(code(one.certificate, one.key, late) == .expired)
        #expect(code(one.certificate, one.key, early) == .notYetValid)
        #expect(code(one.key, one.key) == .notACertificate)
        #expect(code(one.certificate, one.certificate) == .notAKey)
        #expect(code([], []) == .notACertificate)
        let server = try one.vouch(for: Array(Self.names.prefix(3)), now: Self.now)
        #expect(code(server.certificate, server.key) == .noAuthority)
    }

    @Test(arguments: [
        ("localhost", true), ("127.0.0.1", true), ("127.255.3.4", true), ("::1", true), ("hub.test", true),
        ("a.hub.test", true), ("*.hub.test", true), ("a.wild.test", true), ("10.1.2.3", true), ("2001:db8::7", true),
        ("example.org", false), ("hub.test.example.org", false), ("xhub.test", false), ("test", false),
        ("xwild.test", false),
        ("10.1.2.4", false), ("128.0.0.1", false), ("::2", false), ("2001:db8::8", false),
    ])
    func `an authority signs for this machine and its own names only`(text: String, isVouchedFor: Bool) throws {
        let own = ["hub.test", "*.wild.test", "10.1.2.3", "2001:db8::7"].compactMap { CertificateName($0) }
        let authority = try CertificateAuthority(for: own, now: Self.now)
        let name = try #require(CertificateName(text))
        if isVouchedFor {
            _ = try authority.vouch(for: [name], now: Self.now)
        } else {
            let error = #expect(throws: CertificateError.self) { try authority.vouch(for: [name], now: Self.now) }
            #expect(error?.code == .otherNames)
        }
    }

    @Test func `an authority for every name, from an earlier version, is no longer used`() throws {
        let key = try PrivateKey()
        let draft = CertificateDraft(
            name: "newsflash hub authority",
            begins: Timestamp(seconds: Self.now.seconds - 1),
            ends: Timestamp(seconds: Self.now.seconds + 1000),
            extensions: [(NID_basic_constraints, "critical,CA:TRUE,pathlen:0")]
        )
        let certificate = try draft.signItself(with: key).pem
        let error = #expect(throws: CertificateError.self) {
            try CertificateAuthority(certificate: certificate, key: key.pem, now: Self.now)
        }
        #expect(error?.code == .otherNames)
    }

    @Test func `an expired certificate is refused with the day of its end`() throws {
        let begin = Timestamp(seconds: 1_600_000_000)
        let old = try CertificateAuthority(for: Self.names, now: begin).vouch(for: Self.names, now: begin)
        let error = #expect(throws: CertificateError.self) {
            try ServerCertificate(certificate: old.certificate, key: old.key, now: Self.now)
        }
        // 397 days after September 13, 2020.
        #expect(error?.message == "it expired on 2021-10-15")
    }

    @Test(arguments: [
        "", "a b", "a,DNS:b", "a;b", "-a", "a-", "a..b", ".a", "1.2.3", "1.2.3.4.5", "*", "*.", "a.*", "[::1", "::g",
        "a/b",
        "a:80", "ü.test", "a\n", String(repeating: "a", count: 64),
    ])
    func `an invalid name is refused`(text: String) {
        #expect(CertificateName(text) == nil)
    }

    @Test(arguments: [
        ("Hub.Test", "hub.test"), ("*.hub.test", "*.hub.test"), ("10.0.0.1", "10.0.0.1"), ("[::1]", "::1"),
        ("a_b", "a_b"),
    ])
    func `a valid name is accepted`(text: String, name: String) {
        #expect(CertificateName(text)?.description == name)
    }
}
