import NewsflashPublishing
import NewsflashRendering
import NewsflashRouting
import NotificationHubs
import Testing

/// The digest that distinguishes two requests without their words.
@Suite(.timeLimit(.minutes(1)))
struct RequestDigestTests {
    private static func digest(
        _ body: String,
        clockPart: Range<Int> = 0..<0,
        _ interruption: InterruptionLevel = .active
    ) throws -> RequestDigest {
        let expression = try TagExpression(parsing: "world")
        let send = PlannedSend(
            try HubMessage(rendered: Array(body.utf8)),
            to: Audience(
                hub: "main",
                format: "template",
                planned: PlannedAudience(expression: expression, locale: nil, categories: [])
            ),
            template: "alert",
            interruption: interruption,
            clockPart: clockPart
        )
        return RequestDigest(of: send)
    }

    /// The digest must not change, because outcomes of last month are compared with plans of today.
    @Test func `the digest is the same in every process and every version`() throws {
        #expect(try Self.digest("{\"headline\":\"Bridge closed\"}").text == "dfb102bfdf60")
    }

    @Test func `every byte and the length change the digest, at every position`() throws {
        var seen: Set<String> = []
        for length in 1...40 {
            let zeros = String(repeating: "0", count: length)
            #expect(seen.insert(try Self.digest(zeros).text).inserted)
            for place in 0..<length {
                var text = Array(zeros)
                text[place] = "1"
                #expect(seen.insert(try Self.digest(String(text)).text).inserted, "\(place) of \(length)")
            }
        }
    }

    @Test func `the part that depends on the clock does not count, and the bytes around it do`() throws {
        let early = try Self.digest("before ttl=10 after", clockPart: 7..<13)
        #expect(try Self.digest("before ttl=9999 after", clockPart: 7..<15) == early)
        #expect(try Self.digest("Before ttl=10 after", clockPart: 7..<13) != early)
        #expect(try Self.digest("before ttl=10 After", clockPart: 7..<13) != early)
    }

    @Test func `a part beyond the body is cut to the body`() throws {
        #expect(try Self.digest("abc", clockPart: 1..<9) == Self.digest("axy", clockPart: 1..<3))
    }

    @Test func `loudness changes the digest`() throws {
        #expect(try Self.digest("abc", .passive) != Self.digest("abc", .active))
    }
}
