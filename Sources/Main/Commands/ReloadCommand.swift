import FoundationEssentials
import NewsflashCommandLineArguments
import NewsflashOperations
import NewsflashPublishing
import NewsflashTimestamps
import NewsflashWorker

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// `newsflash reload`
struct ReloadCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reload",
        abstract: "Reload the configuration on all workers; each tests the new rules before it applies them.",
        discussion: """
            Each running worker of the group reads the file that it was started with. It tests the rules (locales, send,
            categories, narrower, unknown, text, limits, interruption, policy, and tags and forms of hubs) at once with the
            latest events that it has decided on, at most 200: it plans each event with the old and the new rules. If all
            differences were announced, the new rules apply to the following events. Otherwise the worker rejects them and
            names the events. A worker that started recently has fewer events, and reports how many it tested. Events in
            progress finish with their old rules.

            Differences: words (the same subscribers get other words), audience (other subscribers are notified instead),
            lost (some subscribers are no longer notified), gained (additional subscribers are notified). Differences that
            are not announced are not allowed, unless 'reload.limits' of the configuration allows some.

            If the file has problems or a change that needs a restart, nothing changes; the reason is in the worker's log,
            and in /status under 'rules'. SIGHUP does the same at one worker, with the settings of its section 'reload'. A
            reload does not undo what was sent. To test rules before any worker reads them, use 'newsflash replay'.

            --wait asks the admin port of each worker (--admin; without it, the port in the configuration on this machine)
            until it has a result, and compares the digest of its rules with that of the file here. It prints a line for
            each worker.

            Exit codes: 0 the order was given, also if no worker runs now, and with --wait the rules of the file are in
            force at each worker, 1 it is not in the topic, or with --wait a worker rejected them, has others, did not
            answer in time or was not asked, or the rules cannot be compared, because the file here has problems, 69 Kafka
            cannot be reached, 78 bad configuration.

            Examples:
              newsflash reload --announce words --reason "a flash begins with a siren"
              newsflash reload --canary 100 --reason "Politics has a tag of its own" --announce audience
              newsflash reload --untested --reason "the last change taken back"
              newsflash reload --wait 30s --admin 10.0.0.7:9464 --admin 10.0.0.8:9464
            """
    )

    @OptionGroup var cluster: ClusterOptions

    @Option(
        help: ArgumentHelp("The number of events to test with; without it, that of reload.canary.", valueName: "events")
    )
    var canary: Int?

    @Option(
        help: ArgumentHelp(
            "An intended difference, once for each: see above.",
            valueName: "kind"
        )
    )
    var announce: [AnnouncedDifference] = []

    @Flag(help: "Apply the rules without testing them with events.")
    var untested = false

    @OptionGroup var author: AuthorOptions

    @OptionGroup var adminOptions: AdminOptions

    @Option(
        help: ArgumentHelp("How long to wait for the workers, such as 30s; without it, not at all.", valueName: "time")
    )
    var wait: String?

    @Flag(help: "One JSON object for the order and the number of workers, and one for each worker of --wait.")
    var json = false

    func validate() throws {
        if let wait, Duration(configured: wait).map({ $0 < .seconds(1) || $0 > .seconds(3600) }) ?? true {
            throw ValidationError("'--wait' takes a length of time from 1s to 1h, such as 30s.")
        }
        guard wait != nil || adminOptions.admin.isEmpty else {
            throw ValidationError("'--admin' names the workers to wait for: add '--wait', such as '--wait 30s'.")
        }
        if untested, canary != nil || !announce.isEmpty {
            throw ValidationError("'--untested' tests with no event: leave out '--canary' and '--announce'.")
        }
        if let canary, !(1...CanaryTerms.mostEvents).contains(canary) {
            throw ValidationError(
                "'--canary' takes 1 to \(CanaryTerms.mostEvents) events; '--untested' tests with none."
            )
        }
    }

    func run() async throws {
        let order = ReloadOrder(
            events: untested ? 0 : canary,
            announced: Set(announce.map(\.kind)),
            by: try author.name(),
            reason: author.why,
            at: .now()
        )
        let settings = try cluster.read()
        let waiting = try await startWaiting()
        try await ControlTopic(settings).give(.reload(order))
        let workers = await GroupMembers.count(settings)
        if json {
            StandardOutput.write(ControlOrder.reload(order).json(workers: try? workers.get()))
        } else {
            let none = "one that starts reads the present configuration anyway"
            let result = waiting == nil ? "; 'newsflash status' of each prints the result" : ""
            GroupMembers.show(workers, of: settings.group, none: none) { count in
                (count == 1 ? "reloads its configuration" : "reload their configuration") + result
            }
        }
        guard let waiting, let limit = wait.flatMap({ Duration(configured: $0) }) else { return }
        let isDone = try await waiting.wait.run(order, within: limit) { answer in
            if json { StandardOutput.write(answer.json) } else { StandardOutput.write(folding: [answer.line]) }
        }
        let unasked = ((try? workers.get()) ?? 0) - waiting.count
        guard unasked <= 0 else {
            throw OperationError(
                .foundProblems,
                "\(counted(unasked, "worker")) of group \(settings.group) "
                    + "\(unasked == 1 ? "was" : "were") not asked: name the admin port of each with '--admin'"
            )
        }
        if !isDone { throw ExitCode.failure }
    }

    /// Queries the workers to wait for, and computes the digest of the file; `nil` without `--wait`.
    private func startWaiting() async throws -> (wait: ReloadWait, count: Int)? {
        guard wait != nil else { return nil }
        let ports = try adminOptions.ports(orOf: cluster.config)
        let digest = cluster.readWorker(unknown: "the digest of the file")?.publishing.digest
        return (try await ReloadWait(ports, digest: digest), ports.count)
    }
}

/// A difference between plans that `reload --announce` takes.
enum AnnouncedDifference: String, CaseIterable, ExpressibleByArgument {
    case words, audience, lost, gained

    var kind: PlanDifference.Kind {
        switch self {
        case .words: .words
        case .audience: .audience
        case .lost: .lost
        case .gained: .gained
        }
    }
}

/// The author of an order and its reason.
///
/// The reason is optional, because the order may be an emergency.
struct AuthorOptions: ParsableArguments {
    @Option(help: "The reason, for people who look later. No text of the news, because it is logged.")
    var reason: String?

    @Option(help: "The author of the order; without it, the user of this system (USER).")
    var by: String?

    func validate() throws {
        guard (1...ControlOrderCodec.longestReason).contains((reason ?? "x").utf8.count) else {
            throw ValidationError("'--reason' takes 1 to \(ControlOrderCodec.longestReason) bytes.")
        }
        if let by, !(1...256).contains(by.utf8.count) { throw ValidationError("'--by' takes 1 to 256 bytes.") }
    }

    /// Returns the name in the order. Workers cannot decode an empty name, or one of more than 256 bytes.
    ///
    /// - Parameters:
    ///   - user: The user of this system, if it is known.
    ///   - isTerminal: Whether a person types the command.
    /// - Returns: The name; `someone` if a script gives the order and the user is not known.
    /// - Throws: `ValidationError` if a person gives the order, and no name is known.
    func name(
        user: String? = ProcessInfo.processInfo.environment["USER"],
        isTerminal: Bool = isatty(STDIN_FILENO) == 1
    ) throws(ValidationError) -> String {
        if let by { return by }
        if let user, 1...256 ~= user.utf8.count { return user }
        guard isTerminal else { return "someone" }
        throw ValidationError("It is not known who you are (USER is not set): add '--by', such as --by ed:novak.")
    }

    /// The reason in the order.
    var why: String { reason ?? "no reason given" }
}
