import NewsflashHTTPTransport
import NewsflashJWT
import NewsflashSigning
import NewsflashTimestamps
import NotificationHubsCore
import Testing

@testable import NewsflashGateway
@testable import NotificationHubs

extension FuzzTarget {
    /// Input from clients of the gateway and from the hub.
    static let gateway = [targets, registrations, patches, basicCredentials, userFiles, bearerTokens, hubDocuments]

    /// Targets of requests: an accepted segment contains nothing that a path or a log could misinterpret.
    private static let targets = FuzzTarget(
        "gateway targets",
        [
            "/api/register?handle=00FC13ADFF78", "/api/installations/rui-phone",
            "/api/notifications?pns=apns&to_tag=anna",
            "/api/events/final%2D1?source=desk", "/api/../%2e%2e//register/%00",
        ]
    ) { bytes in
        let parts = bytes.split(separator: UInt8(ascii: "?"), maxSplits: 1, omittingEmptySubsequences: false)
            .map { String(decoding: $0, as: UTF8.self) }
        guard let target = try? GatewayTarget(path: parts.first ?? "", query: parts.dropFirst().first) else {
            return false
        }
        for segment in target.segments {
            #expect(segment != "." && segment != ".." && segment.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F })
        }
        _ = try? GatewayRoutes.call(method: "PUT", target: target)
        return true
    }

    private static let registrations = FuzzTarget(
        "gateway registrations",
        [
            #"{"Platform":"apns","Handle":"00FC13ADFF785122","Tags":["World","edition:uk"]}"#,
            #"{"platform":"wns","handle":"https://db5.notify.windows.com/?token=A","tags":null,"other":[{}]}"#,
        ]
    ) { bytes in
        guard let rule = tagRule, let body = try? DeviceRegistrationBody(bytes, rule: rule) else { return false }
        #expect(body.tags.allSatisfy { UserTag.name(in: $0) == nil })
        return true
    }

    /// An installation belongs to the same user after any patch.
    private static let patches = FuzzTarget(
        "gateway patches",
        [
            #"[{"op":"add","path":"/tags","value":"Sports"},{"op":"remove","path":"/templates/news"}]"#,
            #"[{"op":"replace","path":"/pushChannel","value":"A0B1"},{"op":"add","path":"/tags/username:anna"}]"#,
        ]
    ) { bytes in
        guard let rule = tagRule, let rui = GatewayUser("rui") else {
            return false
        }
        let rules = InstallationRules(user: rui, rule: rule)
        let kept = Installation(
            id: "rui-phone",
            channel: .apns(deviceToken: "A0B1C2D3"),
            userID: "rui",
            tags: [rui.tag],
            templates: [InstallationTemplate(name: "news", body: #"{"aps":{"alert":"$(headline)"}}"#)]
        )
        guard let (changes, result) = try? rules.patch(bytes, kept) else { return false }
        #expect(DeviceOwner(of: result) == .user("rui"))
        var stored = kept
        #expect(throws: Never.self) { try changes.apply(to: &stored) }
        #expect(DeviceOwner(of: stored) == .user("rui"))
        return true
    }

    private static let basicCredentials = FuzzTarget(
        "basic credentials",
        ["Basic YW5uYTpzZXZlbiBxdWlldCByaXZlcnM=", "basic OnBhc3N3b3Jk", "Bearer a.b.c"]
    ) { bytes in
        if case .credentials = BasicCredentials.read(String(decoding: bytes, as: UTF8.self)) { true } else { false }
    }

    private static let userFiles = FuzzTarget("user files", [userFile]) { bytes in
        guard let file = try? UserFile(bytes) else { return false }
        // A parsed file can be written, and has the same content.
        return (try? UserFile(file.bytes)) == file
    }

    /// The inputs are tokens without a signature: each gets its own, because a wrong one ends the decoding. Without a signature
    /// none is accepted.
    private static let bearerTokens = FuzzTarget("bearer tokens", [unsignedToken]) { bytes in
        let text = String(decoding: bytes, as: UTF8.self)
        let now = Timestamp(seconds: 1_700_000_000)
        #expect((try? verifier?.verify(text, now: now)) == nil)
        let signature = urlBase64(HMACSHA256.code(for: Array(text.utf8), key: secret))
        return (try? verifier?.verify("\(text).\(signature)", now: now)) != nil
    }

    private static let hubDocuments = FuzzTarget(
        "hub documents",
        [
            "<NotificationOutcome xmlns=\"http://schemas.microsoft.com/netservices/2010/10/servicebus/connect\"><Success>1</Success>"
                + "<Failure>0</Failure><Results><RegistrationResult><ApplicationPlatform>apple</ApplicationPlatform><PnsHandle>A0"
                + "</PnsHandle><RegistrationId>1-2-3</RegistrationId><Outcome>sent</Outcome></RegistrationResult></Results>"
                + "</NotificationOutcome>",
            "<NotificationDetails xmlns=\"http://schemas.microsoft.com/netservices/2010/10/servicebus/connect\"><State>Completed"
                + "</State><EnqueueTime>2026-01-01T12:00:00.1Z</EnqueueTime><ApnsOutcomeCounts><Outcome><Name>Success</Name>"
                + "<Count>3</Count></Outcome></ApnsOutcomeCounts></NotificationDetails>",
        ]
    ) { bytes in
        let acceptance = HubAcceptance(
            HubClient.reply(to: .success(HTTPResponse(status: 201, headers: [], body: [])), now: Timestamp(seconds: 0))
        )
        let outcome = try? TestSendOutcome(document: bytes, acceptance: acceptance)
        return outcome != nil || (try? NotificationTelemetry(document: bytes, id: "NH-1")) != nil
    }

    private static let tagRule = (try? Tag("newsflash-probe")).map { ClientTagRule(probes: [$0]) }

    private static let userFile: [UInt8] = {
        var file = UserFile()
        let cost = PasswordHash.Cost(logRounds: 4, blockSize: 1, repetitions: 1) ?? .standard
        if let anna = GatewayUser("anna"), let hash = try? PasswordHash(of: Array("rivers".utf8), cost: cost) {
            file.set(anna, hash)
        }
        return file.bytes
    }()

    private static let secret = Array("a secret of thirty-two bytes or more".utf8)
    private static let verifier = try? BearerTokenVerifier(algorithm: .hs256, key: secret, issuer: nil, audience: nil)

    private static let unsignedToken: [UInt8] = {
        let head = urlBase64(Array(#"{"alg":"HS256","typ":"JWT"}"#.utf8))
        let claims = urlBase64(Array(#"{"sub":"anna","exp":1800000000,"iat":1700000000}"#.utf8))
        return Array("\(head).\(claims)".utf8)
    }()

    private static func urlBase64(_ bytes: [UInt8]) -> String {
        Base64.encode(bytes).replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }
}
