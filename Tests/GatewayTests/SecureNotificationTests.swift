import NewsflashGateway
import NewsflashHTTPTransport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct SecureNotificationTests {
    /// Fixed texts of the test.
    private struct FixedTexts: SecureNotifications {
        func notification(_ token: String, for reader: SecureReader, languages: [String]) async -> SecureNotification {
            switch token {
            case "withdrawn": .withdrawn
            case "unread": .unavailable
            case "news-1" where reader.name == "anna":
                .found(
                    SecureText(
                        id: token,
                        story: "urn:desk:42",
                        kind: "alert",
                        locale: languages.joined(separator: " "),
                        headline: "Only for anna",
                        published: "2026-03-02T09:40:00Z"
                    )
                )
            default: .notFound
            }
        }
    }

    @Test func `a text is for its audience, in the user's languages`() async throws {
        try await GatewayRig.run(secure: FixedTexts()) { rig in
            let answer = try await rig.ask(
                "GET",
                "/api/notifications/news-1",
                as: "anna",
                headers: [.init("Accept-Language", "fr;q=0.5, pt-BR, *;q=0.1, en;q=0, de;q=0.9")]
            )
            #expect(answer.status == 200)
            #expect(
                answer.text
                    == #"{"id":"news-1","story":"urn:desk:42","kind":"alert","locale":"pt-BR de fr","#
                    + #""headline":"Only for anna","published":"2026-03-02T09:40:00Z"}"#
            )
            #expect(answer.headers["Cache-Control"] == "no-store")
            #expect(try await rig.ask("GET", "/api/notifications/news-1", as: "bob").status == 404)
            #expect(try await rig.ask("GET", "/api/notifications/news-1").status == 401)
            #expect(try await rig.ask("GET", "/api/notifications/withdrawn", as: "anna").status == 410)
            let unread = try await rig.ask("GET", "/api/notifications/unread", as: "anna")
            #expect(unread.status == 503)
            #expect(unread.headers["Retry-After"] == "2")
        }
    }
}
