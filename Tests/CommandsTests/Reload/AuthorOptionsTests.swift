import NewsflashCommandLineArguments
import Testing

@testable import NewsflashCommands

@Suite(.timeLimit(.minutes(1)))
struct AuthorOptionsTests {
    @Test func `a person whose name is not known must give it, and a script need not`() throws {
        var options = AuthorOptions()
        #expect(try options.name(user: "novak", isTerminal: true) == "novak")
        #expect(try options.name(user: nil, isTerminal: false) == "someone")
        for user in [nil, "", String(repeating: "x", count: 257)] {
            let error = #expect(throws: ValidationError.self) { try options.name(user: user, isTerminal: true) }
            #expect(error?.message.contains("add '--by'") == true)
        }
        options.by = "ed:novak"
        #expect(try options.name(user: nil, isTerminal: true) == "ed:novak")
    }
}
