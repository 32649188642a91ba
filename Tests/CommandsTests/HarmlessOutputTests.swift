import NewsflashTestSupport
import Testing

/// The output for people cannot control a terminal, whatever files and arguments contain.
@Suite(.timeLimit(.minutes(1)))
struct HarmlessOutputTests {
    @Test func `values and keys of a configuration are escaped`() async throws {
        let folder = try TemporaryFolder()
        let file = try folder.write("version: 1\nhub: \"n\\e[2J\"\n\"foo\\e[31m\": 1\n", to: "newsflash.yaml")
        let end = try await WatchedNewsroom.newsflash("lint", "--config", file)
        #expect(end.code == 78)
        #expect(end.lines.contains { $0.contains(#"'n\u001b[2J' is not a valid hub name"#) }, "\(end.lines)")
        #expect(end.lines.contains { $0.contains(#"foo\u001b[31m: unknown key"#) })
        #expect(!end.lines.joined().contains("\u{1B}"))
    }

    @Test func `errors are escaped, and keep their lines`() async throws {
        let end = try await WatchedNewsroom.newsflash("pauses", "--config", "/nowhere/\u{1B}[2J.yaml")
        #expect(end.code == 78)
        #expect(end.lines.first == #"Error: /nowhere/\u001b[2J.yaml: 1 problem"#, "\(end.lines)")
        #expect(end.lines.count == 3)
    }
}
