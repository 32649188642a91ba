import CommandLineArguments
import Kafka
import NewsEvents
import Publishing
import Timestamps
import Worker

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// `newsflash publish`
struct PublishCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "publish",
        abstract: "Write events to the topic that the worker reads, and wait until Kafka has them.",
        discussion: """
            Events come from files, from the standard input, or from words on the command line. Each is written with its
            story as key, so that the events of a story stay in order. All are checked first, in the form of the topic's
            source: if one is no event, nothing is written. For each record one line tells where it lies: topic,
            partition, offset and event. Of several sources --source names the one, else it is the first.

            --kind kill waits for the workers as well, and prints what became of it at each audience. Prefer
            'newsflash withdraw': it finds the source and the partition that have the story.

            \(EventFiles.help)

            With --brokers no configuration is needed; the topic is then --topic or newsroom.breaking.v1. What more a
            cluster asks for, such as TLS and a password, comes from NEWSFLASH_KAFKA_… variables or the configuration.

            --now makes samples of another day news again: the first event is published now, and the distances stay.
            --raw writes bytes as they are, unread, to see what a worker makes of them.

            Exit codes: 0 all confirmed, 1 a kill did not reach every audience, 65 no event (nothing was written) or larger
            than the topic takes, 69 not confirmed, 78 bad configuration.

            Examples:
              newsflash publish --kind flash --story urn:desk:42 --category world \\
                --headline en='Bridge closed after collision' --headline fr='Pont fermé après une collision'
              newsflash publish --kind kill --story urn:desk:42
              newsflash publish --now samples/quake.ndjson
              newsflash publish --source wire item.json
              newsflash publish --brokers 127.0.0.1:9092 --topic newsroom.breaking.v1 event.json
              cat event.json | newsflash publish --config newsflash.yaml
              newsflash publish --raw --key urn:desk:42 --header 'content-type: application/json' broken.bin
            """
    )

    @OptionGroup var options: TopicOptions

    @Option(help: ArgumentHelp("The source whose topic is written to; left out, the first.", valueName: "name"))
    var source: String?

    @OptionGroup var words: EventWords

    @Flag(help: "Move the times of the events, so that the first is published now.")
    var now = false

    @Flag(help: "Write bytes as they are, events or not.")
    var raw = false

    @Option(help: "The key of the records, with --raw; left out, they have none.")
    var key: String?

    @Option(help: ArgumentHelp("A header of each record.", valueName: "name: value"))
    var header: [String] = []

    @Flag(help: "One JSON object for each record, a line each.")
    var json = false

    @Argument(help: ArgumentHelp("Events; without any, the standard input.", valueName: "events"))
    var files: [String] = []

    func validate() throws {
        if words.areGiven {
            guard files.isEmpty else { throw ValidationError("Give either files or '--kind' with words, not both.") }
            guard !raw, !now else { throw ValidationError("'--raw' and '--now' go with files, not with words.") }
            _ = try words.event(now: .now(), source: "")
        }
        if raw, now { throw ValidationError("'--now' changes events and '--raw' leaves bytes as they are: give one.") }
        if key != nil, !raw { throw ValidationError("'--key' goes with '--raw': the key of an event is its story.") }
        if !words.areGiven, files.isEmpty, isatty(STDIN_FILENO) == 1 {
            throw ValidationError("Nothing to publish: name a file, pipe events in, or make one with '--kind'.")
        }
        _ = try headers()
    }

    func run() async throws {
        let settings = try options.read(source: source, formats: !words.areGiven)
        if settings.source.format != .event, now {
            let name = settings.source.name
            throw CommandError(
                .badConfiguration,
                "--now moves the times of events, and source '\(name)' has another format"
            )
        }
        // Words make an event of our format, whatever the format of the source.
        let headers = try headers() + (words.areGiven ? [KafkaHeader(OwnEvent.header)] : [])
        let plan = try plan(settings, headers: headers)
        guard plan.refusals.isEmpty else {
            for refusal in plan.refusals { StandardError.write(refusal) }
            let heading = "\(counted(plan.refusals.count, "record")) refused, nothing was published"
            let form = settings.sources.count > 1 ? ", name their source with --source" : ""
            let remedy = words.areGiven ? "change the words" : "mend them\(form), or write them as they are with --raw"
            throw CommandError(.badData, "\(heading): \(remedy)")
        }
        if !plan.placesAhead.isEmpty {
            let shown = plan.placesAhead.prefix(3).joined(separator: ", ")
            let rest = plan.placesAhead.count > 3 ? " and \(plan.placesAhead.count - 3) more" : ""
            StandardError.write("note: published ahead of now, which a worker refuses: \(shown)\(rest)")
        }
        guard !plan.entries.isEmpty else { throw CommandError(.badData, "there is no event in what was read") }
        let publisher = EventPublisher(topic: settings.source.topic, cluster: settings.kafka, json: json)
        guard words.kind == .kill, let kill = plan.entries.first?.event else {
            try await publisher.publish(plan, headers: headers)
            return
        }
        let writing = WithdrawalWriting(settings: settings, patience: Self.patience)
        let beginning = await writing.beginning()
        let reports = try await publisher.publish(plan, headers: headers).map { place in
            writing.report(kill, settings.source.name, at: place)
        }
        let answered = try await writing.awaitOutcomes(of: reports, from: beginning)
        answered.show(json: json)
        if answered.contains(where: { $0.result == .nobodyNotified }) {
            StandardError.write("the story may be of another source: 'newsflash withdraw --story' searches all of them")
        }
        try answered.requireSuccess()
    }

    /// How long the outcome of a kill is waited for.
    private static let patience = "30s"

    private func headers() throws(ValidationError) -> [KafkaHeader] {
        var headers: [KafkaHeader] = []
        for (index, argument) in header.enumerated() {
            guard let header = KafkaHeader(argument: argument) else {
                throw ValidationError("'--header' number \(index + 1) has no name: write --header 'name: value'.")
            }
            headers.append(header)
        }
        return headers
    }

    private func plan(_ settings: TopicSettings, headers: [KafkaHeader]) throws -> PublishPlan {
        let present = Timestamp.now()
        let records: [FileRecord]
        if words.areGiven {
            let event = try words.event(now: present, source: settings.source.id)
            records = [FileRecord(file: "the event made from words", bytes: EventEncoder.encode(event))]
        } else {
            records = try EventFiles.read(files.isEmpty ? ["-"] : files)
        }
        guard !raw else { return PublishPlan(raw: records, key: key) }
        return PublishPlan(
            events: records,
            headers: headers,
            decoder: settings.source.decoder,
            movedTo: now ? present : nil,
            now: present,
            clockSkew: settings.clockSkew
        )
    }
}
