import NotificationHubs
import Publishing
import Rendering
import Routing
import Testing

/// The digest by which two requests are told apart without their words.
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
            to: Recipients(
                hub: "main",
                format: "template",
                audience: PlannedAudience(expression: expression, locale: nil, categories: [])
            ),
            template: "alert",
            interruption: interruption,
            clockPart: clockPart
        )
        return RequestDigest(of: send)
    }

    /// Outcomes of last month are compared with plans of today, so it must stay what it is.
    @Test func `it is the same in every process and every version`() throws {
        #expect(try Self.digest("{\"headline\":\"Bridge closed\"}").text == "04f68542428c")
    }

    @Test func `every byte and the length count, at every place`() throws {
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

    @Test func `what the clock changes does not count, and all around it does`() throws {
        let early = try Self.digest("before ttl=10 after", clockPart: 7..<13)
        #expect(try Self.digest("before ttl=9999 after", clockPart: 7..<15) == early)
        #expect(try Self.digest("Before ttl=10 after", clockPart: 7..<13) != early)
        #expect(try Self.digest("before ttl=10 After", clockPart: 7..<13) != early)
    }

    @Test func `a part beyond the body is cut to it`() throws {
        #expect(try Self.digest("abc", clockPart: 1..<9) == Self.digest("axy", clockPart: 1..<3))
    }

    @Test func `loudness counts`() throws {
        #expect(try Self.digest("abc", .passive) != Self.digest("abc", .active))
    }
}
