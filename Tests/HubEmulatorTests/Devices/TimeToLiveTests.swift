import NewsflashHTTPTransport
import NewsflashHubEmulator
import NewsflashTimestamps
import Testing

@Suite("the life of registrations", .timeLimit(.minutes(1)))
struct TimeToLiveTests {
    private static func description(_ life: String) -> String {
        """
        <entry xmlns="http://www.w3.org/2005/Atom"><content type="application/xml"><NotificationHubDescription \
        xmlns="http://schemas.microsoft.com/netservices/2010/10/servicebus/connect">\
        <RegistrationTtl>\(life)</RegistrationTtl></NotificationHubDescription></content></entry>
        """
    }

    private static func set(_ life: String, _ desk: Desk) -> HTTPResponse {
        desk.post(
            "/Breaking-News?api-version=2017-04",
            method: "PUT",
            headers: [.init("If-Match", "*")],
            body: description(life),
            format: nil
        )
    }

    @Test func `a registration expires unless it is written again within the hub's time to live`() throws {
        let clock = SetClock()
        let desk = try Desk { $0.clock = clock.read }
        let answer = Self.set("P90D", desk)
        #expect(answer.status == 200)
        #expect(answer.text.contains("<RegistrationTtl>P90D</RegistrationTtl>"))
        desk.install("a")
        desk.install("b")
        let end = (Desk.now + .seconds(90 * 86_400)).rfc3339.prefix(10)
        #expect(desk.device("GET", "installations/a").text.contains("\"expirationTime\":\"\(end)"))
        clock.set(Desk.now + .seconds(89 * 86_400))
        let token: HTTPHeaders = [.init("Authorization", desk.token(life: 200 * 86_400))]
        let patch = #"[{"op":"add","path":"/tags","value":"world"}]"#
        #expect(desk.device("PATCH", "installations/b", headers: token, body: patch).status == 200)
        clock.set(Desk.now + .seconds(91 * 86_400))
        desk.send(headers: token)
        #expect(desk.readers == ["b"])
        #expect(desk.device("GET", "installations/a", headers: token).status == 404)
        #expect(desk.device("GET", "installations/b", headers: token).status == 200)
    }

    @Test(arguments: [
        ("P1D", 200), ("P1DT12H", 200), ("PT24H", 200), ("PT1440M0.5S", 200), ("P10675199DT2H48M5.4775807S", 200),
        ("PT23H", 400), ("90", 400), ("P", 400), ("PT", 400), ("P1", 400), ("P1H", 400), ("PT1D", 400), ("P-1D", 400),
        ("PT1S1H", 400), ("a year", 400),
    ])
    func `a time to live of a day or more is accepted`(life: String, status: Int) throws {
        let desk = try Desk()
        #expect(Self.set(life, desk).status == status)
        desk.install("a")
        desk.send()
        #expect(desk.readers == ["a"])
    }
}
