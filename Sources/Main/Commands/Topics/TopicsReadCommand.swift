import Basics
import CommandLineArguments
import Kafka
import NewsEvents
import Operations
import Timestamps
import TopicPartitions
import Worker

/// `newsflash topics read`
struct TopicsReadCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "read",
        abstract: "Print records of the topics of events, a line each, as 'newsflash rehearse' reads them.",
        discussion: """
            A line has {"appendAt": time, "source": name, "key": text, "headers": {name: text}, "value": text}, with the exact
            bytes of the record. Bytes that are not UTF-8 are hexadecimal digits after 'hex:', as in hex:00ff. "source" is
            present if the configuration has several sources; "headers" is a list of pairs if a name occurs twice. The lines
            are in the order of time; records of one partition keep their order.

            Without --since all records are read, and without --topic or --source those of all sources. Nothing is written to
            Kafka. The lines contain the text of the news.

            Exit codes: 0 read, 69 Kafka cannot be reached or a topic is missing, 78 bad configuration.

            Examples:
              newsflash topics read --since 1d > yesterday.ndjson
              newsflash topics read --source wire --since 2h | newsflash rehearse --source wire
              newsflash topics read --brokers 127.0.0.1:9092 --topic newsroom.breaking.v1 --since 30m
            """
    )

    @OptionGroup var options: TopicOptions

    @OptionGroup var times: TimeOptions

    @Option(help: ArgumentHelp("Only the records of this source of the configuration.", valueName: "name"))
    var source: String?

    func validate() throws {
        if source != nil, options.topic != nil { throw ValidationError("Name '--source' or '--topic', not both.") }
        if source != nil, options.config == nil, options.brokers != nil {
            throw ValidationError("'--source' names a source of the configuration, which '--brokers' leaves out.")
        }
    }

    func run() async throws {
        // If the configuration has several sources, each line contains its source, even if only one is read.
        let all = try options.read().sources
        let settings = try options.read(source: source)
        let range = try times.range(now: .now())
        let names = Dictionary(settings.sources.map { ($0.topic, $0.name) }, uniquingKeysWith: { first, _ in first })
        let scan = TopicScan(
            settings.kafka,
            topics: settings.sources.map(\.topic),
            from: range.since.map { .time($0) } ?? .earliest,
            to: range.until.map { .time($0) } ?? .present
        )
        let found = Locked<[ReadLine]>([])
        _ = try await scan.run { messages in
            let lines = messages.map { ReadLine($0, source: all.count > 1 ? names[$0.topic] : nil) }
            found.withLock { $0 += lines }
            return true
        }
        for line in ReadLine.inOrder(found.withLock { $0 }) { StandardOutput.write(line.json) }
    }
}
