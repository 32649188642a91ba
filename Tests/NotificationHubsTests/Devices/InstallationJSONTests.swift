import NewsflashStrictJSON
import NewsflashTimestamps
import NotificationHubs
import Testing

@Suite("Installations in JSON", .timeLimit(.minutes(1)))
struct InstallationJSONTests {
    private func read(_ text: String, id: String = "123") throws -> Installation {
        try InstallationJSON.read(Array(text.utf8), id: id)
    }

    private func written(_ installation: Installation) -> String {
        String(decoding: InstallationJSON.write(installation), as: UTF8.self)
    }

    @Test
    func `every member of a Windows installation is parsed and written again`() throws {
        let text = """
            {"installationId":"123","pushChannel":"https://a/?b","pushChannelExpired":false,"platform":"wns",\
            "expirationTime":"9999-12-31T23:59:59.9999999Z","userId":"reader=42","tags":["foo","bar"],\
            "pushVariables":{"lang":"en","name":"Ann"},"templates":{"One":{"body":"<toast/>",\
            "headers":{"X-WNS-Type":"wns/toast"},"tags":["more","One"]},"Two words":{"body":"<badge/>",\
            "expiry":"$(e)","tags":["Two words"]}},"secondaryTiles":{"tile":{"pushChannel":"https://c",\
            "pushChannelExpired":false,"tags":["t"],"templates":{"A":{"body":"<tile/>","tags":["A"]}}}}}
            """
        let installation = try read(text)
        #expect(installation.userID == "reader=42")
        #expect(installation.templates[0].tags.map(\.description) == ["more"])
        #expect(installation.templates[1].expiry == "$(e)")
        #expect(installation.secondaryTiles[0].channel == .wns(uri: "https://c"))
        #expect(written(installation) == text)
    }

    @Test
    func `values that only the hub sets are ignored in a request and parsed in an answer`() throws {
        let text = """
            {"installationId":"123","pushChannel":"g","pushChannelExpired":true,"platform":"gcm",\
            "expirationTime":"2026-06-01T00:00:00.000Z"}
            """
        let asked = try read(text)
        #expect(!asked.isChannelExpired)
        #expect(asked.expiration == nil)
        let answered = try InstallationJSON.readAnswer(Array(text.utf8))
        #expect(answered.isChannelExpired)
        #expect(answered.expiration == Timestamp(rfc3339: "2026-06-01T00:00:00Z"))
        #expect(written(answered) == text)
        let odd = #"{"pushChannel":"g","platform":"gcm","lastUpdate":7,"expirationTime":5,"new":[]}"#
        #expect(try read(odd) == Installation(id: "123", channel: .gcm(registrationID: "g")))
    }

    @Test(arguments: [
        ("apns", #""00fc""#, PushChannel.apns(deviceToken: "00FC")),
        ("fcmV1", #""f""#, .fcmv1(registrationID: "f")),
        ("FCMV1", #""f""#, .fcmv1(registrationID: "f")),
        ("gcm", #""g""#, .gcm(registrationID: "g")),
        ("wns", #""https://a""#, .wns(uri: "https://a")),
        ("mpns", #""http://a""#, .mpns(uri: "http://a")),
        ("adm", #""a""#, .adm(registrationID: "a")),
        ("baidu", #""1-2-3""#, .baidu(userID: "1", channelID: "2-3")),
        ("xiaomi", #""x""#, .xiaomi(registrationID: "x")),
        (
            "browser", #"{"endpoint":"https://e","p256dh":"p","auth":"a"}"#,
            .browser(endpoint: "https://e", p256dh: "p", auth: "a")
        ),
        (
            "browser", #""{\"endpoint\":\"https://e\",\"p256dh\":\"p\",\"auth\":\"a\"}""#,
            .browser(endpoint: "https://e", p256dh: "p", auth: "a")
        ),
    ])
    func `the push channel of every platform is parsed and written again`(
        _ platform: String,
        _ handle: String,
        _ channel: PushChannel
    ) throws {
        let installation = try read(#"{"platform":"\#(platform)","pushChannel":\#(handle)}"#)
        #expect(installation.channel == channel)
        #expect(try read(written(installation)) == installation)
    }

    @Test
    func `a browser's channel is written as a text of JSON`() throws {
        let channel = PushChannel.browser(endpoint: "https://e", p256dh: "p", auth: "a")
        #expect(
            written(Installation(id: "1", channel: channel))
                .contains(#""pushChannel":"{\"endpoint\":\"https://e\",\"p256dh\":\"p\",\"auth\":\"a\"}""#)
        )
    }

    @Test
    func `names of members may have any case, and null counts as absent`() throws {
        let text = """
            {"InstallationId":"ABC","PushChannel":"g","Platform":"GCM","Tags":null,"Templates":{"t":{"Body":"{}",\
            "Headers":{},"expiry":null}},"userId":null,"pushVariables":null,"secondaryTiles":{},"expirationTime":null}
            """
        let installation = try read(text, id: "abc")
        #expect(installation.id == "abc")
        #expect(installation.templates == [InstallationTemplate(name: "t", body: "{}")])
    }
}
