import CommandLineArguments
import FoundationEssentials
import Operations
import Publishing
import Timestamps
import Worker

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

            Exit codes: 0 the order was given, also if no worker runs now, 1 it is not in the topic, 69 Kafka cannot be
            reached, 78 bad configuration.

            Examples:
              newsflash reload --announce words --reason "a flash begins with a siren"
              newsflash reload --canary 100 --reason "Politics has a tag of its own" --announce audience
              newsflash reload --now --reason "the last change taken back"
            """
    )

    @OptionGroup var cluster: ClusterOptions

    @Option(
        help: ArgumentHelp("The number of events to test with; without it, that of reload.canary.", valueName: "events")
    )
    var canary: Int?

    @Option(
        help: ArgumentHelp(
            "The intended differences, with commas: words, audience, lost, gained.",
            valueName: "kind"
        )
    )
    var announce: [String] = []

    @Flag(help: "Apply the rules without testing them with events.")
    var now = false

    @OptionGroup var author: AuthorOptions

    func validate() throws {
        if now, canary != nil || !announce.isEmpty {
            throw ValidationError("'--now' tests with no event: leave out '--canary' and '--announce'.")
        }
        if let canary, !(1...CanaryTerms.mostEvents).contains(canary) {
            throw ValidationError("'--canary' takes 1 to \(CanaryTerms.mostEvents) events; '--now' tests with none.")
        }
        _ = try announced()
    }

    func run() async throws {
        let order = ReloadOrder(
            events: now ? 0 : canary,
            announced: try announced(),
            by: author.name,
            reason: author.why,
            at: .now()
        )
        let settings = try cluster.read()
        try await ControlTopic(settings).give(.reload(order))
        let workers = await GroupMembers.count(settings)
        let none = "one that starts reads the present configuration anyway"
        GroupMembers.show(workers, of: settings.group, none: none) { count in
            count == 1
                ? "reloads its configuration; the result is in its /status, under 'rules'"
                : "reload their configuration; the result is in /status of each, under 'rules'"
        }
    }

    private func announced() throws -> Set<PlanDifference.Kind> {
        var kinds: Set<PlanDifference.Kind> = []
        for word in announce.flatMap({ $0.split(separator: ",") }) {
            guard let kind = CanaryTerms.kinds.first(where: { $0.rawValue == word }) else {
                throw ValidationError("'--announce' takes words, audience, lost and gained, not '\(word)'.")
            }
            kinds.insert(kind)
        }
        return kinds
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

    /// The name in the order. Workers cannot decode an empty name, or one of more than 256 bytes.
    var name: String {
        let user = ProcessInfo.processInfo.environment["USER"] ?? ""
        return by ?? (1...256 ~= user.utf8.count ? user : "someone")
    }

    /// The reason in the order.
    var why: String { reason ?? "no reason given" }
}
