import CommandLineArguments
import NotificationHubs
import Timestamps
import Worker

/// `newsflash render`
struct RenderCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "render",
        abstract: "Show the exact requests that events become. Nothing is sent.",
        discussion: """
            Each request with its URL, its headers and its body, the language that each text comes from, and what was
            forgiven or cut. The body is laid out for reading; --json has it byte for byte. 'Authorization' is never
            shown. Without the hub's connection string the host is a placeholder.

            Each event is taken as if it came when it was published and what stands before it had been sent.

            \(EventFiles.help) Without a name the standard input is read.

            Exit codes: 0 all would be sent, 65 one would not (the decision is told), 78 bad configuration.

            Examples:
              newsflash render event.json
              newsflash render --config newsflash.yaml samples/quake.ndjson
              newsflash render --json events.ndjson | jq -r .body
            """
    )

    @OptionGroup var options: ConfigurationOptions

    @Flag(help: "One JSON object for each request, a line each.")
    var json = false

    @Argument(help: ArgumentHelp("Events.", valueName: "events"))
    var files: [String] = ["-"]

    func run() async throws {
        let configuration = try options.read().configuration
        let records = try EventFiles.read(files)
        let (client, note) = try RenderedRequest.client(for: configuration.hub)
        if let note { StandardError.write("note: \(note)") }
        var forecaster = EventForecaster(configuration, now: .now())
        var unsent = 0
        for record in records {
            let rendering = try EventRendering(place: record.place, of: forecaster.forecast(record.bytes), by: client)
            if rendering.requests.isEmpty { unsent += 1 }
            for line in json ? rendering.json : [Array(rendering.text.utf8)] { StandardOutput.write(line) }
        }
        guard unsent > 0 else { return }
        throw CommandError(.badData, "\(unsent) of \(counted(records.count, "event")) would not be sent; see above why")
    }
}
