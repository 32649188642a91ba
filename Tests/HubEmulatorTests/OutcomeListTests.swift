import NewsflashHTTPTransport
import NewsflashHubEmulator
import NewsflashStrictJSON
import Testing

@Suite("the list of outcomes", .timeLimit(.minutes(1)))
struct OutcomeListTests {
    private func events(_ desk: Desk, _ query: String = "") throws -> [String] {
        let answer = desk.inspect("GET", "outcomes" + query)
        must(answer, answer: 200)
        let page = try JSONReader.read(answer.body)
        return try #require(page[member: "outcomes"]?.array).compactMap { $0[member: "event"]?.string }
    }

    private func report(_ numbers: ClosedRange<Int>, to desk: Desk) {
        for number in numbers {
            desk.hub.report(
                NewsOutcome(
                    event: "e-\(number)",
                    story: "s",
                    revision: 2,
                    kind: "flash",
                    outcome: "suppressed",
                    reason: "duplicate",
                    at: "2026-01-01T00:00:00Z"
                )
            )
        }
    }

    @Test func `an outcome can be read after it was reported`() throws {
        let desk = try Desk()
        report(1...2, to: desk)
        let answer = desk.inspect("GET", "outcomes?limit=1")
        #expect(
            answer.text
                == #"{"last":1,"outcomes":[{"sequence":1,"event":"e-1","story":"s","revision":2,"kind":"flash","#
                + #""outcome":"suppressed","reason":"duplicate","at":"2026-01-01T00:00:00Z"}]}"#
        )
        #expect(try events(desk, "?after=1") == ["e-2"])
        #expect(try events(desk, "?after=2") == [])
        #expect(desk.inspect("GET", "outcomes?after=x").status == 400)
        #expect(desk.inspect("POST", "outcomes").status == 405)
    }

    @Test func `the last thousand outcomes are kept until sends are deleted`() throws {
        let desk = try Desk()
        report(1...1003, to: desk)
        #expect(try events(desk).count == 1000)
        #expect(try events(desk).first == "e-4")
        #expect(try events(desk, "?after=1002") == ["e-1003"])
        must(desk.inspect("DELETE", "sends"), answer: 204)
        #expect(try events(desk).isEmpty)
        report(1004...1004, to: desk)
        #expect(desk.inspect("GET", "outcomes").text.hasPrefix(#"{"last":1004,"outcomes":[{"sequence":1004,"#))
    }
}
