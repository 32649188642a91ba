import CommandLineArguments
import Kafka
import NewsEvents
import Publishing
import Timestamps
import TopicPartitions
import Worker

/// `newsflash tap`
struct TapCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tap",
        abstract: "Show what is sent, live or since a time: one line for each outcome.",
        discussion: """
            A line shows the time, the outcome or its reason, the kind, the story, the source, and the audiences: how many
            requests hubs accepted, of how many, and the first four. The newest is last. The text of the news is not shown.

            Without options it shows new outcomes, until Ctrl-C or the end of its pipe. --since shows past outcomes and
            ends; --since with --follow shows past outcomes and then new ones. An outcome is shown if it meets all
            conditions.

            'newsflash outcomes' shows everything about one event or story, 'newsflash withdraw' withdraws a story.

            Exit codes: 0 fine, 69 Kafka cannot be read, 78 bad configuration.

            Examples:
              newsflash tap --since 10m
              newsflash tap --kind flash --follow --since 1h
              newsflash tap --since 1d --outcome failed --source desk
              newsflash tap --since 1h --category world --json | jq -r .outcome.story
            """
    )

    @OptionGroup var options: ClusterOptions

    @OptionGroup var times: TimeOptions

    @Flag(help: "Follow: after the outcomes of --since, print new ones as they arrive.")
    var follow = false

    @Option(help: "Only events of this kind.")
    var kind: EventKind?

    @Option(
        help: ArgumentHelp(
            "Only this outcome, such as failed, or this beginning of reasons, such as suppressed.killed.",
            valueName: "outcome"
        )
    )
    var outcome: String?

    @Option(
        help: ArgumentHelp("Only this source: a name of the configuration, or the URI in events.", valueName: "source")
    )
    var source: String?

    @Option(help: ArgumentHelp("Only events with this category, or sent to this tag.", valueName: "code"))
    var category: String?

    @Flag(help: "One JSON object for each outcome, a line each, as it is in the topic.")
    var json = false

    func validate() throws {
        if let outcome { try TapFilter.checkOutcome(outcome) }
        if follow || times.since == nil, times.until != nil {
            throw ValidationError("'--until' needs '--since', and cannot be combined with '--follow'.")
        }
    }

    func run() async throws {
        let settings = try options.read()
        let filter = TapFilter(
            kind: kind,
            outcome: outcome,
            source: source.map { TapFilter.Source($0, among: settings.sources) },
            category: category
        )
        let range = try times.range(now: .now())
        let stream = OutcomeStream(settings) { filter.matches($0) }
        let json = json
        let stays = follow || range.since == nil
        let nothing = nothing(filter, settings)
        try await ClosedOutput.ending { () async throws(CommandError) in
            let past = try await stream.outcomes(
                from: range.since.map { .time($0) } ?? .present,
                to: range.until.map { .time($0) } ?? .present
            )
            for outcome in past.outcomes { outcome.showLine(json: json) }
            if past.unreadable > 0 {
                let count = counted(past.unreadable, "record")
                StandardError.write("note: \(count) of \(settings.topics.outcomes) cannot be decoded and are skipped")
            }
            if let note = past.noteOfOthers { StandardError.write(note) }
            if stays {
                StandardError.write("waiting for outcomes, end with Ctrl-C")
                try await stream.follow(after: past.extent) { $0.showLine(json: json) }
            } else if past.outcomes.isEmpty {
                StandardError.write(nothing)
            }
        }
    }

    private func nothing(_ filter: TapFilter, _ settings: TopicSettings) -> String {
        var text = "no outcome since \(times.since ?? "") meets the conditions"
        if case .uri(let uri) = filter.source {
            let names = settings.sources.map(\.name).joined(separator: ", ")
            text += "; '\(uri.harmless)' is not a source of the configuration (\(names)), so events must have this URI"
        }
        return text
    }
}

extension FoundOutcome {
    fileprivate func showLine(json: Bool) {
        if json {
            StandardOutput.write(self.json)
        } else {
            StandardOutput.write(lines: [TapLine(record).text])
        }
    }
}

/// The conditions of `newsflash tap`. Outcomes that meet all of them are shown.
struct TapFilter: Sendable, Equatable {
    var kind: EventKind?
    /// An outcome such as `failed`, or the beginning of a reason such as `suppressed.killed`.
    var outcome: String?
    var source: Source?
    /// A category of the event, or a tag that it was sent to.
    var category: String?

    /// A source, as a person names it.
    enum Source: Sendable, Equatable {
        /// The topic of a configured source.
        case topic(String)
        /// The URI of a source in events.
        case uri(String)

        /// - Parameters:
        ///   - text: A name of the configuration, or a URI.
        ///   - sources: The configured sources.
        init(_ text: String, among sources: [SourceSettings]) {
            self = sources.first { $0.name == text }.map { .topic($0.topic) } ?? .uri(text)
        }
    }

    /// Checks that a text begins with an outcome kind.
    static func checkOutcome(_ text: String) throws(ValidationError) {
        let kind = text.prefix { $0 != "." }
        guard OutcomeKind(rawValue: String(kind)) == nil else { return }
        let kinds = OutcomeKind.allCases.map(\.rawValue).joined(separator: ", ")
        throw ValidationError("'--outcome' begins with one of \(kinds); a reason such as failed.refused may follow.")
    }

    /// Whether an outcome is shown.
    func matches(_ record: OutcomeRecord) -> Bool {
        if let kind, record.kind != kind.rawValue { return false }
        if let outcome {
            let reason = record.verdict.reason ?? ""
            guard record.verdict.outcome.rawValue == outcome || reason.hasPrefix(outcome) else { return false }
        }
        switch source {
        case .topic(let topic): if record.origin.partition.topic != topic { return false }
        case .uri(let uri): if record.source != uri { return false }
        case nil: break
        }
        guard let category = category?.lowercased() else { return true }
        return record.categories.contains { $0.lowercased() == category }
            || record.targets.contains { target in
                target.request.tags.split { " ()!&|".contains($0) }.contains { $0.lowercased() == category }
            }
    }
}

/// An outcome on one line: time, outcome, kind, story, source and audiences.
struct TapLine {
    private static let longestListed = 4

    private let record: OutcomeRecord

    init(_ record: OutcomeRecord) {
        self.record = record
    }

    /// Example: `2026-03-02T09:00:00.050Z  sent  flash  urn:desk:42  from urn:desk  2 of 2: main World (en), main World (fr)`.
    var text: String {
        var parts = [record.at.rfc3339, record.verdict.reason ?? record.verdict.outcome.rawValue]
        parts.append(record.kind.isEmpty ? "unreadable" : record.kind)
        parts.append(record.story.isEmpty ? "\(record.origin.partition) offset \(record.origin.offset)" : record.story)
        if let source = record.source { parts.append("from \(source)") }
        if let replay = record.replay { parts.append("replay \(replay.id)") }
        if !record.targets.isEmpty { parts.append(audiences) }
        return parts.joined(separator: "  ")
    }

    private var audiences: String {
        let accepted = record.targets.count { $0.report.status == .accepted }
        var listed = record.targets.prefix(Self.longestListed).map { target in
            let request = target.request
            return "\(request.hub) \(request.tags.prefix(60))\(request.locale.map { " (\($0))" } ?? "")"
        }
        let more = record.targets.count - listed.count
        if more > 0 { listed.append("and \(more) more") }
        return "\(accepted) of \(record.targets.count): \(listed.joined(separator: ", "))"
    }
}
