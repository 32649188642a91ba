import FoundationEssentials
import NewsflashCommandLineArguments
import NewsflashEvents
import NewsflashOperations
import NewsflashPublishing
import NewsflashTimestamps
import NewsflashWorker

/// `newsflash withdraw`
struct WithdrawCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "withdraw",
        abstract: "Withdraw a story from everybody who was notified of it, and wait until that is done.",
        discussion: """
            Looks for the story in the ledgers of all sources, whatever the format of their records, and writes a kill beside
            the story's own records wherever it is known. Waiting events of the story are stopped. All audiences that got
            it, or may have got it, get the withdrawal: text.kill of the configuration with the story's last text, or the
            text of --text. Then the command waits for the workers, and prints the result at each audience.

            It cannot be undone: a withdrawn story stays withdrawn. While its source is paused the withdrawal waits.

            If no ledger has the story, nobody was notified of it: nothing is written, and similar names are printed.

            Exit codes: 0 every audience has the withdrawal, 1 not every audience has it yet or the story is unknown,
            65 the words are not valid, 69 Kafka cannot be read or written, 78 bad configuration.

            Examples:
              newsflash withdraw --story urn:desk:42 --reason "the bridge is open"
              newsflash withdraw --story urn:newsml:quake --source wire --by ed:novak
              newsflash withdraw --story urn:desk:42 --text en='We withdraw our report on the bridge'
              newsflash withdraw --story urn:desk:42 --json --config /etc/newsflash/newsflash.yaml
            """
    )

    @OptionGroup var options: ClusterOptions

    @Option(help: "The name of the story in its records.")
    var story: String

    @Option(help: ArgumentHelp("The only source to search; without it, all are searched.", valueName: "name"))
    var source: String?

    @Option(
        help: ArgumentHelp(
            "The headline of the withdrawal in a language; without it, the story's last text.",
            valueName: "language=text"
        )
    )
    var text: [String] = []

    @Option(help: "The reason, for people who look later. No text of the news.")
    var reason: String?

    @Option(help: "The person who withdraws it; without it, the user of this system.")
    var by: String?

    @Option(help: ArgumentHelp("How long to wait for the workers, such as 2m; 0s for not at all.", valueName: "time"))
    var wait = "30s"

    @Flag(help: "One JSON object for each withdrawal that was written, or for an unknown story, a line each.")
    var json = false

    func validate() throws {
        guard (1...256).contains(story.utf8.count) else {
            throw ValidationError("'--story' takes 1 to 256 bytes, as records have them.")
        }
        if let reason, reason.utf8.count > ControlOrderCodec.longestReason {
            throw ValidationError("'--reason' takes at most \(ControlOrderCodec.longestReason) bytes.")
        }
        if let by, !(1...128).contains(by.utf8.count) { throw ValidationError("'--by' takes 1 to 128 bytes.") }
        guard Duration(configured: wait) != nil else {
            throw ValidationError("'--wait' takes a length of time, such as 30s or 2m.")
        }
        _ = try texts()
    }

    func run() async throws {
        let settings = try options.read(source: source)
        guard settings.ledger == .required else {
            throw OperationError(
                .badConfiguration,
                "the configuration has no ledger (ledger.use), so the story cannot be found: run "
                    + "'newsflash publish --kind kill --story \(story) --source NAME'"
            )
        }
        let found = await StorySearch(settings, story: story).find()
        for (source, error) in found.faults {
            StandardError.write("the ledger of source \(source.name) was not searched: \(error.description)")
        }
        for key in found.replays {
            StandardError.write("note: a replay to one tag is not withdrawn: \(key)")
        }
        guard !found.stories.isEmpty else { throw await unknown(found, settings) }
        let reports = try await withdraw(found.stories, settings)
        reports.show(json: json)
        try await printUnread(besides: found, settings)
        if let fault = found.faults.first {
            throw OperationError(
                .unavailable,
                "it is not known whether source \(fault.source.name) has the story: run the command again"
            )
        }
        try reports.requireSuccess()
    }

    /// Writes the withdrawals and waits for their outcomes.
    private func withdraw(
        _ stories: [KnownStory],
        _ settings: TopicSettings
    ) async throws(OperationError) -> [WithdrawalReport] {
        let order = KillRecord.Order(reason: reason, person: person, text: (try? texts()) ?? [])
        let now = Timestamp.now()
        let kills = stories.enumerated().map { number, known in
            KillRecord(of: known, story: story, by: order, number: number + 1, now: now)
        }
        if let fault = kills.lazy.compactMap(\.fault).first {
            throw OperationError(.badData, "nothing was written, a worker would refuse the withdrawal: \(fault)")
        }
        let writing = WithdrawalWriting(settings: settings, patience: wait)
        return try await writing.write(kills)
    }

    /// The person who withdraws it; `nil` if this system does not know.
    private var person: String? {
        let user = ProcessInfo.processInfo.environment["USER"] ?? ""
        return by ?? (1...128 ~= user.utf8.count ? user : nil)
    }

    private func texts() throws(ValidationError) -> [EventText] {
        try EventWords.texts(headlines: text, of: "--text")
    }

    // MARK: - A story that no ledger has

    private func unknown(_ found: StorySearch.Found, _ settings: TopicSettings) async -> OperationError {
        let names = settings.sources.map(\.name).joined(separator: ", ")
        guard found.faults.isEmpty else {
            return OperationError(
                .unavailable,
                "the story was not found, and not every ledger could be read (see above); nothing was written: run the command "
                    + "again"
            )
        }
        let unread = (try? await UnreadRecords.count(settings)) ?? []
        if json { StandardOutput.write(found.unknownJSON(story, unread: unread)) }
        var lines = ["nobody was notified of story \(story): no ledger of \(names) has it; nothing was written"]
        let near = found.near.newest
        if !near.isEmpty { lines.append("similar names, the newest first: \(near.joined(separator: "  "))") }
        lines += unread.map { Self.line(unread: $0.records, of: $0.source) }
        return OperationError(.foundProblems, lines.map(\.harmless).joined(separator: "\n"))
    }

    /// Prints the number of unprocessed records in other sources, because the story may be among them.
    private func printUnread(besides found: StorySearch.Found, _ settings: TopicSettings) async throws {
        let known = Set(found.stories.map(\.source.name))
        guard settings.sources.contains(where: { !known.contains($0.name) }) else { return }
        for (source, records) in (try? await UnreadRecords.count(settings)) ?? [] where !known.contains(source) {
            StandardError.write(Self.line(unread: records, of: source))
        }
    }

    private static func line(unread records: Int64, of source: String) -> String {
        "source \(source) has \(counted(Int(clamping: records), "record")) that no worker has processed; if the story may be "
            + "among them, run the command again in a moment"
    }
}
