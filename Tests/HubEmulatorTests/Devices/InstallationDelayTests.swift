import NewsflashHTTPTransport
import NewsflashHubEmulator
import NewsflashTimestamps
import Testing

@Suite("installations that take effect later", .timeLimit(.minutes(1)))
struct InstallationDelayTests {
    private let clock = SetClock()

    private func desk() throws -> Desk {
        try Desk {
            $0.clock = clock.read
            $0.installationDelay = .seconds(2)
        }
    }

    @Test func `an installation is unknown until its delay is over`() throws {
        let desk = try desk()
        let patch = #"[{"op":"add","path":"/tags","value":"world"}]"#
        desk.install("a")
        #expect(desk.device("GET", "installations/a").status == 404)
        #expect(desk.device("PATCH", "installations/a", body: patch).status == 404)
        desk.send()
        #expect(desk.readers.isEmpty)
        clock.set(Desk.now + .seconds(2))
        #expect(desk.device("GET", "installations/a").status == 200)
        desk.send()
        #expect(desk.readers == ["a"])
        #expect(desk.device("PATCH", "installations/a", body: patch).status == 200)
        #expect(!desk.device("GET", "installations/a").text.contains("world"))
        #expect(desk.device("DELETE", "installations/a").status == 204)
        #expect(desk.device("GET", "installations/a").status == 200)
        clock.set(Desk.now + .seconds(4))
        #expect(desk.device("GET", "installations/a").status == 404)
        #expect(desk.inspect("GET", "hub").text.contains(#""registrations":0,"installations":0"#))
    }

    @Test func `expired devices are removed with the next write`() throws {
        let desk = try Desk { $0.clock = clock.read }
        let life = "<NotificationHubDescription><RegistrationTtl>P1D</RegistrationTtl></NotificationHubDescription>"
        let update: HTTPHeaders = [.init("If-Match", "*")]
        must(desk.post("/Breaking-News", method: "PUT", headers: update, body: life, format: nil), answer: 200)
        desk.install("a")
        desk.install("b")
        #expect(desk.inspect("GET", "hub").text.contains(#""registrations":4,"installations":2"#))
        clock.set(Desk.now + .seconds(90_000))
        let token: HTTPHeaders = [.init("Authorization", desk.token(life: 200_000))]
        let phone = #"{"installationId":"i","platform":"apns","pushChannel":"00FC"}"#
        must(desk.device("PUT", "installations/i", headers: token, body: phone), answer: 200)
        #expect(desk.inspect("GET", "hub").text.contains(#""registrations":1,"installations":1"#))
    }

    @Test func `a hub keeps the credentials of its description until others are set`() throws {
        let desk = try Desk()
        func put(_ content: String) -> String {
            let body = "<NotificationHubDescription>\(content)</NotificationHubDescription>"
            let update: HTTPHeaders = [.init("If-Match", "*")]
            return desk.post("/Breaking-News", method: "PUT", headers: update, body: body, format: nil).text
        }
        let apple =
            "<ApnsCredential><Properties><Property><Name>Token</Name><Value>a&amp;b</Value></Property></Properties>"
            + "</ApnsCredential>"
        #expect(put(apple).contains(apple + "</NotificationHubDescription>"))
        #expect(put("<RegistrationTtl>P90D</RegistrationTtl>").contains(apple))
        let google = "<FcmV1Credential><Properties/></FcmV1Credential>"
        let text = put(google)
        #expect(text.contains(google) && !text.contains("ApnsCredential"))
        #expect(!put(#"<p:WnsCredential xmlns:p="urn:p"/>"#).contains("p:Wns"), "its prefix would not be declared")
    }
}
