import FoundationEssentials
import Publishing
import Testing

@Suite(.timeLimit(.minutes(1)))
struct EventPhaseTests {
    @Test func `the article's table of states is that of the code`() throws {
        let root = #filePath.split(separator: "/").dropLast(3).reduce("") { "\($0)/\($1)" }
        let path = root + "/Sources/Rules/Publishing/Publishing.docc/LifeOfAnEvent.md"
        let article = try String(contentsOfFile: path, encoding: .utf8)
        let section = try #require(article.split(separator: "## States\n").last?.split(separator: "\n### ").first)
        let rows = section.split(separator: "\n").filter { $0.hasPrefix("| ") }.dropFirst()
        let names = rows.map { $0.dropFirst(2).prefix { $0 != " " } }.map(String.init)
        #expect(names == EventPhase.names)
    }

    @Test func `each state has its own name`() {
        let phases: [EventPhase] = [
            .waiting(.turn), .queued, .sending, .ended(EventVerdict(.expired)), .writing(EventVerdict(.sent)),
        ]
        #expect(phases.map(\.name) == EventPhase.names)
    }
}
