import NewsflashCommandLineArguments
import Testing

@Suite(.timeLimit(.minutes(1)))
struct ParsingTests {
    private func parse<Command: ParsableCommand>(_ line: String, as type: Command.Type = Command.self) throws -> Command
    {
        let command = try Parcel.parseAsRoot(line.split(separator: " ").map(String.init))
        return try #require(command as? Command)
    }

    @Test func `missing options have their defaults`() throws {
        let send = try parse("send --to Oslo", as: Send.self)
        #expect(send.address.to == "Oslo")
        #expect(send.address.doorNumber == 1)
        #expect(send.speed == .slow)
        #expect(send.weight == nil)
        #expect(send.count == 1)
        #expect(send.label == ["fragile"])
        #expect(send.insured)
        #expect(!send.verbose)
        #expect(send.content == "nothing")
        #expect(send.more.isEmpty)
    }

    @Test func `a value of every kind is parsed`() throws {
        let line = "send -t=Oslo --door-number=65535 --speed fast --weight -1.5 --count -3 --insured false -v box a b"
        let send = try parse(line, as: Send.self)
        #expect(send.address.to == "Oslo")
        #expect(send.address.doorNumber == 65535)
        #expect(send.speed == .fast)
        #expect(send.weight == -1.5)
        #expect(send.count == -3)
        #expect(!send.insured)
        #expect(send.verbose)
        #expect(send.content == "box")
        #expect(send.more == ["a", "b"])
    }

    @Test func `given values replace the default of a repeatable option`() throws {
        #expect(try parse("send -t Oslo --label a --label=b", as: Send.self).label == ["a", "b"])
    }

    @Test func `an equals sign inside a value is kept`() throws {
        #expect(try parse("send -t Oslo --label=a=b", as: Send.self).label == ["a=b"])
    }

    @Test func `words after the terminator are taken literally`() throws {
        let send = try parse("send -t Oslo -- --speed -v --", as: Send.self)
        #expect(send.content == "--speed")
        #expect(send.more == ["-v", "--"])
        #expect(!send.verbose)
    }

    @Test func `a hyphen alone is an argument`() throws {
        #expect(try parse("send -t Oslo -", as: Send.self).content == "-")
    }

    @Test func `short flags can be combined, and the last may have a value`() throws {
        let send = try parse("send -vt Oslo", as: Send.self)
        #expect(send.verbose)
        #expect(send.address.to == "Oslo")
    }

    @Test func `arguments are parsed in the order of their properties`() throws {
        let open = try parse("depot open-depot Oslo 1 -2 -h", as: OpenDepotCommand.self)
        #expect(open.city == "Oslo")
        #expect(open.doors == [1, -2])
        #expect(open.hours)
    }

    @Test func `later changes of a command do not change a copy`() throws {
        let send = try parse("send -t Oslo", as: Send.self)
        var copy = send
        copy.count = 7
        #expect(send.count == 1)
        #expect(copy.count == 7)
    }

    @Test func `a group without a subcommand is called itself`() throws {
        let depot: Depot = try parse("depot")
        #expect(throws: CleanExit.self) {
            var depot = depot
            try depot.run()
        }
    }

    @Test(
        arguments: [
            ("snd", "unknown_subcommand", "Unknown subcommand 'snd'. Did you mean 'send'?"),
            ("weig", "unknown_subcommand", "Unknown subcommand 'weig'."),
            ("help dept", "unknown_subcommand", "Unknown subcommand 'dept'. Did you mean 'depot'?"),
            ("depot close", "unknown_subcommand", "Unknown subcommand 'close'."),
            (
                "track --bootstrap-server a", "unknown_option",
                "Unknown option '--bootstrap-server'. Did you mean '--bootstrap-servers'?"
            ),
            ("track --boot=a", "unknown_option", "Unknown option '--boot'. Did you mean '--bootstrap-servers'?"),
            ("send -t Oslo --outcom x", "unknown_option", "Unknown option '--outcom'."),
            ("send -t Oslo -x", "unknown_option", "Unknown option '-x'."),
            ("send -speed fast", "unknown_option", "Unknown option '-s' in '-speed'. Did you mean '--speed'?"),
            (
                "send -tv Oslo", "missing_value",
                "Missing value for '-t <city>' in '-tv': an option with a value must be the last letter."
            ),
            ("send --to", "missing_value", "Missing value for '--to <city>'."),
            ("send --to --speed fast", "missing_value", "Missing value for '--to <city>'."),
            ("send -t --", "missing_value", "Missing value for '-t <city>'."),
            ("send", "missing_option", "Missing option '--to <city>'."),
            ("track", "missing_option", "Missing option '-t <topic>'."),
            ("depot open-depot", "missing_argument", "Missing argument '<city>'."),
            ("depot open-depot Oslo", "missing_argument", "Missing argument '<doors>'."),
            ("track -t a 1 2", "unexpected_argument", "Unexpected argument '2'."),
            ("send --verbose=yes", "unexpected_value", "The flag '--verbose' takes no value."),
            (
                "send -t a --to b", "repeated_option",
                "The option '--to <city>' was given twice; it takes one value."
            ),
            (
                "send -t a --door-number 65536", "invalid_value",
                "The value '65536' is invalid for '--door-number <door-number>': expected a whole number from 0 to 65535."
            ),
            (
                "send -t a --speed warp", "invalid_value",
                "The value 'warp' is invalid for '--speed <speed>': expected one of slow, fast."
            ),
            (
                "send -t a --speed fats", "invalid_value",
                "The value 'fats' is invalid for '--speed <speed>': expected one of slow, fast. Did you mean 'fast'?"
            ),
            (
                "send -t a --weight nan", "invalid_value",
                "The value 'nan' is invalid for '--weight <weight>': expected a number."
            ),
            (
                "send -t a --insured maybe", "invalid_value",
                "The value 'maybe' is invalid for '--insured <insured>': expected one of true, false."
            ),
            (
                "track -t a soon", "invalid_value",
                "The value 'soon' is invalid for '<since>': expected a whole number."
            ),
            ("send -t Oslo -vq", "validation", "'-v' and '-q' contradict each other."),
            ("send --to=", "validation", "A parcel needs a city."),
            (
                "--generate-completion-script csh", "invalid_value",
                "'--generate-completion-script' expects one of bash, zsh, fish."
            ),
        ]
    )
    func `a wrong command line is refused with the reason`(line: String, code: String, message: String) throws {
        let error = #expect(throws: UsageError.self) {
            try Parcel.parseAsRoot(line.split(separator: " ").map(String.init))
        }
        #expect(error?.code.rawValue == code)
        #expect(error?.message == message)
    }
}
