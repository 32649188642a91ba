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

            With --template, the body of a template as an app registers it, the notifications are shown instead that
            devices with it would get: laid out, with their size against the platform's limit, what the push service
            would not take, and what the template reads and the request lacks. --json has both.

            \(EventFiles.help) Without a name the standard input is read.
            \(SourceOption.help)

            Exit codes: 0 all would be sent, 65 one would not or would not arrive (it is told why) or a file cannot be
            read, 78 bad configuration.

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

    @Argument(help: ArgumentHelp("Events.", valueName: "events"))
    var files: [String] = ["-"]

    func run() async throws {
        let configuration = try sourceOption.narrow(try options.read().configuration, of: options.file)
        let templates = try templates()
        let records = try RehearsalFiles.parts(of: EventFiles.read(files))
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
            throw CommandError(.badData, complaints.joined(separator: ", ") + "; see above why")
        }
    }

    /// Reads the templates, and notes what is odd about them.
    private func templates() throws(CommandError) -> [(name: String, template: NotificationTemplate)] {
        var templates: [(name: String, template: NotificationTemplate)] = []
        for file in try templateOptions.read() {
            do throws(TemplateError) {
                let template = try file.template.get()
                for warning in template.warnings { StandardError.write("note: \(file.name): \(warning)") }
                templates.append((file.name, template))
            } catch {
                throw CommandError(.badData, "\(file.name): \(error)")
            }
        }
        return templates
    }
}
