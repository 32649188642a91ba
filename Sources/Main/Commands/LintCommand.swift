import CommandLineArguments
import Kafka
import NotificationHubs
import Planning
import Publishing
import Rendering
import Routing
import StrictJSON
import Timestamps
import Worker

/// `newsflash lint`
struct LintCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "lint",
        abstract: "Check the configuration, and events against it. Nothing is sent and no secret is read.",
        discussion: """
            Prints all problems, one a line, in the form of editors and build logs: file:line: key: problem. Warnings do
            not fail the check. The line number is absent for missing keys and for values from the environment.

            Events are decoded as strictly as in the worker. For each event the decision is printed, as if it arrived when
            it was published and the events before it had been sent. The text of the news is never shown.

            Templates of devices are parsed as the hub parses them when an app registers them. A property without a default
            that no send of this configuration has is a problem: it would be empty on the device.

            \(EventFiles.help) \(SourceOption.help)

            Exit codes: 0 fine or only warnings, 1 invalid events or faulty templates, 65 a file with events or a template
            cannot be read, 78 the configuration has problems, or cannot be read.

            Examples:
              newsflash lint --config newsflash.yaml
              newsflash lint --config newsflash.yaml samples/*.ndjson
              newsflash lint --template alert.json
              newsflash lint --template android.json --platform fcmv1
              newsflash lint --json | jq '.problems[]'
            """
    )

    @OptionGroup var options: ConfigurationOptions

    @OptionGroup var sourceOption: SourceOption

    @OptionGroup var templateOptions: TemplateOptions

    @Flag(help: "One JSON object.")
    var json = false

    @Argument(help: ArgumentHelp("Files with events to check as well.", valueName: "events"))
    var files: [String] = []

    func run() async throws {
        let records = try RehearsalFiles.parts(of: EventFiles.read(files))
        let result = options.result()
        var sources: [SourceSettings]?
        if case .success(let read) = result {
            sources = try sourceOption.narrow(read.configuration, of: options.file).sources
        }
        let report = LintReport(
            file: options.file,
            result: result,
            records: records,
            namesEvents: !files.isEmpty,
            sources: sources,
            templates: try templateOptions.read(),
            now: .now()
        )
        if json {
            StandardOutput.write(report.json)
        } else {
            for line in report.lines { StandardOutput.write(line) }
        }
        if case .failure(let error) = result, error.problems.contains(where: { $0.kind == .unreadable }) {
            throw CommandError(.badConfiguration, error.description)
        }
        if let code = report.exitCode { throw code }
    }
}

/// The findings of `newsflash lint` in a configuration, events and templates.
struct LintReport {
    /// The file of the configuration.
    let file: String
    let problems: [ConfigurationProblem]
    let warnings: [ConfigurationProblem]
    let events: [(place: String, forecast: EventForecast)]
    let templates: [TemplateFinding]
    private let configuration: WorkerConfiguration?
    private let namesEvents: Bool
    /// The number of events that were not checked, because the configuration is invalid.
    private let uncheckedEvents: Int

    /// Checks events and templates against a configuration.
    ///
    /// - Parameters:
    ///   - file: The configuration's name in messages.
    ///   - result: The configuration, or its problems.
    ///   - records: The events to check.
    ///   - namesEvents: Whether files with events were named, so that their number is reported even if it is zero.
    ///   - sources: The sources that decode the events; `nil` for all configured sources.
    ///   - templates: The templates of devices, which are compared with the properties of sends.
    ///   - now: The current time.
    init(
        file: String,
        result: Result<ReadConfiguration, ConfigurationError>,
        records: [PlacedRecord],
        namesEvents: Bool = false,
        sources: [SourceSettings]? = nil,
        templates: [TemplateFile] = [],
        now: Timestamp
    ) {
        self.file = file
        self.namesEvents = namesEvents
        switch result {
        case .failure(let error):
            problems = error.problems
            warnings = []
            configuration = nil
            events = []
            uncheckedEvents = records.count
        case .success(let read):
            problems = []
            warnings = read.warnings
            configuration = read.configuration
            var reading = read.configuration
            if let sources { reading.sources = sources }
            var forecaster = EventForecaster(reading, now: now)
            events = records.map { ($0.place, forecaster.forecast($0.record)) }
            uncheckedEvents = 0
        }
        // Only secure sends have this property, and only if a notice is configured.
        let delivery = configuration?.news.text.notice == nil ? [] : [TemplateProperties.deliveryName]
        let carried = configuration.map { $0.news.properties.names + delivery }
        self.templates = templates.map { TemplateFinding($0, carried: carried) }
    }

    /// Whether something is wrong. Warnings do not count.
    var hasProblems: Bool { exitCode != nil }

    /// The exit code; `nil` if nothing is wrong.
    var exitCode: ExitCode? {
        if !problems.isEmpty { return ExitCode(CommandError.Kind.badConfiguration.rawValue) }
        return invalidEvents > 0 || templates.contains(where: \.isFaulty) ? .failure : nil
    }

    private var invalidEvents: Int { events.count { $0.forecast.isInvalid } }

    /// The report for people and build logs.
    var lines: [String] {
        // A file that cannot be read is an error of the command, not a finding in a line of the file.
        let problems = problems.filter { $0.kind != .unreadable }
        var lines = problems.map { line($0) }
        lines += warnings.map { line($0, prefix: "warning: ") }
        lines += events.map { "\($0.place): \($0.forecast.line)" }
        lines += templates.flatMap(\.lines)
        if let configuration { lines.append("\(file): fine: \(configuration.summary)") }
        if !problems.isEmpty { lines.append("\(file): \(counted(problems.count, "problem"))") }
        if uncheckedEvents > 0 {
            lines.append("\(counted(uncheckedEvents, "event")) not checked: fix the configuration first")
        }
        if !events.isEmpty || namesEvents && configuration != nil {
            lines.append("\(counted(events.count, "event")) checked, \(invalidEvents) invalid")
        }
        return lines
    }

    /// The report as one JSON object.
    var json: [UInt8] {
        JSONWriter.object { writer in
            writer.member("configuration", file)
            writer.list("problems", problems)
            writer.list("warnings", warnings)
            if let configuration { writer.checked(configuration) }
            writer.member("events", each: events) { writer, event in writer.event(event.place, event.forecast) }
            writer.member("templates", each: templates) { writer, template in template.write(to: &writer) }
        }
    }

    private func line(_ problem: ConfigurationProblem, prefix: String = "") -> String {
        let place = problem.line.map { "\(file):\($0)" } ?? file
        let key = problem.path.isEmpty ? "" : "\(problem.path): "
        return "\(place): \(prefix)\(key)\(problem.message)"
    }
}

extension EventForecast {
    /// Whether the record would be a dead letter.
    var isInvalid: Bool {
        guard case .end(let verdict) = decision else { return false }
        return verdict.isDeadLetter
    }

    /// The decision on one line, without the text of the event.
    var line: String {
        var parts: [String]
        switch decision {
        case .send(let sends): parts = ["would be sent: " + sends.summary]
        case .end(let verdict): parts = [verdict.line]
        }
        if !warnings.isEmpty { parts.append("warnings: " + warnings.joined(separator: ", ")) }
        if let remark { parts.append("note: " + remark) }
        if let presently { parts.append("at this moment: " + presently.line) }
        return parts.joined(separator: "; ")
    }
}

extension [PlannedSend] {
    /// The requests with their audiences, such as `1 request to World || Politics`. Users are only counted.
    fileprivate var summary: String {
        var audiences = filter { !$0.isForUsers }
            .map { send in send.locale.map { "\(send.expression) (\($0))" } ?? send.expression.description }
        let users = Set(filter(\.isForUsers).flatMap(\.expression.tags)).count
        if users > 0 { audiences.append(counted(users, "user")) }
        return counted(count, "request") + " to " + audiences.joined(separator: ", ")
    }
}

extension JSONWriter {
    fileprivate mutating func list(_ name: String, _ problems: [ConfigurationProblem]) {
        self.name(name)
        beginArray()
        for problem in problems {
            beginObject()
            if let line = problem.line {
                self.name("line")
                value(line)
            }
            member("path", problem.path)
            member("message", problem.message)
            endObject()
        }
        endArray()
    }

    fileprivate mutating func checked(_ configuration: WorkerConfiguration) {
        name("checked")
        beginObject()
        member("hub", configuration.hub.name)
        member("hubs", configuration.hubs.map(\.label))
        member("topic", configuration.source.topic)
        member("topics", configuration.sources.map(\.topic))
        member("locales", configuration.news.locales.offered)
        member("defaultLocale", configuration.news.locales.default)
        member("categories", configuration.news.categories.categories)
        member("tags", configuration.tags)
        endObject()
    }

    fileprivate mutating func event(_ place: String, _ forecast: EventForecast) {
        beginObject()
        member("place", place)
        facts(of: forecast)
        if case .send(let sends) = forecast.decision {
            member("requests", sends.count)
            member("tags", sends.flatMap { $0.expression.tags.map(\.description) })
        }
        endObject()
    }
}

extension WorkerConfiguration {
    /// A summary of the checked configuration: hubs, locales, categories with their tags, and topics.
    var summary: String {
        "\(hubList); locales \(localeList); \(categoryList); from \(topicList) at \(kafka.bootstrapServers)"
    }

    private var topicList: String {
        (sources.count == 1 ? "topic " : "topics ") + sources.map(\.topic).joined(separator: ", ")
    }

    private var hubList: String {
        let names = hubs.map { $0.mode == .live ? $0.label : "\($0.label) (test)" }
        return (names.count == 1 ? "hub " : "hubs ") + names.joined(separator: ", ")
    }

    private var localeList: String {
        news.locales.offered.map { $0 == news.locales.default ? "\($0) (default)" : $0 }.joined(separator: ", ")
    }

    private var categoryList: String {
        let names = news.categories.categories
        let heading = names.count == 1 ? "1 category" : "\(names.count) categories"
        return "\(heading) (\(names.joined(separator: ", "))), tags \(tags.joined(separator: ", "))"
    }

    /// The tags that devices register for: at most 12 of them, and the number of the others.
    var tags: [String] {
        var all: [String] = []
        for hub in hubs where hub.mode == .live {
            let audiences = try? hub.audiences.plan(
                categories: news.categories.categories,
                locales: news.locales.offered
            )
            let tags = (audiences ?? []).flatMap { $0.expression.tags.map(\.description) }
            all += tags.filter { !all.contains($0) }
        }
        let shown = 12
        return all.count <= shown ? all : all.prefix(shown) + ["and \(all.count - shown) more"]
    }
}
