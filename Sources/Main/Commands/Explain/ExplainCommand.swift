import CommandLineArguments
import Timestamps
import Worker

/// `newsflash explain`
struct ExplainCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "explain",
        abstract: "Say why an event becomes what it becomes, rule by rule. Nothing is sent.",
        discussion: """
            Each decision with the rule's place in the configuration, its categories and tags, the text of each language
            with where it came from, and the exact requests. The event is taken as if it came when it was published, as
            'newsflash rehearse' takes it. \(SourceOption.help)

            Of a file with a record a line the last is explained, or that of --line; what stands before it has come
            before it, so that a correction finds whom it corrects.

            --json has one object: the event, its decisions, categories, texts and requests, each with its rule.

            Exit codes: 0 told, 65 a file cannot be read or has no such line, 78 bad configuration.

            Examples:
              newsflash explain event.json
              newsflash explain --config newsflash.yaml event.json
              newsflash explain --line 3 yesterday.ndjson
              newsflash explain --json event.json | jq '.categories[] | [.code, .category, .rule]'
            """
    )

    @OptionGroup var options: ConfigurationOptions

    @OptionGroup var sourceOption: SourceOption

    @Option(help: ArgumentHelp("Which record of the file; left out, the last.", valueName: "number"))
    var line: Int?

    @Flag(help: "One JSON object.")
    var json = false

    @Argument(help: ArgumentHelp("The event; '-' is the standard input.", valueName: "event-file"))
    var file: String = "-"

    func run() async throws {
        let whole = try options.read().configuration
        let configuration = try sourceOption.narrow(whole, of: options.file)
        let records = try RehearsalFiles.read([file], isRaw: false)
        try records.checkSources(of: whole)
        let (explained, record) = try Self.rehearse(records, upTo: line, of: file, configuration)
        let (clients, notes) = try RenderedRequest.clients(for: configuration.hubs)
        for note in notes { StandardError.write("note: \(note)") }
        let places = ConfigurationPlaces(
            text: String(decoding: try EventFiles.content(of: options.file), as: UTF8.self),
            file: options.file
        )
        let explanation = EventExplanation(
            record: record,
            configuration: configuration,
            places: places,
            clients: clients
        )
        if json { return StandardOutput.write(try explanation.json(place: explained.place)) }
        StandardOutput.write(try explanation.text(place: explained.place))
    }

    /// Rehearses a record, after those and the orders before it.
    ///
    /// - Parameters:
    ///   - records: Of the file, in order.
    ///   - line: The record's line; `nil` for the last record.
    ///   - file: The file's name in messages.
    ///   - configuration: The worker's.
    /// - Returns: The record as it was read, and what became of it.
    /// - Throws: ``CommandError`` with exit code 65 if the record does not exist.
    static func rehearse(
        _ records: [PlacedRecord],
        upTo line: Int?,
        of file: String,
        _ configuration: WorkerConfiguration
    ) throws(CommandError) -> (placed: PlacedRecord, record: RehearsedRecord) {
        let found = records.last { $0.record.order == nil && (line == nil || $0.line == line) }
        guard let found else {
            throw CommandError(.badData, "\(file): there is \(line.map { "no record on line \($0)" } ?? "no record")")
        }
        let before = records.prefix { $0.line <= found.line }
        let start = Rehearsal.start(of: before.map(\.record), by: configuration) ?? .now()
        var rehearsal = Rehearsal(configuration, start: start)
        for record in before { rehearsal.take(record.record) }
        rehearsal.finish()
        return (found, rehearsal.records[rehearsal.records.count - 1])
    }
}
