import CommandLineArguments
import Operations
import Timestamps
import Worker
import YAML

/// `newsflash explain`
struct ExplainCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "explain",
        abstract: "Explain the outcome of an event, rule by rule. Nothing is sent.",
        discussion: """
            Shows each decision with the line of its rule in the configuration, the categories and tags, the text of each
            language with its origin, and the exact requests. The event is treated as if it arrived when it was published, as in
            'newsflash rehearse'. \(SourceOption.help)

            If the file has one record per line, the last one is explained, or that of --line. The records before it are
            processed first, so that a correction finds the subscribers whom it corrects.

            --json prints one object: the event, its decisions, categories, texts and requests, each with its rule.

            Exit codes: 0 success, 65 a file cannot be read or has no such line, 78 bad configuration.

            Examples:
              newsflash explain event.json
              newsflash explain --config newsflash.yaml event.json
              newsflash explain --line 3 yesterday.ndjson
              newsflash explain --json event.json | jq '.categories[] | [.code, .category, .rule]'
            """
    )

    @OptionGroup var options: ConfigurationOptions

    @OptionGroup var sourceOption: SourceOption

    @Option(help: ArgumentHelp("Line of the record in the file; by default the last.", valueName: "number"))
    var line: Int?

    @Flag(help: "Print one JSON object.")
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

    /// Rehearses a record after the records and control commands before it.
    ///
    /// - Parameters:
    ///   - records: The records of the file, in order.
    ///   - line: The record's line; `nil` for the last record.
    ///   - file: The file's name in messages.
    ///   - configuration: The worker's configuration.
    /// - Returns: The record as read, and its result.
    /// - Throws: ``OperationError`` with exit code 65 if the record does not exist.
    static func rehearse(
        _ records: [PlacedRecord],
        upTo line: Int?,
        of file: String,
        _ configuration: WorkerConfiguration
    ) throws(OperationError) -> (placed: PlacedRecord, record: RehearsedRecord) {
        let found = records.last { $0.record.order == nil && (line == nil || $0.line == line) }
        guard let found else {
            throw OperationError(.badData, "\(file): there is \(line.map { "no record on line \($0)" } ?? "no record")")
        }
        let before = records.prefix { $0.line <= found.line }
        let start = Rehearsal.start(of: before.map(\.record), by: configuration) ?? .now()
        var rehearsal = Rehearsal(configuration, start: start)
        for record in before { rehearsal.receive(record.record) }
        rehearsal.finish()
        return (found, rehearsal.records[rehearsal.records.count - 1])
    }
}
