import NewsflashPublishing
import NewsflashRendering
import NotificationHubs
import Testing

/// The effect of a changed plan on subscribers.
@Suite(.timeLimit(.minutes(1)))
struct PlanDifferenceTests {
    private typealias ComparedAudience = PlanDifference.ComparedAudience

    private static func request(
        _ tags: String,
        hub: String = "main",
        platform: String = "template",
        digest: String? = "00000000000a",
        interruption: InterruptionLevel? = .active,
        locale: String? = nil
    ) -> OutcomeRecord.Request {
        var request = OutcomeRecord.Request(hub: hub, platform: platform, tags: tags)
        request.template = "alert"
        request.interruption = interruption
        request.locale = locale
        request.digest = digest
        return request
    }

    private static func difference(_ before: [OutcomeRecord.Request], _ after: [OutcomeRecord.Request])
        -> PlanDifference
    {
        PlanDifference(before: before, after: after)
    }

    @Test func `the same requests in another order are not a difference`() {
        let one = Self.request("world")
        let other = Self.request("sport")
        #expect(Self.difference([one, other], [other, one]).kind == .same)
        #expect(Self.difference([], []).kind == .same)
    }

    @Test func `other words for the same audience are a difference of words`() {
        let difference = Self.difference([Self.request("world")], [Self.request("world", digest: "00000000000b")])
        #expect(difference.kind == .words)
        #expect(difference.reworded == [ComparedAudience(hub: "main", platform: "template", tags: "world")])
        #expect(difference.lost.isEmpty && difference.gained.isEmpty)
    }

    @Test func `another interruption level is a difference of words`() {
        let silent = Self.request("world", interruption: .passive)
        #expect(Self.difference([Self.request("world")], [silent]).kind == .words)
    }

    @Test func `a category that is no longer mapped loses its audience`() {
        let difference = Self.difference([Self.request("sport || world")], [Self.request("world")])
        #expect(difference.kind == .lost)
        #expect(difference.lost == [ComparedAudience(hub: "main", platform: "template", tags: "sport")])
        #expect(Self.difference([Self.request("world")], []).kind == .lost)
    }

    @Test func `an audience without an earlier request is gained`() {
        let difference = Self.difference([Self.request("world")], [Self.request("world"), Self.request("sport")])
        #expect(difference.kind == .gained)
        #expect(difference.gained.map(\.description) == ["main, template: sport"])
        #expect(Self.difference([], [Self.request("world")]).kind == .gained)
    }

    @Test func `a replaced tag is a difference of audience`() {
        #expect(Self.difference([Self.request("world")], [Self.request("World")]).kind == .audience)
        #expect(Self.difference([Self.request("world")], [Self.request("world", hub: "south")]).kind == .audience)
        #expect(Self.difference([Self.request("world")], [Self.request("world", platform: "apns")]).kind == .audience)
    }

    @Test func `the grouping of tags in requests is not a difference`() {
        let together = [Self.request("sport || world || politics")]
        let apart = [Self.request("world"), Self.request("politics || sport")]
        #expect(Self.difference(together, apart).kind == .same)
    }

    @Test func `an expression that is not a list of tags is one audience`() {
        let before = [Self.request("(sport || world) && $Language:en")]
        let after = [Self.request("world && $Language:en")]
        let difference = Self.difference(before, after)
        #expect(difference.kind == .audience)
        #expect(difference.lost.map(\.tags) == ["(sport || world) && $Language:en"])
    }

    @Test func `requests in several languages to one tag are compared by language`() {
        let before = ["en", "fr"].map { Self.request("world", locale: $0) }
        #expect(Self.difference(before, [before[0]]).kind == .words)
        #expect(Self.difference(before, before.reversed()).kind == .same)
    }

    @Test func `words missing in an old outcome are not a difference`() {
        let old = Self.request("world", digest: nil, interruption: nil)
        #expect(Self.difference([old], [Self.request("world")]).kind == .same)
        #expect(Self.difference([old], [Self.request("sport")]).kind == .audience)
    }

    @Test func `an outcome and its plan have equal requests`() throws {
        let send = try #require(OneSendPlanner.send("e-1", tag: "world"))
        var request = OutcomeRecord.Request(hub: "main", platform: "template", tags: "world")
        request.template = "alert"
        request.interruption = .active
        request.digest = RequestDigest(of: send).text
        request.bytes = send.message.body.count
        request.textFrom = send.textFrom
        #expect(request == OutcomeRecord.Request(send))
    }
}
