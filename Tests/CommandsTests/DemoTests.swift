import NewsflashTestSupport
import Testing

/// `newsflash demo --once`, as its user runs it.
@Suite(.timeLimit(.minutes(2)))
struct DemoTests {
    @Test func `the demo shows the end of each sample event, and ends with 0`() async throws {
        let end = try await WatchedNewsroom.newsflash("demo", "--once", "--phones", "en,cs")
        #expect(end.code == 0, "\(end.lines)")
        let outcomes = end.lines.compactMap { $0.split(separator: " ").first }.filter { Self.outcomes.contains($0) }
        #expect(Dictionary(grouping: outcomes) { $0 }.mapValues(\.count) == Self.counts)
        #expect(end.lines.contains { $0.contains("the phones of Grace (en)") })
        #expect(end.lines.contains { $0.hasPrefix("13 events ended. The hub accepted 9 sends") })
        #expect(end.lines.contains { $0.hasPrefix("sent       flash ") && $0.contains("on the phones of Grace") })
        #expect(!end.lines.contains { $0.contains("Error") })
    }

    private static let counts: [Substring: Int] = ["sent": 9, "duplicate": 1, "suppressed": 1, "invalid": 2]
    private static let outcomes = Set(counts.keys)
}
