import NewsflashCommandLineArguments
import NewsflashEvents
import NewsflashTimestamps
import Testing

@testable import NewsflashCommands
@testable import NewsflashOperations

@Suite(.timeLimit(.minutes(1)))
struct EventWordsTests {
    private let now = Timestamp(nanoseconds: 1_772_438_400_123_456_789)

    private func words(_ arguments: String...) throws -> EventWords {
        let command = try Newsflash.parseAsRoot(["publish"] + arguments)
        return try #require(command as? PublishCommand).words
    }

    @Test func `options make an event that the strict decoder reads back unchanged`() throws {
        let words = try words(
            "--kind",
            "flash",
            "--story",
            "urn:desk:1",
            "--category",
            "world",
            "--category",
            "medtop:16000000",
            "--headline",
            "en=1 + 1 = 2",
            "--headline",
            "pt-BR=Ponte",
            "--summary",
            "pt-BR=Resumo",
            "--urgency",
            "2",
            "--url",
            "https://news.example.org/1",
            "--expires",
            "2026-03-02T12:00:00+01:00"
        )
        let event = try words.event(now: now, source: "desk")
        #expect(
            event
                == NewsEvent(
                    id: "cli-1772438400123456",
                    source: "desk",
                    story: "urn:desk:1",
                    revision: 1_772_438_400_123,
                    kind: .flash,
                    urgency: 2,
                    published: Timestamp(milliseconds: 1_772_438_400_123),
                    expires: Timestamp(rfc3339: "2026-03-02T11:00:00Z"),
                    categories: ["world", "medtop:16000000"],
                    text: [
                        EventText(language: "en", headline: "1 + 1 = 2"),
                        EventText(language: "pt-BR", headline: "Ponte", summary: "Resumo"),
                    ],
                    url: "https://news.example.org/1"
                )
        )
        let read = EventDecoder(defaultSource: "other").decode(bytes: EventEncoder.encode(event))
        #expect(read == .event(event, warnings: []))
    }

    @Test func `a given id and revision are kept`() throws {
        let words = try words("--kind", "kill", "--story", "s", "--event", "k-1", "--revision", "7")
        let event = try words.event(now: now, source: "desk")
        #expect(event.id == "k-1")
        #expect(event.revision == 7)
    }

    @Test(arguments: [
        (["--headline", "en=secret"], "'--kind' is missing"),
        (["--kind", "flash"], "'--story' is missing"),
        (["--kind", "flash", "--story", "s", "--headline", "secret"], "number 1 has no language"),
        (["--kind", "flash", "--story", "s", "--headline", "=secret"], "number 1 has no language"),
        (["--kind", "flash", "--story", "s", "--summary", "en=secret"], "needs a '--headline en=…'"),
        (["--kind", "flash", "--story", "s", "--headline", "en=a", "--headline", "en=secret"], "twice for en"),
        (["--kind", "flash", "--story", "s", "--expires", "tomorrow"], "is not a time"),
        (["--kind", "flash", "--story", "s", "file.json"], "either files or"),
        (["--kind", "flash", "--story", "s", "--now"], "go with files"),
        (["--raw", "--now", "file.json"], "give one"),
        (["--key", "k", "file.json"], "the key of an event is its story"),
        (["--header", "no colon", "file.json"], "a name and a value, such as 'name: value'"),
    ])
    func `wrong options are refused without showing any news`(arguments: [String], reason: String) throws {
        let error = try #require(throws: UsageError.self) { try Newsflash.parseAsRoot(["publish"] + arguments) }
        #expect(error.message.contains(reason))
        #expect(!error.message.contains("secret"))
    }
}
