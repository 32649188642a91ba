import NewsflashPlanning
import NewsflashPublishing
import NewsflashRendering
import NewsflashRouting
import NewsflashStrictJSON
package import NewsflashTimestamps
package import NewsflashWorker
import NotificationHubs

/// The findings of `newsflash lint` in a configuration, events and templates.
package struct LintReport {
    /// The file of the configuration.
    package let file: String
    package let problems: [ConfigurationProblem]
    package let warnings: [ConfigurationProblem]
    package let events: [(place: String, forecast: EventForecast)]
    package let templates: [TemplateFinding]
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
    package init(
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
    var hasProblems: Bool { failure != nil }

    /// The kind of failure; `nil` if nothing is wrong.
    package var failure: OperationError.Kind? {
        if !problems.isEmpty { return .badConfiguration }
        return invalidEvents > 0 || templates.contains(where: \.isFaulty) ? .foundProblems : nil
    }

    private var invalidEvents: Int { events.count { $0.forecast.isInvalid } }

    /// The report for people and build logs.
    package var lines: [String] {
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
    package var json: [UInt8] {
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
    package var line: String {
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
