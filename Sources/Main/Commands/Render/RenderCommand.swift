import CommandLineArguments
import NotificationHubs
import Operations
import Publishing
import Rendering
import StrictJSON
import Timestamps
import Worker

/// `newsflash render`
struct RenderCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "render",
        abstract: "Show the exact requests for events. Nothing is sent.",
        discussion: """
            Shows each request with its URL, headers and body, the language of each text, and warnings about the event and
            shortened texts. The body is formatted; --json has it byte for byte. 'Authorization' is never shown. Without
            the hub's connection string the host is a placeholder.

            Each event is treated as if it arrived when it was published and the events before it had been sent.

            With --template, the body of a template as an app registers it, the command shows the notifications of devices
            with this template instead: formatted, with their size and the platform's limit, problems that the push service
            would reject, and properties that the template reads and the request does not have. --json has both.

            \(EventFiles.help) Without a file the standard input is read.
            \(SourceOption.help)

            Exit codes: 0 all would be sent, 65 an event would not be sent or a notification would not arrive (the reason
            is shown), a file cannot be read or the input contains no event, 78 bad configuration.

            Examples:
              newsflash render event.json
              newsflash render event.json --template alert.json
              newsflash render event.json --template toast.xml --platform wns
              newsflash render --config newsflash.yaml samples/quake.ndjson
              newsflash render --json events.ndjson | jq -r .body
            """
    )

    @OptionGroup var options: ConfigurationOptions

    @OptionGroup var sourceOption: SourceOption

    @OptionGroup var templateOptions: TemplateOptions

    @Flag(help: "One JSON object for each request, a line each.")
    var json = false

    @Argument(help: ArgumentHelp("Files with events.", valueName: "events"))
    var files: [String] = ["-"]

    func run() async throws {
        let configuration = try sourceOption.narrow(try options.read().configuration, of: options.file)
        let templates = try templates()
        let records = try RehearsalFiles.parts(of: EventFiles.read(files))
        guard !records.isEmpty else { throw OperationError(.badData, "the input contains no event") }
        let (clients, notes) = try RenderedRequest.clients(for: configuration.hubs)
        for note in notes { StandardError.write("note: \(note)") }
        var forecaster = EventForecaster(configuration, now: .now())
        var unsent = 0
        var faults = 0
        for record in records {
            let forecast = forecaster.forecast(record.record)
            let rendering = try EventRendering(place: record.place, of: forecast, by: clients, templates: templates)
            faults += rendering.faults
            if rendering.requests.isEmpty { unsent += 1 }
            for line in json ? rendering.json : [Array(rendering.text.utf8)] { StandardOutput.write(line) }
        }
        var complaints: [String] = []
        if unsent > 0 { complaints.append("\(unsent) of \(counted(records.count, "event")) would not be sent") }
        if faults > 0 { complaints.append("\(counted(faults, "notification")) would not arrive") }
        guard complaints.isEmpty else {
            throw OperationError(.badData, complaints.joined(separator: ", ") + "; see the reasons above")
        }
    }

    /// Reads the templates, and prints their warnings as notes.
    private func templates() throws(OperationError) -> [(name: String, template: NotificationTemplate)] {
        var templates: [(name: String, template: NotificationTemplate)] = []
        for file in try templateOptions.read() {
            do throws(TemplateError) {
                let template = try file.template.get()
                for warning in template.warnings { StandardError.write("note: \(file.name): \(warning)") }
                templates.append((file.name, template))
            } catch {
                throw OperationError(.badData, "\(file.name): \(error)")
            }
        }
        return templates
    }
}
