import CommandLineArguments
import Publishing
import Timestamps
import Worker

/// `newsflash reload`
struct ReloadCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reload",
        abstract: "Let all workers read their configuration again, and judge its rules before they are in force.",
        discussion: """
            Each running worker of the group reads the file that it was started with. Its rules (locales, send,
            categories, narrower, unknown, text, limits, interruption, policy, and tags and forms of hubs) are judged at
            once by the latest events that the worker has decided on, at most 200: each is planned by the rules in
            force and by the new ones. Without a difference that nobody has announced, the new rules are in force for
            the events that follow. One difference too many drops them, and names the events. A worker that has just
            started knows fewer events, and says by how many it has judged. Events under way end by the rules they
            began with.

            Differences: words (the same readers are told something else), audience (others are told instead), lost
            (somebody is told no more), gained (somebody is told who was not). What is not announced may not be, unless
            'reload.limits' of the configuration allows some.

            A file with problems, or with a change that only a restart can make, leaves all as it was, and the worker
            says why: in its log, and in /status under 'rules'. SIGHUP to one worker does the same there, on the terms of
            its section 'reload'. Nothing can be undone that was sent; 'newsflash replay' tries rules on what was sent
            before any worker reads them.

            Examples:
              newsflash reload --announce words --reason "a flash begins with a siren"
              newsflash reload --canary 100 --reason "Politics has a tag of its own" --announce audience
              newsflash reload --now --reason "the last change taken back"
            """
    )

    @OptionGroup var cluster: ClusterOptions

    @Option(
        help: ArgumentHelp("By how many events they are judged; left out, as reload.canary says.", valueName: "events")
    )
    var canary: Int?

    @Option(
        help: ArgumentHelp(
            "What is meant to differ: words, audience, lost, gained, with commas between or said again.",
            valueName: "kind"
        )
    )
    var announce: [String] = []

    @Flag(help: "Without a look at any event.")
    var now = false

    @OptionGroup var author: AuthorOptions

    func validate() throws {
        if now, canary != nil || !announce.isEmpty {
            throw ValidationError("'--now' looks at no event: leave '--canary' and '--announce' out.")
        }
        if let canary, !(1...CanaryTerms.mostEvents).contains(canary) {
            throw ValidationError("'--canary' takes 1 to \(CanaryTerms.mostEvents) events; '--now' looks at none.")
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
        try await ControlTopic(try cluster.read()).write(.reload(order))
        StandardOutput.write(
            "the workers read their configuration again; each says in /status under 'rules' what came of it"
        )
    }

    private func announced() throws -> Set<PlanDifference.Kind> {
        var kinds: Set<PlanDifference.Kind> = []
        for word in announce.flatMap({ $0.split(separator: ",") }) {
            guard let kind = CanaryTerms.kinds.first(where: { $0.rawValue == word }) else {
                throw ValidationError("'--announce' takes words, audience, lost and gained, and not '\(word)'.")
            }
            kinds.insert(kind)
        }
        return kinds
    }
}
