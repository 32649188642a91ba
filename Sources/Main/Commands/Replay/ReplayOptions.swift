import CommandLineArguments
import NewsEvents
import Timestamps

/// Which events a replay is about.
struct ReplayOptions: ParsableArguments {
    @OptionGroup var times: TimeOptions

    @Option(
        help: ArgumentHelp(
            "Records of a partition by their offsets, the last one included; again for more.",
            valueName: "partition@first..last"
        )
    )
    var offsets: [ReplayRange] = []

    @Option(help: "Events of this story.")
    var story: String?

    @Option(help: ArgumentHelp("The event of this id.", valueName: "id"))
    var event: String?

    @Option(help: ArgumentHelp("Events that name this category, as the desk writes it.", valueName: "code"))
    var category: String?

    func validate() throws {
        guard offsets.isEmpty || (times.since == nil && times.until == nil) else {
            throw ValidationError("Give either '--offsets' or times, not both.")
        }
        guard !offsets.isEmpty || times.since != nil || story != nil || event != nil else {
            throw ValidationError("Say what to replay: '--since', '--offsets', '--story' or '--event'.")
        }
    }

    /// Whether they name only times: an hour without events is not a mistake.
    var isOnlyTimes: Bool { offsets.isEmpty && story == nil && event == nil && category == nil }

    /// What they ask of a record, besides its time.
    var filter: ReplayFilter { ReplayFilter(offsets: offsets, story: story, event: event, category: category) }

    /// As they were typed, so that the same command has the same name a second time.
    var text: String {
        let named: [(String, String?)] = [
            ("since", times.since), ("until", times.until), ("story", story), ("event", event), ("category", category),
            ("offsets", offsets.isEmpty ? nil : offsets.map { "\($0.partition)@\($0.offsets)" }.joined(separator: ",")),
        ]
        return named.compactMap { name, value in value.map { "\(name)=\($0)" } }.joined(separator: "\n")
    }
}

/// Tells the records that a replay is about from others.
struct ReplayFilter: Sendable {
    var offsets: [ReplayRange]
    var story: String?
    var event: String?
    var category: String?

    /// Whether a record may be one of them by where it lies.
    func matches(partition: Int32, offset: Int64) -> Bool { offsets.contains(partition: partition, offset: offset) }

    /// Whether an event is one of them by what it says.
    func matches(_ event: NewsEvent) -> Bool {
        if let story, event.story != story { return false }
        if let id = self.event, event.id != id { return false }
        if let category {
            let codes = event.categories.flatMap(CategoryAlternatives.codes(in:))
            if !codes.contains(category[...]) { return false }
        }
        return true
    }
}
