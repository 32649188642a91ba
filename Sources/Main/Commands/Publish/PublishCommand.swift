import NewsflashCommandLineArguments
import NewsflashEvents
import NewsflashKafka
import NewsflashOperations
import NewsflashTimestamps
import NewsflashWorker

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
            Events come from files, from the standard input, or from options. Each is written with its story as key, so
            that the events of a story stay in order. All are checked first, in the format of the source: if one is not a
            valid event, nothing is written. Prints a line for each record: topic, partition, offset and event. With
            several sources --source selects one; the default is the first.

            --kind kill also waits for the workers, and prints the result at each audience. Prefer 'newsflash withdraw': it
            finds the source and the partition that have the story.

            \(EventFiles.help)

            With --brokers no configuration is needed; the topic is then --topic or newsroom.breaking.v1. Other settings of
            the cluster, such as TLS and a password, come from NEWSFLASH_KAFKA_… variables or the configuration.

            --now moves the times of old samples: the first event is published now, and the distances between the events
            stay. --raw writes bytes without checking them, to see what a worker does with them.

            Exit codes: 0 all confirmed, 1 a kill did not reach every audience, 65 not a valid event (nothing was written)
            or larger than the topic allows, 69 not confirmed, 78 bad configuration.

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

    @Option(help: ArgumentHelp("The source whose topic is written to; without it, the first.", valueName: "name"))
    var source: String?

    @OptionGroup var words: EventWords

    @Flag(help: "Move the times of the events so that the first is published now.")
    var now = false

    @Flag(help: "Write bytes without checking them.")
    var raw = false

    @Option(help: "The key of the records, with --raw; without it, they have none.")
    var key: String?

    @Option(help: ArgumentHelp("A header of each record.", valueName: "name: value"))
    var header: [KafkaHeader] = []

    @Flag(help: "One JSON object for each record, a line each.")
    var json = false

    @Argument(help: ArgumentHelp("Files with events; without any, the standard input.", valueName: "events"))
    var files: [String] = []

    func validate() throws {
        if words.areGiven {
            guard files.isEmpty else { throw ValidationError("Give either files or an event with '--kind', not both.") }
            guard !raw, !now else { throw ValidationError("'--raw' and '--now' go with files, not with '--kind'.") }
            _ = try words.event(now: .now(), source: "")
        }
        if raw, now { throw ValidationError("'--now' changes events and '--raw' leaves bytes as they are: give one.") }
        if key != nil, !raw { throw ValidationError("'--key' goes with '--raw': the key of an event is its story.") }
        if !words.areGiven, files.isEmpty, isatty(STDIN_FILENO) == 1 {
            throw ValidationError("Nothing to publish: name a file, pipe events in, or make one with '--kind'.")
        }
    }

    func run() async throws {
        let settings = try options.read(source: source, formats: !words.areGiven)
        if settings.source.format != .event, now {
            let name = settings.source.name
            throw OperationError(
                .badConfiguration,
                "--now needs events in newsflash's own format, and source '\(name)' has another format"
            )
        }
        // An event from options has our own format, whatever the format of the source.
        let headers = header + (words.areGiven ? [KafkaHeader(OwnEvent.header)] : [])
        let plan = try plan(settings, headers: headers)
        guard plan.refusals.isEmpty else {
            for refusal in plan.refusals { StandardError.write(refusal) }
            let heading = "\(counted(plan.refusals.count, "record")) refused, nothing was published"
            let form = settings.sources.count > 1 ? ", name their source with --source" : ""
            let remedy = words.areGiven ? "change the options" : "fix them\(form), or write them unchecked with --raw"
            throw OperationError(.badData, "\(heading): \(remedy)")
        }
        if !plan.placesAhead.isEmpty {
            let shown = plan.placesAhead.prefix(3).joined(separator: ", ")
            let rest = plan.placesAhead.count > 3 ? " and \(plan.placesAhead.count - 3) more" : ""
            StandardError.write("note: published in the future, which a worker refuses: \(shown)\(rest)")
        }
        guard !plan.entries.isEmpty else { throw OperationError(.badData, "the input contains no event") }
        let publisher = EventPublisher(
            topic: settings.source.topic,
            cluster: settings.kafka,
            show: show,
            note: StandardError.write
        )
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
            StandardError.write("the story may be in another source: 'newsflash withdraw --story' searches all of them")
        }
        try answered.requireSuccess()
    }

    /// How long to wait for the outcome of a kill.
    private static let patience = "30s"

    private func show(_ confirmation: Confirmation) {
        if !confirmation.isConfirmed { StandardError.write(confirmation.line) }
        if json {
            StandardOutput.write(confirmation.json)
        } else if confirmation.isConfirmed {
            StandardOutput.write(confirmation.line)
        }
    }

    private func plan(_ settings: TopicSettings, headers: [KafkaHeader]) throws -> PublishPlan {
        let present = Timestamp.now()
        let records: [FileRecord]
        if words.areGiven {
            let event = try words.event(now: present, source: settings.source.id)
            records = [FileRecord(file: "the event from the options", bytes: EventEncoder.encode(event))]
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
