import NewsflashCommandLineArguments
import NewsflashOperations

/// The options that select the events of a replay.
struct ReplayOptions: ParsableArguments {
    @OptionGroup var times: TimeOptions

    @Option(
        help: ArgumentHelp(
            "Records of a partition by their offsets, including the last one.",
            valueName: "partition@first..last"
        )
    )
    var offsets: [ReplayRange] = []

    @Option(help: "Events of this story.")
    var story: String?

    @Option(help: ArgumentHelp("The event with this id.", valueName: "id"))
    var event: String?

    @Option(help: ArgumentHelp("Events with this category, as the newsroom writes it.", valueName: "code"))
    var category: String?

    func validate() throws {
        guard offsets.isEmpty || (times.since == nil && times.until == nil) else {
            throw ValidationError("Give either '--offsets' or times, not both.")
        }
        guard !offsets.isEmpty || times.since != nil || story != nil || event != nil else {
            throw ValidationError("Say what to replay: '--since', '--offsets', '--story' or '--event'.")
        }
    }

    /// Whether only times are given. Then it is not an error if no event is found.
    var isOnlyTimes: Bool { offsets.isEmpty && story == nil && event == nil && category == nil }

    /// The conditions on a record, except its time.
    var filter: ReplayFilter { ReplayFilter(offsets: offsets, story: story, event: event, category: category) }

    /// The options as typed, so that the same command gets the same id again.
    var text: String {
        let named: [(String, String?)] = [
            ("since", times.since), ("until", times.until), ("story", story), ("event", event), ("category", category),
            ("offsets", offsets.isEmpty ? nil : offsets.map { "\($0.partition)@\($0.offsets)" }.joined(separator: ",")),
        ]
        return named.compactMap { name, value in value.map { "\(name)=\($0)" } }.joined(separator: "\n")
    }
}

extension ReplayRange: ExpressibleByArgument {
    init?(argument: String) { self.init(argument) }
}
