import NewsflashCommandLineArguments
import Testing

@Suite(.timeLimit(.minutes(1)))
struct HelpTextTests {
    @Test func `the help shows everything that a newcomer needs to call a command`() {
        #expect(
            Parcel.helpMessage(for: Send.self) == """
                Sends one parcel.

                USAGE: parcel send --to <city> [<options>] [<content>] [<more> ...]

                ARGUMENTS:
                  <content>                 What is inside. (default: nothing)
                  <more> ...                What else is inside.

                OPTIONS:
                  -t, --to <city>           Where it goes. (required)
                      --door-number <door-number>
                                            The door. (default: 1)
                      --speed <speed>       How fast it travels, which decides both what it
                                            costs and when it is there. (values: slow, fast;
                                            default: slow)
                      --weight <weight>     Kilograms.
                      --count <count>       Parcels of this kind. (default: 1)
                      --label <word>        A word on the box. (may be repeated; default:
                                            fragile)
                      --insured <insured>   Insured. (values: true, false; default: true)
                  -v, --verbose             Say more.
                  -q                        Say less.
                      --version             Show the version.
                  -h, --help                Show this help.

                EXAMPLE:
                  parcel send -t Oslo --speed fast book
                """
        )
    }

    @Test func `the help shows the subcommands of a group`() {
        #expect(
            Parcel.helpMessage() == """
                Sends parcels.

                USAGE: parcel <subcommand>

                OPTIONS:
                      --version             Show the version.
                  -h, --help                Show this help.
                      --generate-completion-script <shell>
                                            Print a script that completes commands and options.
                                            (values: bash, zsh, fish)

                SUBCOMMANDS:
                  send                      Sends one parcel.
                  depot                     Looks after depots; it's quiet there.
                  track

                See 'parcel help <subcommand>' for the help of a subcommand.

                EXAMPLE:
                  parcel send --to Oslo
                """
        )
    }

    @Test func `groups of subcommands have headings, and hidden subcommands are not shown`() {
        let lines = Depots.helpMessage().split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        let beginning = lines.firstIndex(of: "SUBCOMMANDS:") ?? 0
        #expect(
            lines[beginning...].prefix(9) == [
                "SUBCOMMANDS:", "  send                      Sends one parcel.", "", "AFTER SENDING:",
                "  depot                     Looks after depots; it's quiet there.", "  track", "",
                "See 'depots help <subcommand>' for the help of a subcommand.",
            ]
        )
        #expect(throws: Never.self) { _ = try Depots.parseAsRoot(["track", "-t", "3"]) }
    }

    @Test func `no line is wider than eighty columns`() {
        let lines = Parcel.helpMessage(for: Send.self).split(separator: "\n")
        #expect(lines.allSatisfy { $0.count <= 80 })
        #expect(lines.contains { $0.count > 60 })
    }
}

/// A root whose subcommands are in groups.
private struct Depots: ParsableCommand {
    static let configuration = CommandConfiguration(
        subcommands: [Send.self],
        groupedSubcommands: [
            CommandGroup(name: "After sending", subcommands: [Depot.self, Track.self]),
            CommandGroup(name: "Hidden", subcommands: [Weigh.self]),
        ]
    )
}
