import NewsflashEvents
import NewsflashHTTPTransport
import NewsflashPlanning
import NewsflashPublishing
import NewsflashRendering
import NewsflashStrictJSON
import NewsflashTestSupport
import NewsflashTimestamps
import NewsflashWorker
import NotificationHubs
import Testing

/// Secure events, whose words must not be in any request.
@Suite(.timeLimit(.minutes(1)))
struct SecurePlanningTests {
    private static let rules = """
        hubs: { main: { name: newsroom, as: [template, apns, fcmv1, wns, adm, browser], tags: "{category}.{locale}" } }
        send: { properties: { messageParam: "Breaking {category} News : {headline}" } }
        text:
          kill: "Withdrawn: {headline}"
          flash: "Breaking: {headline}"
          secure: { en: "You have a message", fr: "Vous avez un message" }
        secure: { keyFile: KEY }
        """

    private static func desk(key: String = "0123456789abcdef") throws -> PlanningHarness {
        let file = try KeyFile(key)
        // The file is read during this call, and removed with its object.
        defer { withExtendedLifetime(file) {} }
        return try PlanningHarness(rules.replacing("KEY", with: file.path), text: false)
    }

    private static func secure(_ kind: EventKind = .flash) -> NewsEvent {
        var event = PlanningHarness.event(kind)
        event.delivery = .secure
        event.users = ["anna"]
        return event
    }

    /// Texts that no request may contain; the category may be in its tags only.
    private static let words = [
        "Bridge closed", "Pont fermé", "Cracks", "urn:story:1", "news.example.org", "Breaking:", "\"flash\"", "kind",
        "World",
    ]

    @Test func `no request contains a word of a secure event, in any format and language`() throws {
        let desk = try Self.desk()
        let token = desk.configuration.secure.tokens.token(for: Self.secure())
        let sends = desk.sends(Self.secure())
        #expect(sends.count == 6 * (3 + 1))
        for send in sends {
            let body = String(decoding: send.message.body, as: UTF8.self)
            let headers = send.message.headers.fields.map { "\($0.name): \($0.value)" }.joined(separator: "\n")
            for word in Self.words { #expect(!(body + headers).contains(word), "\(send.platform): \(word)") }
            #expect(body.contains(send.locale == "fr" ? "Vous avez un message" : "You have a message"))
            #expect(!body.contains("e-1"))
            #expect(body.contains(token))
            #expect(send.template == "secure")
        }
    }

    @Test func `a resend has the same token, and another event or key has another token`() throws {
        let tokens = try Self.desk().configuration.secure.tokens
        let otherKey = try Self.desk(key: "fedcba9876543210").configuration.secure.tokens
        var tokenOfOthers: Set<String> = [otherKey.token(for: Self.secure())]
        let token = tokens.token(for: Self.secure(.update))
        #expect(token == tokens.token(for: Self.secure()))
        #expect(token.wholeMatch(of: /[A-Za-z0-9_-]{22}/) != nil)
        for change in [{ $0.id = "e-2" }, { $0.story = "s" }, { $0.source = "other" }] as [(inout NewsEvent) -> Void] {
            var event = Self.secure()
            change(&event)
            tokenOfOthers.insert(tokens.token(for: event))
        }
        #expect(tokenOfOthers.count == 4 && !tokenOfOthers.contains(token))
        #expect(!"\(tokens)".contains("0123"))
    }

    @Test func `a secure event without a notice is a dead letter`() throws {
        let desk = try PlanningHarness("hub: newsroom")
        guard case .end(let verdict, let stage) = desk.plan(Self.secure()) else {
            Issue.record("the event is sent")
            return
        }
        #expect(verdict.reason == "invalid.no_secure_text" && stage == .render)
        #expect(verdict.isDeadLetter)
    }

    @Test(arguments: [EventKind.update, .correction, .kill])
    func `a later event of a secure story is secure, even without its own setting`(_ kind: EventKind) throws {
        let desk = try Self.desk()
        let event = PlanningHarness.event(kind, text: kind == .kill ? [] : PlanningHarness.event().text)
        var story = StoryFacts(awaiting: event, digest: ContentDigest(of: event), now: PlanningHarness.now)
        story.isSecure = true
        let fact = try PlanningHarness.notified("main", "World.en", locale: "en")
        story.recordAccepted(fact.audience, fact.act)
        let plan = desk.planner.plan(
            event,
            for: Addressees(of: event, facts: story),
            story: story,
            deadline: PlanningHarness.now + .seconds(3600),
            loudness: .usual,
            now: PlanningHarness.now
        )
        guard case .send(let sends, _) = plan else {
            Issue.record("the event is not sent: \(plan)")
            return
        }
        #expect(!sends.isEmpty)
        for send in sends {
            let body = String(decoding: send.message.body, as: UTF8.self)
            for word in Self.words + ["Withdrawn", "kill", "correction"] { #expect(!body.contains(word)) }
        }
    }

    @Test func `a secure event without text is not sent`() throws {
        var event = Self.secure(.alert)
        event.text = [EventText(language: "en", headline: " ")]
        guard case .end(let verdict, _) = try Self.desk().plan(event) else {
            Issue.record("the event is sent")
            return
        }
        #expect(verdict.reason == "invalid.no_text")
    }
}
