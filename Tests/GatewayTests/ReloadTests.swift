import FoundationEssentials
import NewsflashCertificates
import NewsflashCurlTransport
import NewsflashHTTPServer
import NewsflashHTTPTransport
import NewsflashObservability
import NewsflashSigning
import NewsflashTestSupport
import NewsflashTimestamps
import NewsflashWorker
import Testing

@testable import NewsflashGateway

@Suite("Files that are read again while the gateway runs", .timeLimit(.minutes(1)))
struct ReloadTests {
    @Test func `a new token key is accepted without a restart, and the old one is not`() async throws {
        let (old, new) = ("0123456789abcdef0123456789abcdef", "another key of thirty-two bytes..")
        let file = try KeyFile(old)
        try await GatewayRig.run("  bearer: { algorithm: HS256, keyFile: \(file.path) }") { rig in
            #expect(try await rig.status(bearer: .hs256(old)) == 404)
            #expect(try await rig.status(bearer: .hs256(new)) == 401)
            // The form for a change without a gap has both keys.
            let set = [old, new].enumerated().map { index, key in
                #"{"kty":"oct","kid":"\#(index)","k":"\#(SignedToken.base64URL(Array(key.utf8)))"}"#
            }
            try file.write(#"{"keys":[\#(set.joined(separator: ","))]}"#)
            _ = try await waitFor { try await rig.status(bearer: .hs256(new)) == 404 ? true : nil }
            #expect(try await rig.status(bearer: .hs256(old)) == 404)
            try file.write("too short")
            _ = try await waitFor {
                // A request makes the gateway check the file, once a second.
                let status = try await rig.status(bearer: .hs256(new))
                #expect(status == 404)
                return rig.log.lines.contains { $0.contains("files cannot be read") } ? true : nil
            }
            try file.write(new)
            _ = try await waitFor { try await rig.status(bearer: .hs256(old)) == 401 ? true : nil }
            #expect(try await rig.status(bearer: .hs256(new)) == 404)
        }
    }

    @Test func `users and token keys are checked at once when the configuration is read again`() async throws {
        let (old, new) = ("0123456789abcdef0123456789abcdef", "another key of thirty-two bytes..")
        let file = try KeyFile(old)
        let section = "  bearer: { algorithm: HS256, keyFile: \(file.path) }"
        try await GatewayRig.run(section) { rig in
            #expect(try await rig.ask("GET", "/api/installations/p", as: "bob").status == 404)
            #expect(try await rig.status(bearer: .hs256(old)) == 404)
            try rig.removeUser("bob")
            try file.write(new)
            try rig.reload(section)
            #expect(try await rig.ask("GET", "/api/installations/p", as: "bob").status == 401)
            #expect(try await rig.status(bearer: .hs256(old)) == 401)
            #expect(try await rig.status(bearer: .hs256(new)) == 404)
        }
    }

    @Test func `rights are read again with the configuration`() async throws {
        try await GatewayRig.run("  { publishers: [desk], senders: [desk] }") { rig in
            let path = "/api/notifications?pns=apns&to_tag=desk"
            #expect(try await rig.ask("POST", path, as: "anna", #""Hi""#).status == 403)
            #expect(try await rig.ask("GET", "/api/events/e", as: "bob").status == 403)
            try rig.reload("  { publishers: [BOB], senders: [anna] }")
            #expect(try await rig.ask("POST", path, as: "anna", #""Hi""#).status == 200)
            #expect(try await rig.ask("GET", "/api/events/e", as: "bob").status == 404)
            #expect(try await rig.ask("GET", "/api/events/e", as: "desk").status == 403)
        }
    }

    @Test func `another certificate is used without a restart`() async throws {
        let folder = try TemporaryFolder()
        let (first, second) = (try CertificateAuthority(now: .now()), try CertificateAuthority(now: .now()))
        let name = try #require(CertificateName("127.0.0.1"))
        func show(_ authority: CertificateAuthority) throws {
            let pair = try authority.vouch(for: [name], now: .now())
            try folder.write(String(decoding: pair.key, as: UTF8.self), to: "key.pem")
            try folder.write(String(decoding: pair.certificate, as: UTF8.self), to: "cert.pem")
        }
        try show(first)
        let files = (certificate: folder.file("cert.pem"), key: folder.file("key.pem"))
        let read: @Sendable () throws -> HTTPServerTLS = {
            func bytes(_ path: String) throws -> [UInt8] { Array(try Data(contentsOf: URL(filePath: path))) }
            return HTTPServerTLS(certificate: try bytes(files.certificate), key: try bytes(files.key))
        }
        var options = GatewayOptions(tls: try read())
        options.tlsFiles = GatewayOptions.TLSSource(paths: [files.certificate, files.key], read: read)
        func trusts(_ authority: CertificateAuthority, _ rig: GatewayRig) async throws -> Bool {
            let file = try folder.write(String(decoding: authority.certificate, as: UTF8.self), to: "authority.pem")
            var settings = CurlTransportConfiguration()
            settings.caFile = file
            let transport = try CurlTransport(settings)
            defer { transport.shutdown() }
            do throws(HTTPTransportError) {
                return try await transport.send(HTTPRequest(method: .get, url: rig.url + "/livez")).status == 200
            } catch {
                #expect(error.code == .tlsFailed)
                return false
            }
        }
        let authority = try folder.write(String(decoding: first.certificate, as: UTF8.self), to: "trusted.pem")
        try await GatewayRig.run(options: options, trusting: authority) { rig in
            #expect(try await trusts(first, rig))
            #expect(try await !trusts(second, rig))
            try show(second)
            try rig.reload("  { publishers: [desk] }")
            #expect(try await trusts(second, rig))
            #expect(try await !trusts(first, rig))
            // An unusable file changes nothing.
            try folder.write("no PEM", to: "cert.pem")
            try rig.reload("  { publishers: [desk] }")
            #expect(try await trusts(second, rig))
            #expect(rig.log.lines.contains { $0.contains("files cannot be read") && $0.contains("certificate") })
        }
    }
}

/// A token signed by a test.
struct SignedToken {
    var key: String
    var header: String
    var claims: String

    /// Creates a valid token of carl for another minute.
    static func hs256(_ key: String, claims: String? = nil) -> SignedToken {
        let end = Timestamp.now().seconds + 60
        return SignedToken(key: key, header: #"{"alg":"HS256"}"#, claims: claims ?? #"{"sub":"carl","exp":\#(end)}"#)
    }

    var text: String {
        let signed = "\(Self.base64URL(Array(header.utf8))).\(Self.base64URL(Array(claims.utf8)))"
        return "\(signed).\(Self.base64URL(HMACSHA256.code(for: Array(signed.utf8), key: Array(key.utf8))))"
    }

    static func base64URL(_ bytes: [UInt8]) -> String {
        String(Base64.encode(bytes).prefix { $0 != "=" }).replacing("+", with: "-").replacing("/", with: "_")
    }
}

extension GatewayRig {
    /// Returns the status for a user who signs in with a token.
    fileprivate func status(bearer token: SignedToken) async throws -> Int {
        let field = HTTPHeaders.Field("Authorization", "Bearer \(token.text)")
        return try await ask("GET", "/api/installations/p", headers: [field]).status
    }
}
