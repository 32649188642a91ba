import NewsflashCommandLineArguments
import NewsflashOperations
import NewsflashTimestamps
import NewsflashWorker

/// `newsflash explain`
struct ExplainCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "explain",
        abstract: "Explain what happens to events, rule by rule, and show what is sent. Nothing is sent now.",
        discussion: """
            Shows for each event whether it would be sent, each decision with the line of its rule in the configuration, the
            categories, the audiences, and the text of each language with its origin. The records of a file are processed in
            order, as in 'newsflash rehearse': a correction finds the subscribers whom it corrects. An event is treated as if
            it arrived when it was published.

            --requests adds the exact requests with URL, headers and body. The body is formatted; --json has it byte for byte.
            'Authorization' is never shown. Without the hub's connection string the host is a placeholder.

            --template names the body of a template as an app registers it, and adds the notifications of devices with this
            template: formatted, with their size and the platform's limit, problems that the push service would reject, and
            properties that the template reads and the request does not have.

            --json prints one object for each event, a line each, with everything: decisions, categories, texts, requests, and
            the notifications of templates.

            \(EventFiles.help) Without a file the standard input is read.
            \(SourceOption.help)

            Exit codes: 0 explained, 1 an event would be a dead letter, or a notification would not arrive, 65 a file cannot be
            read, or has no event or no such line, 78 bad configuration.

            Examples:
              newsflash explain event.json
              newsflash explain --requests --config newsflash.yaml samples/quake.ndjson
              newsflash explain event.json --template alert.json
              newsflash explain event.json --template toast.xml --platform wns
              newsflash explain --line 3 yesterday.ndjson
              newsflash explain --json event.json | jq '.categories[] | [.code, .category, .rule]'
              newsflash explain --json events.ndjson | jq -r '.requests[]?.body'
            """
    )

    @OptionGroup var options: ConfigurationOptions

    @OptionGroup var sourceOption: SourceOption

    @Option(help: ArgumentHelp("Only the event on this line of the file, after those before it.", valueName: "number"))
    var line: Int?

    @Flag(help: "Show the requests with their headers and bodies.")
    var requests = false

    @OptionGroup var templateOptions: TemplateOptions

    @Flag(help: "Print one JSON object for each event, a line each.")
    var json = false

    @Argument(help: ArgumentHelp("Files with events.", valueName: "events"))
    var files: [String] = ["-"]

    func validate() throws {
        if line != nil, files.count > 1 { throw ValidationError("'--line' needs one file, whose lines it counts.") }
    }

    func run() async throws {
        let whole = try options.read().configuration
        let text = String(decoding: try EventFiles.content(of: options.file), as: UTF8.self)
        let explainer = try EventExplainer(
            sourceOption.narrow(whole, of: options.file),
            places: ConfigurationPlaces(text: text, file: options.file),
            templates: templateOptions.read(),
            now: .now()
        )
        let records = try RehearsalFiles.parts(of: EventFiles.read(files))
        try records.checkSources(of: whole)
        let explanations = try explainer.explain(records, line: line)
        let notes = explainer.warnings + (requests || json ? explainer.notesOnRequests : [])
        for note in notes { StandardError.write("note: \(note)") }
        for (index, explanation) in explanations.enumerated() {
            if json {
                StandardOutput.write(explanation.json)
            } else {
                StandardOutput.writeText((index > 0 ? "\n" : "") + explanation.text(showsRequests: requests))
            }
        }
        if let problems = explanations.problems { throw OperationError(.foundProblems, problems) }
    }
}
