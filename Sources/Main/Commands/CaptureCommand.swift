import NewsflashCommandLineArguments
import NewsflashOperations
import NewsflashTimestamps
import NewsflashWorker

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// `newsflash capture`
struct CaptureCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "capture",
        abstract: "Copy events from Kafka into a file, as 'newsflash rehearse' reads it.",
        discussion: """
            A line has {"appendAt": time, "source": name, "key": text, "headers": {name: text}, "value": text}, with the exact
            bytes of the record. Bytes that are not UTF-8 are hexadecimal digits after 'hex:', as in hex:00ff. "source" is
            present if the configuration has several sources; "headers" is a list of pairs if a name occurs twice. The lines
            are in the order of time; records of one partition keep their order. Records of the same time are sorted by topic,
            partition and offset.

            Without --since all records are read, and without --topic or --source those of all sources. Records are written
            while the topics are read, with about 100 MB in memory. Nothing is written to Kafka. The lines contain the text
            of the news. A file of --output appears under its name only when it is complete, and only its owner may read it.
            After a failure the standard output has the records before it.

            Each line is read back and compared with its record. The last line on the standard error says how many records of
            how many partitions were written.

            Exit codes: 0 written, 69 Kafka cannot be reached, a topic is missing, the file cannot be written, or a signal
            ended it before the file was complete, 78 bad configuration.

            Examples:
              newsflash capture --since 1d > yesterday.ndjson
              newsflash capture --since 1d --output yesterday.ndjson
              newsflash capture --source wire --since 2h | newsflash rehearse --source wire
              newsflash capture --brokers 127.0.0.1:9092 --topic newsroom.breaking.v1 --most 100
            """
    )

    @OptionGroup var options: TopicOptions

    @OptionGroup var times: TimeOptions

    @Option(help: ArgumentHelp("Only the records of this source of the configuration.", valueName: "name"))
    var source: String?

    @Option(help: ArgumentHelp("Maximum number of records, the oldest first.", valueName: "count"))
    var most: Int?

    @Option(
        name: [.customShort("o"), .customLong("output")],
        help: ArgumentHelp("The file to write or replace; without it, the standard output.", valueName: "file")
    )
    var output: String?

    func validate() throws {
        if source != nil, options.topic != nil { throw ValidationError("Name '--source' or '--topic', not both.") }
        if source != nil, options.config == nil, options.brokers != nil {
            throw ValidationError("'--source' names a source of the configuration, which '--brokers' leaves out.")
        }
        if let most, most < 1 { throw ValidationError("'--most' takes a number of at least 1.") }
    }

    func run() async throws {
        // If the configuration has several sources, each line contains its source, even if only one is read.
        let all = try options.read(note: { _ in }).sources
        let range = try times.range(now: .now())
        var capture = try await Capture.open(
            options.read(source: source),
            namesSources: all.count > 1,
            since: range.since,
            until: range.until,
            most: most
        )
        if let output {
            let work = Task { [capture] in
                var capture = capture
                try await capture.write(file: output)
                return capture.summary
            }
            // The first signal removes the incomplete file.
            let interrupts = InterruptSignals { work.cancel() }
            interrupts.exitOnSecond()
            StandardError.write("wrote \(try await work.value)")
        } else {
            signal(SIGPIPE, SIG_IGN)
            // The reader of a pipe such as 'head' may have enough.
            guard try await capture.write(to: STDOUT_FILENO, named: "the standard output") else { return }
            StandardError.write("wrote \(capture.summary)")
        }
    }
}
