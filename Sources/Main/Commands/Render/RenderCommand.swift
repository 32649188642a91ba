import CommandLineArguments
import NotificationHubs
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
        guard !records.isEmpty else { throw CommandError(.badData, "the input contains no event") }
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
            throw CommandError(.badData, complaints.joined(separator: ", ") + "; see the reasons above")
        }
    }

    /// Reads the templates, and prints their warnings as notes.
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

/// The requests for one event, or the reason why there are none.
struct EventRendering {
    let place: String
    let forecast: EventForecast
    let requests: [RenderedRequest]

    /// Renders the requests for an event.
    ///
    /// - Parameters:
    ///   - place: The file and line of the event.
    ///   - forecast: The forecast for the event.
    ///   - clients: The clients of the hubs, by the labels of the hubs.
    ///   - templates: The templates of devices, with the names of their files.
    /// - Throws: `HubError`, which sends to tags do not cause.
    init(
        place: String,
        of forecast: EventForecast,
        by clients: [String: HubClient],
        templates: [(name: String, template: NotificationTemplate)] = []
    ) throws {
        self.place = place
        self.forecast = forecast
        guard case .send(let sends) = forecast.decision else {
            requests = []
            return
        }
        requests = try sends.compactMap { send in
            guard let client = clients[send.hub] else { return nil }
            let request = try client.request(for: send.message, to: .tags(send.expression))
            // Native payloads do not use templates.
            let notifications = (send.platform == PayloadFormat.template.rawValue ? templates : []).map {
                DeviceNotification(of: send.message.body, by: $0.template, name: $0.name)
            }
            return RenderedRequest(send: send, request: request, notifications: notifications)
        }
    }

    /// The number of notifications that push services would reject.
    var faults: Int { requests.reduce(0) { $0 + $1.notifications.count { $0.fault != nil } } }

    /// The requests as text for people.
    var text: String {
        let name = forecast.id.map { "\(place): \($0)" } ?? place
        guard case .send = forecast.decision else { return "\(name): not sent: \(forecast.line)" }
        let facts = "\(forecast.kind ?? "event"), revision \(forecast.revision ?? 0) of \(forecast.story ?? "")"
        var lines = ["\(name): \(facts), \(counted(requests.count, "request"))"]
        let texts = forecast.texts.map { $0.locale == $0.textFrom ? $0.locale : "\($0.locale) from \($0.textFrom)" }
        if requests.first?.send.template == SecureNotice.template {
            lines.append("texts: the notice of text.secure instead of its own")
        } else {
            lines.append("texts: " + texts.joined(separator: ", "))
        }
        if !forecast.warnings.isEmpty { lines.append("warnings: " + forecast.warnings.joined(separator: ", ")) }
        if let remark = forecast.remark { lines.append("note: " + remark) }
        if requests.contains(where: \.send.isTruncated) { lines.append("cut: a headline or a summary was too long") }
        if let presently = forecast.presently { lines.append("at this moment: " + presently.line) }
        return lines.joined(separator: "\n") + "\n\n" + shown.joined(separator: "\n\n") + "\n"
    }

    private var shown: [String] {
        requests.map { $0.notifications.isEmpty ? $0.text : $0.textOfDevices }
    }

    /// One JSON object for each request, or one object if there is no request.
    var json: [[UInt8]] {
        guard !requests.isEmpty else {
            return [object { _ in }]
        }
        return requests.map { request in object { request.write(to: &$0) } }
    }

    private func object(_ more: (inout JSONWriter) -> Void) -> [UInt8] {
        JSONWriter.object(reservingCapacity: 2048) { writer in
            writer.member("place", place)
            writer.facts(of: forecast)
            if !forecast.texts.isEmpty {
                writer.name("textFrom")
                writer.beginObject()
                for text in forecast.texts { writer.member(text.locale, text.textFrom) }
                writer.endObject()
            }
            more(&writer)
        }
    }
}
