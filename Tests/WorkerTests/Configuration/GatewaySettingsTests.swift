import Glibc
import NewsflashHTTPServer
import NewsflashTestSupport
import Testing

@testable import NewsflashWorker

@Suite("the gateway section", .timeLimit(.minutes(1)))
struct GatewaySettingsTests {
    private func problems(_ section: String) -> [String] {
        SoundConfiguration.problems(adding: "gateway: { \(section) }", environment: [:])
    }

    private func settings(_ section: String) throws -> GatewaySettings {
        let text = """
            version: 1
            hub: newsroom
            locales: { offered: [en], default: en }
            categories: { World: [world] }
            gateway: { \(section) }
            """
        return try ConfigurationReader(environment: [:]).read(text: text, source: "test.yaml").configuration.gateway
    }

    @Test(arguments: ["RS256", "ES256", "EdDSA"])
    func `a public key requires an issuer, because many services may share the issuer`(algorithm: String) throws {
        let problem = try #require(problems("bearer: { algorithm: \(algorithm), keyFile: k, audience: a }").first)
        #expect(problem.contains("gateway.bearer.algorithm: needs the key issuer: many services"))
        #expect(problems("bearer: { algorithm: \(algorithm), keyFile: k, issuer: i, audience: a }") == [])
        #expect(problems("bearer: { algorithm: HS256, keyFile: k }") == [])
    }

    @Test func `the maximum lifetime of a token is a day by default, and can be unlimited`() throws {
        func lifetime(_ key: String) throws -> Duration? {
            try settings("bearer: { algorithm: HS256, keyFile: k\(key) }").bearer?.maximumLifetime
        }
        #expect(try lifetime("") == .seconds(86_400))
        #expect(try lifetime(", maximumLifetime: 1h") == .seconds(3600))
        #expect(try lifetime(", maximumLifetime: \"off\"") == nil)
        #expect(problems("bearer: { algorithm: HS256, keyFile: k, maximumLifetime: 0s }").count == 1)
        #expect(problems("bearer: { algorithm: HS256, keyFile: k, maximumLifetime: long }").count == 1)
    }

    @Test func `each limit is a rate with a burst, or off`() throws {
        let none = try settings("publishers: [Desk]")
        #expect(none.limits == GatewaySettings.Limits())
        #expect(none.publishers == ["desk"])
        let limits = try settings("rate: { perUser: 3, wrongPerName: 10 per minute, testsPerUser: 1 per day }").limits
        #expect(limits.perUser == .rate(perSecond: 3, burst: 15))
        #expect(limits.wrongPerName == .rate(perSecond: 10.0 / 60, burst: 10))
        #expect(limits.testsPerUser == .rate(perSecond: 1.0 / 86_400, burst: 1))
        for key in [
            "perUser", "perAddress", "wrongPerName", "wrongPerAddress", "sendsPerUser", "testsPerUser",
            "devicesPerUser",
        ] {
            #expect(problems("rate: { \(key): \"off\" }") == [], "\(key)")
            #expect(problems("rate: { \(key): never }").count == 1, "\(key)")
        }
    }

    @Test func `proxies are addresses and ranges`() throws {
        let proxies = try settings("trustedProxies: [10.0.0.0/8, 192.0.2.7, \"fd00::/8\"]").trustedProxies
        #expect(proxies == ["10.0.0.0/8", "192.0.2.7", "fd00::/8"].compactMap(AddressRange.init))
        #expect(proxies.count == 3)
        for wrong in ["proxy.example", "10.0.0.1/8", "\"*\"", "10.0.0.0/8/8"] {
            let problem = problems("trustedProxies: [\(wrong)]").first
            #expect(problem?.contains("gateway.trustedProxies: ") == true, "\(wrong)")
        }
    }

    @Test(arguments: [(0o600, true), (0o640, true), (0o604, false), (0o660, false), (0o602, false)])
    func `a secret file that others may read or write is refused`(mode: Int, isTaken: Bool) throws {
        let file = try KeyFile("0123456789abcdef0123456789abcdef")
        #expect(chmod(file.path, mode_t(mode)) == 0)
        let bearer = try #require(try settings("bearer: { algorithm: HS256, keyFile: \(file.path) }").bearer)
        if isTaken {
            #expect(throws: Never.self) { try bearer.readKey() }
        } else {
            let error = #expect(throws: GatewayKeyError.self) { try bearer.readKey() }
            #expect(error?.description.contains("chmod") == true && error?.description.contains("0123") == false)
        }
    }

    @Test func `a file of public keys may be read by all, and written by nobody else`() throws {
        let file = try KeyFile("a public key")
        let section = "bearer: { algorithm: ES256, keyFile: \(file.path), issuer: i, audience: a }"
        let bearer = try #require(try settings(section).bearer)
        #expect(chmod(file.path, 0o644) == 0)
        #expect(throws: Never.self) { try bearer.readKey() }
        #expect(chmod(file.path, 0o646) == 0)
        #expect(throws: GatewayKeyError.self) { try bearer.readKey() }
    }
}
