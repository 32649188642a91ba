import NewsflashCommandLineArguments
import Testing

@Suite(.timeLimit(.minutes(1)))
struct MainTests {
    private struct Ending {
        var code: Int32
        var output: String
        var errors: String
    }

    private func run(_ line: String) async -> Ending {
        var output: [String] = []
        var errors: [String] = []
        let code = await Parcel.main(
            line.split(separator: " ").map(String.init),
            output: { output.append($0) },
            errors: { errors.append($0) }
        )
        return Ending(
            code: code.rawValue,
            output: output.joined(separator: "\n"),
            errors: errors.joined(separator: "\n")
        )
    }

    @Test(
        arguments: [
            ("send -t Oslo", 0, "", ""),
            ("track -t a", 0, "", ""),
            ("--version", 0, "1.2.3", ""),
            ("weigh weigh-twice", 0, "2 kg, twice", ""),
            ("depot open-depot --version", 0, "1.2.3", ""),
            ("send -t Oslo --outcome failure", 1, "", ""),
            ("send -t Oslo --outcome coded", 75, "", "Error: The depot is closed; try tomorrow."),
            ("send -t Oslo --outcome error", 70, "", "Error: The parcel is lost."),
            ("send -t Oslo --outcome message", 0, "Sent before.", ""),
            (
                "send -t Oslo --outcome invalid", 64, "",
                """
                Error: The city is unknown.
                Usage: parcel send --to <city> [<options>] [<content>] [<more> ...]
                See 'parcel send --help' for more information.
                """
            ),
            (
                "depot open-dept", 64, "",
                """
                Error: Unknown subcommand 'open-dept'. Did you mean 'open-depot'?
                Usage: parcel depot <subcommand>
                See 'parcel depot --help' for more information.
                """
            ),
            (
                "depot --help open-dept", 64, "",
                """
                Error: Unknown subcommand 'open-dept'. Did you mean 'open-depot'?
                Usage: parcel depot <subcommand>
                See 'parcel depot --help' for more information.
                """
            ),
            (
                "snd --help", 64, "",
                """
                Error: Unknown subcommand 'snd'. Did you mean 'send'?
                Usage: parcel <subcommand>
                See 'parcel --help' for more information.
                """
            ),
            (
                "snd --version", 64, "",
                """
                Error: Unknown subcommand 'snd'. Did you mean 'send'?
                Usage: parcel <subcommand>
                See 'parcel --help' for more information.
                """
            ),
        ] as [(String, Int32, String, String)]
    )
    func `a program ends with a code and reason`(line: String, code: Int32, output: String, errors: String) async {
        let ending = await run(line)
        #expect(ending.code == code)
        #expect(ending.output == output)
        #expect(ending.errors == errors)
    }

    @Test(
        arguments: [
            ("", "parcel <subcommand>"),
            ("help", "parcel <subcommand>"),
            ("-h", "parcel <subcommand>"),
            ("--help send", "parcel <subcommand>"),
            ("send -t Oslo --outcome help", "parcel <subcommand>"),
            ("depot", "parcel depot <subcommand>"),
            ("help depot open-depot", "parcel depot open-depot [-h] <city> <doors> ..."),
            ("depot open-depot --help", "parcel depot open-depot [-h] <city> <doors> ..."),
            ("send --nonsense --to --help", "parcel send --to <city> [<options>] [<content>] [<more> ...]"),
        ]
    )
    func `help is printed on the standard output`(line: String, usage: String) async {
        let ending = await run(line)
        #expect(ending.code == 0)
        #expect(ending.output.contains("USAGE: \(usage)\n"))
        #expect(ending.errors.isEmpty)
    }

    @Test func `a short name belongs to the command that declares it`() async {
        let ending = await run("depot open-depot Oslo 1 -h")
        #expect(ending.output.contains("    --help"))
        #expect(ending.code == 0)
    }
}
