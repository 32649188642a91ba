import NewsflashCommandLineArguments
import Testing

@Suite(.timeLimit(.minutes(1)))
struct SuggestionTests {
    @Test(
        arguments: [
            ("rnu", "run"), ("RUN", "run"), ("topics", "topic"), ("bootstrap.server", "bootstrap.servers"),
            ("boot", "bootstrap.servers"), ("xyz", nil), ("", nil), ("-", nil), ("servers", nil),
        ] as [(String, String?)]
    )
    func `the nearest word is suggested if it is near enough`(word: String, expected: String?) {
        #expect(suggestion(for: word, among: ["run", "topic", "bootstrap.servers"]) == expected)
    }

    @Test func `nothing is suggested if the beginning fits several words`() {
        #expect(suggestion(for: "--format", among: ["--format-of-input", "--format-of-output"]) == nil)
    }

    @Test func `nothing is suggested without candidates`() {
        #expect(suggestion(for: "run", among: []) == nil)
    }
}
