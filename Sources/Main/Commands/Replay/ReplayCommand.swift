import NewsflashCommandLineArguments
import NewsflashEvents
import NewsflashKafka
import NewsflashOperations
import NewsflashTimestamps
import NewsflashWorker

/// `newsflash replay`
struct ReplayCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "replay",
        abstract: "Compare past events with the present rules, and send those that differ again.",
        discussion: """
            Reads events from the topic, decides on each with this configuration as if it arrived again at its time, and
            compares its requests with those in the outcomes. Nothing is sent. Differences: subscribers were notified who
            would not be now (lost), would be notified now (gained), both (audience), or would get other or louder words
            (words). Times and expiry do not count. Events that would not be sent now are grouped by reason, with three
            samples each.

            --send writes the events that differ to the topic again. It shows a plan first and asks for confirmation. Each
            record has the id of its replay. The same command continues where the last one ended, even if that was killed:
            it writes no record twice, and workers skip a record that is there twice.

            With --only-tag the events go only to the devices with that tag at each hub. The ledger records of the stories
            do not change. The tag must not be one that a category leads to. Without --only-tag the events are processed
            like any record: notified subscribers are not notified again, and old events expire. --again notifies all
            subscribers of one story again, once for each --id.

            The records have no value, so workers of older versions and other consumers of the topic skip them.

            Exit codes: 0 none differ, or all written; 1 some differ, with --send if none of them can be sent, or the plan
            was not confirmed; 69 Kafka cannot be reached; 78 bad configuration.

            Examples:
              newsflash replay --since 2h
              newsflash replay --since 2026-03-02T08:00:00Z --until 2026-03-02T09:00:00Z --json
              newsflash replay --offsets 3@48120..48200 --category sports
              newsflash replay --since 2h --send --only-tag newsroom-testers --reason "mapping of sports fixed"
              newsflash replay --story urn:desk:42 --send --again --reason "phones were cut off" --yes
            """
    )

    @OptionGroup var config: ConfigurationOptions

    @OptionGroup var options: ReplayOptions

    @Option(help: ArgumentHelp("The source of the events; without it, all.", valueName: "name"))
    var source: String?

    @Flag(help: "Write the events that differ to the topic again.")
    var send = false

    @Option(help: "The reason, for people who look later: only the records show it. No text of the news.")
    var reason: String?

    @Option(help: ArgumentHelp("Send only to devices with this tag.", valueName: "tag"))
    var onlyTag: String?

    @Flag(help: "Notify all subscribers of the one --story again.")
    var again = false

    @Flag(help: "Also write the events that are the same.")
    var same = false

    @Option(help: ArgumentHelp("The id of the replay; without it, made from the options.", valueName: "name"))
    var id: String?

    @Option(help: ArgumentHelp("The number of records to write per second.", valueName: "number"))
    var rate: Int = 20

    @Option(help: ArgumentHelp("Write at most this number of records now.", valueName: "number"))
    var most: Int?

    @OptionGroup var consent: ConsentOptions

    @Flag(help: "One JSON object for each event that differs, a line each, and one with the totals.")
    var json = false

    func validate() throws {
        try options.validate()
        guard send || (reason == nil && onlyTag == nil && !again && !same && id == nil && most == nil && !consent.yes)
        else {
            throw ValidationError(
                "'--reason', '--only-tag', '--again', '--same', '--id', '--most' and '--yes' go with '--send'."
            )
        }
        guard !send || !(reason ?? "").isEmpty else { throw ValidationError("'--send' needs a '--reason'.") }
        if let reason, reason.utf8.count > 512 { throw ValidationError("'--reason' takes 1 to 512 bytes.") }
        if again, options.story == nil {
            throw ValidationError("'--again' needs a '--story' to send again.")
        }
        if again, onlyTag != nil {
            throw ValidationError("Give either '--again' or '--only-tag': '--only-tag' always sends again.")
        }
        if let onlyTag, !ReplayEnvelope.isTag(onlyTag) {
            throw ValidationError(
                "'--only-tag' takes 1 to \(ReplayEnvelope.maximumTag) ASCII letters and digits and _ @ # . : -"
            )
        }
        if let id, !ReplayEnvelope.isID(id) {
            throw ValidationError("'--id' takes 1 to \(ReplayEnvelope.maximumID) ASCII letters and digits and . _ -")
        }
        guard (1...10_000).contains(rate) else { throw ValidationError("'--rate' takes a number from 1 to 10000.") }
        if let most, most < 1 { throw ValidationError("'--most' takes a number of at least 1.") }
    }

    func run() async throws {
        var configuration = try config.read().configuration
        if let source { configuration.sources = [try configuration.sources.named(source, in: config.file)] }
        guard options.offsets.isEmpty || configuration.sources.count == 1 else {
            throw OperationError(.badConfiguration, "'--offsets' belong to one topic: name its source with --source")
        }
        if let onlyTag { try ReplayRun.requireNoSubscribers(of: onlyTag, by: configuration) }
        var findings: [ReplayFinding] = []
        var differing = 0
        var isSendable = false
        for source in configuration.sources {
            let now = Timestamp.now()
            let times = try options.times.range(now: now)
            let run = try await ReplayRun(of: source, by: configuration, filter: options.filter, times: times, now: now)
            show(run)
            findings += run.findings
            differing += run.differing
            if send, try await write(run, to: configuration.kafka) { isSendable = true }
        }
        guard !findings.isEmpty || options.isOnlyTimes else {
            throw OperationError(.foundProblems, "no event matches, so nothing was compared: check the options")
        }
        let totals = ReplayTotals(findings)
        if json {
            StandardOutput.write(totals.json)
        } else {
            StandardOutput.write(totals.line)
            if !send { StandardOutput.write("nothing was sent") }
        }
        if differing > 0, !isSendable { throw ExitCode.failure }
    }

    private func show(_ run: ReplayRun) {
        for note in run.notes { StandardError.write("note: \(note)") }
        if json {
            for finding in run.findings where finding.difference != nil { StandardOutput.write(finding.json) }
        } else {
            StandardOutput.write(lines: ReplayList(run.findings).lines)
        }
    }

    /// Writes the records of a source.
    ///
    /// - Returns: Whether there was anything to write, now or in an earlier run.
    /// - Throws: ``OperationError`` with exit code 1 if nobody confirms the plan.
    private func write(_ run: ReplayRun, to cluster: KafkaConfiguration) async throws -> Bool {
        let topic = run.source.topic
        let words = [topic, options.text, onlyTag ?? "", again ? "again" : "", same ? "same" : "", reason ?? ""]
        let order = ReplayRun.Order(
            id: id ?? ReplayPlan.id(of: words),
            reason: reason ?? "",
            onlyTag: onlyTag,
            isAgain: again,
            includesSame: same
        )
        let (plan, isEmpty) = try await run.plan(order, at: .now())
        guard !isEmpty else {
            say("nothing to send from \(topic)")
            return false
        }
        for line in plan.lines(rate: rate, most: most) { say(line) }
        guard !plan.entries.isEmpty else {
            say("everything is written already")
            return true
        }
        let count = min(most ?? .max, plan.entries.count)
        guard consent.isGiven(to: "write \(counted(count, "record"))") else { throw ConsentOptions.refusal }
        let sent = try await ReplaySending(cluster: cluster, rate: rate).send(plan, most: most)
        let left = plan.entries.count - sent
        let rest = left > 0 ? ", \(left) left: run the same command again" : ""
        say("\(counted(sent, "record")) written as replay \(plan.id)\(rest)")
        return true
    }

    /// Prints a line for people. With `--json` it goes to the standard error, because the standard output has only JSON.
    private func say(_ line: String) {
        if json { StandardError.write(line) } else { StandardOutput.write(line) }
    }
}
