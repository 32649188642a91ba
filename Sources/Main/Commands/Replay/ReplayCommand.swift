import CommandLineArguments
import Kafka
import NewsEvents
import Publishing
import Timestamps
import Worker

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// `newsflash replay`
struct ReplayCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "replay",
        abstract: "See what yesterday's events would become today, and send those that differ once more.",
        discussion: """
            Events are read from the topic, each is decided on by this configuration as if it came again at its time, and its
            requests are compared with those that the outcomes say went out. Nothing is sent. An event differs where
            readers were told who would not be now (lost), would be told now (gained), both (audience), or would be told
            other words or louder (words). Times and lives do not count.

            --send writes the events that differ to the topic once more, after a plan and a yes. Each record says to which
            replay it belongs, and whoever sends the command again goes on where the last one ended, even one that was
            killed: nothing is written twice, and workers know a record that is.

            With --only-tag the events go to the devices with that tag at each hub and to nobody else; what readers know
            of a story stays as it is, and the tag may be none that a category leads to. Else they go through the ledger
            as any record: what was told is not told again, and what is too old expires. --again tells one named story
            again to everybody, once for each --id.

            The records have no value of their own: a worker of an older version passes over them, and so does any other
            reader of the topic.

            Exit codes: 0 none differ, or all written; 1 some differ, or the plan was not agreed to; 69 Kafka cannot be
            reached; 78 bad configuration.

            Examples:
              newsflash replay --since 2h
              newsflash replay --since 2026-03-02T08:00:00Z --until 2026-03-02T09:00:00Z --json
              newsflash replay --offsets 3@48120..48200 --category sports
              newsflash replay --since 2h --send --only-tag newsroom-testers --reason "mapping of sports mended"
              newsflash replay --story urn:desk:42 --send --again --reason "phones were cut off" --yes
            """
    )

    @OptionGroup var config: ConfigurationOptions

    @OptionGroup var options: ReplayOptions

    @Option(help: ArgumentHelp("The source whose events; left out, all.", valueName: "name"))
    var source: String?

    @Flag(help: "Write the events that differ to the topic once more.")
    var send = false

    @Option(help: "Why, for those who look later: the records and no log show it. No words of news.")
    var reason: String?

    @Option(help: ArgumentHelp("Send to devices with this tag alone.", valueName: "tag"))
    var onlyTag: String?

    @Flag(help: "Tell readers again what they were told, of the one --story.")
    var again = false

    @Flag(help: "Write also the events that do not differ.")
    var all = false

    @Option(help: ArgumentHelp("Names the replay; left out, made from what the command says.", valueName: "name"))
    var id: String?

    @Option(help: ArgumentHelp("How many records a second are written.", valueName: "number"))
    var rate: Int = 20

    @Option(help: ArgumentHelp("Write at most so many now; the same command goes on.", valueName: "number"))
    var most: Int?

    @Flag(help: "Write without asking.")
    var yes = false

    @Flag(help: "One JSON object for each event that differs, a line each, and one with the totals.")
    var json = false

    func validate() throws {
        try options.validate()
        guard send || (reason == nil && onlyTag == nil && !again && !all && id == nil && most == nil && !yes) else {
            throw ValidationError(
                "'--reason', '--only-tag', '--again', '--all', '--id', '--most' and '--yes' go with '--send'."
            )
        }
        guard !send || !(reason ?? "").isEmpty else { throw ValidationError("'--send' needs a '--reason'.") }
        if let reason, reason.utf8.count > 512 { throw ValidationError("'--reason' takes 1 to 512 bytes.") }
        if again, options.story == nil {
            throw ValidationError("'--again' needs the one '--story' that is told again.")
        }
        if again, onlyTag != nil {
            throw ValidationError("Give either '--again' or '--only-tag': a tag is told whatever it was told before.")
        }
        if let onlyTag, !ReplayEnvelope.isTag(onlyTag) {
            throw ValidationError(
                "'--only-tag' takes 1 to \(ReplayEnvelope.maximumTag) letters and digits of ASCII and _ @ # . : -"
            )
        }
        if let id, !ReplayEnvelope.isID(id) {
            throw ValidationError("'--id' takes 1 to \(ReplayEnvelope.maximumID) letters and digits of ASCII and . _ -")
        }
        guard (1...10_000).contains(rate) else { throw ValidationError("'--rate' takes a number from 1 to 10000.") }
        if let most, most < 1 { throw ValidationError("'--most' takes a number from 1.") }
    }

    func run() async throws {
        var configuration = try config.read().configuration
        if let source { configuration.sources = [try configuration.sources.named(source, in: config.file)] }
        guard options.offsets.isEmpty || configuration.sources.count == 1 else {
            throw CommandError(.badConfiguration, "'--offsets' are those of one topic: name its source with --source")
        }
        if let onlyTag { try requireNoReaders(of: onlyTag, configuration) }
        var findings: [ReplayFinding] = []
        var differing = 0
        for source in configuration.sources {
            var narrowed = configuration
            narrowed.sources = [source]
            let found = try await look(at: source, narrowed)
            findings += found.findings
            differing += found.findings.count { $0.difference != nil }
            if send { try await write(found, of: source, narrowed) }
        }
        guard !findings.isEmpty || options.isOnlyTimes else {
            throw CommandError(.foundProblems, "no event matches, so nothing was compared: see the names and numbers")
        }
        let totals = ReplayTotals(findings)
        if json {
            StandardOutput.write(totals.json)
        } else {
            StandardOutput.write(totals.line)
            if !send { StandardOutput.write("nothing was sent") }
        }
        if differing > 0, !send { throw ExitCode.failure }
    }

    /// A tag that readers have would tell them yesterday's news.
    private func requireNoReaders(of tag: String, _ configuration: WorkerConfiguration) throws(CommandError) {
        guard EventPlanner(configuration).hasReaders(tag) else { return }
        throw CommandError(
            .badConfiguration,
            "'\(tag)' is a tag of readers: a category leads to it. Name one that only testers' devices have"
        )
    }

    private struct Found {
        var reading: ReplayReading.Found
        var findings: [ReplayFinding]
    }

    private func look(at source: SourceSettings, _ configuration: WorkerConfiguration) async throws -> Found {
        let now = Timestamp.now()
        let reading = try await ReplayReading(
            settings: TopicSettings(configuration),
            source: source,
            options: options,
            now: now
        ).read()
        for note in reading.notes { StandardError.write("note: \(note)") }
        let findings = await Patience.noting("comparing \(counted(reading.records.count, "event"))") {
            ReplayComparison(reading.outcomes)
                .findings(on: reading.records, remembering: reading.memory, by: configuration, now: now)
        }
        for finding in findings where finding.difference != nil {
            if json { StandardOutput.write(finding.json) } else { StandardOutput.write(lines: finding.lines) }
        }
        return Found(reading: reading, findings: findings)
    }

    private func write(
        _ found: Found,
        of source: SourceSettings,
        _ configuration: WorkerConfiguration
    ) async throws {
        let words = [source.topic, options.text, onlyTag ?? "", again ? "again" : "", all ? "all" : "", reason ?? ""]
        var plan = ReplayPlan(
            id: id ?? ReplayPlan.id(of: words),
            reason: reason ?? "",
            onlyTag: onlyTag,
            isAgain: again,
            at: .now(),
            topic: source.topic
        )
        plan.take(found.findings, takesAll: all || again)
        guard !plan.entries.isEmpty else { return say("nothing to send of \(source.topic)") }
        try await requireDeletion(of: source.topic, configuration.kafka)
        let sending = ReplaySending(cluster: configuration.kafka, rate: rate)
        plan.leaveOut(try await sending.written(plan.id, in: source.topic, from: found.reading.from))
        for line in plan.lines(rate: rate, most: most) { say(line.harmless) }
        guard !plan.entries.isEmpty else { return say("all of it is written") }
        guard yes || isAgreedTo() else {
            throw CommandError(.foundProblems, "nothing was sent: say --yes to write this")
        }
        let isShown = isatty(STDERR_FILENO) == 1
        var next = ContinuousClock.now + .seconds(2)
        let sent = try await sending.send(plan, most: most) { count in
            guard isShown, ContinuousClock.now >= next else { return }
            next = .now + .seconds(2)
            StandardError.write("\(count) of \(plan.entries.count) written …")
        }
        let left = plan.entries.count - sent
        let rest = left > 0 ? ", \(left) are left: the same command goes on" : ""
        say("\(counted(sent, "record")) written as replay \(plan.id)\(rest)")
    }

    /// In a compacted topic a record without a value deletes what its key had.
    private func requireDeletion(of topic: String, _ cluster: KafkaConfiguration) async throws(CommandError) {
        let needed = NeededTopic(role: .source, name: topic)
        let settings = try await TopicSurvey.present([needed], at: cluster).first?.settings ?? [:]
        guard settings["cleanup.policy"]?.contains("compact") == true else { return }
        throw CommandError(
            .badConfiguration,
            "\(topic) is compacted, where records of a replay would delete their stories: set its cleanup.policy to delete"
        )
    }

    private func isAgreedTo() -> Bool {
        guard isatty(STDIN_FILENO) == 1, isatty(STDERR_FILENO) == 1 else { return false }
        StandardError.write("write them? [y/N]")
        return ["y", "yes"].contains(readLine()?.lowercased() ?? "")
    }

    /// Tells a person; the standard output is JSON alone where that was asked for.
    private func say(_ line: String) {
        if json { StandardError.write(line) } else { StandardOutput.write(line) }
    }
}
