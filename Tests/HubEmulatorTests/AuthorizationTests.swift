import NewsflashHTTPTransport
import NewsflashHubEmulator
import NewsflashHubRecordings
import NewsflashStrictJSON
import NewsflashTimestamps
import NotificationHubs
import Testing

@Suite(.timeLimit(.minutes(1)))
struct AuthorizationTests {
    @Test func `the token of the console has all claims although the only rule may only send`() throws {
        let desk = try Desk { $0.rules = [AccessRule(name: "worker", key: SharedAccessKey("k"), claims: [.send])] }
        let answer = desk.hub.answer(
            EmulatedRequest(method: "GET", target: "/_emulator/token", headers: [.init("Host", "127.0.0.1:8080")])
        ).response
        let token = try #require(try JSONReader.read(answer.body)[member: "token"]?.string)
        let signed: HTTPHeaders = [.init("Authorization", token)]
        let phone = #"{"installationId":"i","platform":"apns","pushChannel":"00FC"}"#
        must(desk.device("PUT", "installations/i", headers: signed, body: phone), answer: 200)
        must(desk.device("GET", "registrations", headers: signed), answer: 200)
        must(desk.post(headers: signed), answer: 201)
        #expect(desk.hub.rules.map(\.name) == ["worker"])
        let hub = desk.post("/Breaking-News", method: "GET", headers: signed, body: "", format: nil)
        #expect(hub.text.contains("worker"))
        #expect(!hub.text.contains("newsflash-console"))
    }

    @Test func `a token for the hub, for a parent path or with another spelling of the host is accepted`() throws {
        let desk = try Desk()
        for url in [
            "http://127.0.0.1:8080/breaking-news", "https://127.0.0.1/", "sb://127.0.0.1:8080/Breaking-News/messages/",
            "http://127.0.0.1:8080/breaking-news/messages?api-version=2020-06",
        ] {
            #expect(desk.post(headers: [.init("Authorization", desk.token(url: url))]).status == 201, "\(url)")
        }
    }

    @Test func `a wrong token is refused with the text of the service`() throws {
        let desk = try Desk()
        let cases = [
            ("", "MalformedToken: "), ("Bearer x", "MalformedToken: "),
            (desk.token(key: "other key"), "InvalidSignature: The token has an invalid signature."),
            (desk.token(policy: "Nobody"), "InvalidSignature: The token has an invalid signature."),
            (desk.token(life: 0), "ExpiredToken: ."),
            (desk.token(url: "http://127.0.0.1:8080/other"), "InvalidAudience: "),
        ]
        for (token, text) in cases {
            for _ in 0..<2 {
                let response = desk.post(headers: [.init("Authorization", token)])
                #expect(response.status == 401)
                #expect(response.text.hasPrefix("<Error><Code>401</Code><Detail>" + text))
            }
        }
        #expect(desk.hub.sends.isEmpty)
    }

    @Test func `the hub checks the token of a send before its content`() throws {
        let desk = try Desk()
        let request = EmulatedRequest(
            method: "POST",
            target: "/Breaking-News/messages",
            headers: [.init("Host", "127.0.0.1")]
        )
        #expect(desk.hub.answer(request).response.status == 401)
    }

    @Test func `a cached token is refused after it has expired`() throws {
        let clock = SetClock()
        let desk = try Desk { $0.clock = clock.read }
        let token = desk.token(life: 10)
        #expect(desk.post(headers: [.init("Authorization", token)]).status == 201)
        clock.set(Desk.now + .seconds(10))
        #expect(desk.post(headers: [.init("Authorization", token)]).text.contains("ExpiredToken"))
    }

    @Test func `a cached token is valid for its own resource only`() throws {
        let desk = try Desk()
        let token = desk.token(url: "http://127.0.0.1:8080/breaking-news/messages")
        #expect(desk.post(headers: [.init("Authorization", token)]).status == 201)
        let other = desk.post("/Breaking-News/registrationids", headers: [.init("Authorization", token)])
        #expect(other.text.contains("InvalidAudience"))
    }

    @Test(.needsRecordings)
    func `a policy without the claim is refused as by the service`() throws {
        let recording = try #require(HubRecording.dotnet("SendDirectNotificationAsync_ListenOnly").first)
        let desk = try Desk(policy: "Listen Only")
        let message = try HubMessage.native(format: .apple, body: Array("{}".utf8))
        let response = try desk.send(message, to: .device(.apns(deviceToken: "h")))
        #expect(response.status == recording.status)
        #expect(response.body.isEmpty == recording.body.isEmpty)
        #expect(response.headers["Retry-After"] == recording["Retry-After"])
        #expect((response.headers["TrackingId"] != nil) == (recording["TrackingId"] != nil))
        #expect(HubClient.reply(to: .success(response), now: Desk.now).verdict == .forbidden)
    }

    @Test(.needsRecordings)
    func `a wrong signature is refused with the text of the service`() throws {
        let recording = try #require(HubRecording.dotnet("ManagementApi_FailsWithAuthorization").first)
        let desk = try Desk()
        let response = desk.post(headers: [.init("Authorization", desk.token(key: "other"))])
        #expect(response.status == recording.status)
        #expect(response.headers["Content-Type"] == recording["Content-Type"])
        #expect(shape(response.text) == shape(recording.body))
    }

    @Test func `a hub without rules gets a full and a Listen rule`() throws {
        let rules = HubEmulator().rules
        #expect(rules.map(\.name) == ["DefaultFullSharedAccessSignature", "DefaultListenSharedAccessSignature"])
        #expect(rules.map(\.claims) == [[.listen, .send, .manage], [.listen]])
        #expect(rules[0].key != rules[1].key)
        #expect(HubEmulator().rules[0].key != rules[0].key)
    }

    @Test func `access rules are parsed from the command line`() {
        #expect(
            AccessRule("Send Only=a:b==:Listen,send")
                == AccessRule(name: "Send Only", key: SharedAccessKey("a:b=="), claims: [.listen, .send])
        )
        for text in ["", "a", "a=b", "=k:Send", "a=:Send", "a=k:", "a=k:Send,", "a=k:All", "a:Send=k"] {
            #expect(AccessRule(text) == nil, "\(text)")
        }
    }
}

/// Replaces each run of digits and hexadecimal letters between punctuation marks with one character.
private func shape(_ text: String) -> String {
    guard let mark = text.firstRange(of: "TrackingId:"), let end = text.firstRange(of: "</Detail>") else { return text }
    let names = text[mark.upperBound..<end.lowerBound].split { !$0.isLetter && !$0.isNumber }
    let form = names.map {
        $0.hasPrefix("G") ? "G" : $0 == "AM" || $0 == "PM" ? "M" : $0 == "TimeStamp" ? "TimeStamp" : "#"
    }
    return text[..<mark.upperBound] + form.joined(separator: " ") + text[end.lowerBound...]
}
