import NewsflashCommandLineArguments
import NewsflashOperations
import NewsflashPublishing
import NewsflashTimestamps
import NewsflashWorker

/// `newsflash dead-letters redrive`
struct RedriveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "redrive",
        abstract: "Send dead letters again after their cause was corrected, and report what became of each.",
        discussion: """
            Writes each original to its source topic again, to the same partition, with headers that name the dead letter. The
            worker treats it like any record: accepted requests are not repeated, partly sent events go only to the remaining
            audiences, and outdated events expire. An event that fails again becomes a new dead letter, which counts the
            redrives; from --quarantine-after on it is quarantined and left out.

            The plan is shown first, with what each would become with this configuration. Dead letters that would fail again
            are left out, unless --failing is given. If the configuration has problems, it is not known which would fail, and
            none is left out. Nothing is written without --yes or a confirmation at the terminal. The command can be run again
            at any time, also after it was killed: it finds copies that are in the source topic already, and does not write
            them twice.

            Dead letters for failed.unknown may have reached subscribers: they are left out unless --outcome names them in full,
            or --event.

            Exit codes: 0 success, also if there is nothing to send, 1 some failed again, or the plan was not confirmed, 69
            Kafka cannot be used, or some have no outcome in time, 78 bad configuration.

            Examples:
              newsflash dead-letters redrive --outcome invalid.unmapped
              newsflash dead-letters redrive --outcome invalid.unmapped --since 2h --yes
              newsflash dead-letters redrive --event 8d1f0c52-flash --reason "category added" --yes
              newsflash dead-letters redrive --outcome failed --rate 5 --most 100 --wait 5m --yes
            """
    )

    @OptionGroup var options: TopicOptions

    @OptionGroup var filter: DeadLetterFilter

    @OptionGroup var quarantine: QuarantineOption

    @Flag(help: "Include quarantined ones.")
    var quarantined = false

    @Flag(help: "Include those that would fail again with this configuration.")
    var failing = false

    @Option(help: ArgumentHelp("Records written per second.", valueName: "count"))
    var rate = 50

    @Option(help: ArgumentHelp("Maximum number of records to write, the oldest first.", valueName: "count"))
    var most = 1000

    @Option(
        help: ArgumentHelp("The reason, stored in a header of each copy. No text of news.", valueName: "text")
    )
    var reason: String?

    @Option(help: ArgumentHelp("How long to wait for their outcomes; 0s does not wait.", valueName: "time"))
    var wait = "60s"

    @OptionGroup var consent: ConsentOptions

    @Flag(help: "Print one JSON object per line for each dead letter, with its copy and outcome.")
    var json = false

    func validate() throws {
        guard (1...10_000).contains(rate) else { throw ValidationError("'--rate' must be 1 to 10000.") }
        guard (1...100_000).contains(most) else { throw ValidationError("'--most' must be 1 to 100000.") }
        guard Duration(configured: wait) != nil else {
            throw ValidationError("'--wait' must be a duration, such as 60s or 5m.")
        }
        if let reason, !(1...256).contains(reason.utf8.count) {
            throw ValidationError("'--reason' must have 1 to 256 bytes.")
        }
    }

    func run() async throws {
        let settings = try options.read()
        let book = DeadLetterReader(settings: settings, mostRedrives: quarantine.quarantineAfter)
        let reading = try await book.read(filter.criteria, try filter.times.range(now: .now()))
        var plan = RedrivePlan(reading.letters, filter.criteria, most: most, takesQuarantined: quarantined)
        let prepared = try await plan.prepare(
            settings,
            by: plan.chosen.isEmpty ? nil : options.readWorker(),
            includesFailing: failing
        )
        let text = plan.lines(forecasts: prepared.forecasts, rate: rate)
        for line in text { if json { StandardError.write(line) } else { StandardOutput.write(line) } }
        guard !plan.chosen.isEmpty || !plan.underWay.isEmpty else { return }
        guard plan.chosen.isEmpty || consent.isGiven(to: "write \(counted(plan.chosen.count, "record"))") else {
            throw ConsentOptions.refusal
        }
        let run = RedriveRun(settings: settings, rate: rate, reason: reason)
        try await perform(plan, prepared.bodies, by: run, book)
    }

    private func perform(
        _ plan: RedrivePlan,
        _ bodies: [DeadLetterPosition: DeadLetterBody],
        by run: RedriveRun,
        _ book: DeadLetterReader
    ) async throws {
        let beginning = try await OutcomeWait(run.settings).beginning()
        let letters = plan.chosen.compactMap { letter in bodies[letter.place].map { (letter: letter, body: $0) } }
        let written = try await run.write(letters)
        let patience = Duration(configured: wait) ?? .seconds(60)
        var report = RedriveReport(
            letters: try await run.verdicts(on: written, from: beginning, within: patience),
            mostRedrives: quarantine.quarantineAfter
        )
        report = try await report.adding(plan.underWay, in: book, filter.criteria)
        if json {
            for letter in report.letters { StandardOutput.write(letter.json) }
        } else {
            StandardOutput.write(lines: report.lines)
        }
        if !report.failed.isEmpty { throw ExitCode.failure }
        guard patience > .zero, !report.silent.isEmpty else { return }
        throw OperationError(
            .unavailable,
            "no outcome for \(report.silent.count) within \(wait): workers may lag, be stopped, or have an open circuit: "
                + "see 'newsflash status'. The copies were written: run the same command again to see their outcomes"
        )
    }
}
