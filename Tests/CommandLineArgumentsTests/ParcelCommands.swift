import NewsflashCommandLineArguments

/// A small tree of commands for parsing command lines.
struct Parcel: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Sends parcels.",
        discussion: "EXAMPLE:\n  parcel send --to Oslo",
        version: "1.2.3",
        subcommands: [Send.self, Depot.self, Track.self, Weigh.self]
    )
}

enum Speed: String, ExpressibleByArgument, CaseIterable {
    case slow
    case fast
}

struct Address: ParsableArguments {
    @Option(name: [.customShort("t"), .long], help: ArgumentHelp("Where it goes.", valueName: "city"))
    var to: String

    @Option(help: "The door.")
    var doorNumber: UInt16 = 1

    mutating func validate() throws {
        if to.isEmpty { throw ValidationError("A parcel needs a city.") }
    }
}

struct Send: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Sends one parcel.",
        discussion: "EXAMPLE:\n  parcel send -t Oslo --speed fast book"
    )

    @OptionGroup var address: Address

    @Option(help: "How fast it travels, which decides both what it costs and when it is there.")
    var speed: Speed = .slow

    @Option(help: "Kilograms.")
    var weight: Double?

    @Option(help: "Parcels of this kind.")
    var count: Int = 1

    @Option(help: ArgumentHelp("A word on the box.", valueName: "word"))
    var label: [String] = ["fragile"]

    @Option(help: "Insured.")
    var insured: Bool = true

    @Flag(name: .shortAndLong, help: "Say more.")
    var verbose = false

    @Flag(name: .customShort("q"), help: "Say less.")
    var quiet = false

    @Option(help: ArgumentHelp("For tests.", visibility: .hidden))
    var outcome: String?

    @Argument(help: "What is inside.")
    var content: String = "nothing"

    @Argument(help: "What else is inside.")
    var more: [String] = []

    mutating func validate() throws {
        if verbose, quiet { throw ValidationError("'-v' and '-q' contradict each other.") }
    }

    mutating func run() async throws {
        switch outcome {
        case "failure": throw ExitCode.failure
        case "coded": throw DepotClosed()
        case "invalid": throw ValidationError("The city is unknown.")
        case "help": throw CleanExit.helpRequest(Parcel.self)
        case "message": throw CleanExit.message("Sent before.")
        case "error": throw Lost()
        default: break
        }
    }
}

struct DepotClosed: ExitCoded, CustomStringConvertible {
    var exitCode: ExitCode { ExitCode(75) }
    var description: String { "The depot is closed; try tomorrow." }
}

struct Lost: Error, CustomStringConvertible {
    var description: String { "The parcel is lost." }
}

struct Depot: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Looks after depots; it's quiet there.",
        subcommands: [OpenDepotCommand.self, LabelDepotCommand.self]
    )
}

struct LabelDepotCommand: ParsableCommand {
    @Argument(help: "For which parcels.")
    var speed: Speed
}

struct OpenDepotCommand: ParsableCommand {
    @Argument(help: "Where.")
    var city: String

    @Argument(help: "Which doors.")
    var doors: [Int]

    @Flag(name: .customShort("h"), help: "All hours.")
    var hours = false
}

struct Track: ParsableCommand {
    @Argument(help: "Since then.")
    var since: Int?

    @Option(name: .customLong("bootstrap-servers"), help: ArgumentHelp("Brokers.", valueName: "list"))
    var servers: String = "localhost:9092"

    @Option(name: .short, help: "Topics.")
    var topic: [String]

    func run() throws {}
}

struct Weigh: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "What the depot's scales call.",
        shouldDisplay: false,
        subcommands: [WeighTwice.self]
    )
}

struct WeighTwice: ParsableCommand {
    func run() throws { throw CleanExit.message("2 kg, twice") }
}
