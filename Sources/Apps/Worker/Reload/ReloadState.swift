import NewsflashObservability
import NewsflashPublishing
import NewsflashStrictJSON
import NewsflashTimestamps

/// The rules in force and the latest reload result. It makes decisions; its owner performs them.
struct ReloadState {
    /// An action for the owner.
    enum Action {
        case adopt(RuleSet)
        case logLevel(LogLevel)
        case ended(ReloadResult)
    }

    private(set) var rules: RuleSet
    /// When they came into force.
    private(set) var since: Timestamp
    private(set) var last: ReloadResult?
    private let secure: SecureSettings
    private var values: [ConfigurationValue]

    /// Starts with the configuration of the worker's start.
    ///
    /// - Parameters:
    ///   - rules: The rules in force.
    ///   - secure: The key of secure events, which stays the same until the worker ends, as in gateways.
    ///   - values: Every key.
    ///   - now: The current time.
    init(rules: RuleSet, secure: SecureSettings, values: [ConfigurationValue], now: Timestamp) {
        self.rules = rules
        self.secure = secure
        self.values = values
        self.since = now
    }

    /// Compares the new configuration using the latest decisions, and applies it or not. Nothing is left to be decided later.
    ///
    /// - Parameters:
    ///   - read: The current configuration, or its problems.
    ///   - request: The origin of the request.
    ///   - samples: The latest decisions, newest first.
    ///   - now: The current time.
    /// - Returns: The actions to perform.
    mutating func apply(
        _ read: Result<ReadConfiguration, ConfigurationError>,
        for request: ReloadRequest,
        samples: [DecisionSample],
        now: Timestamp
    ) -> [Action] {
        var configuration: WorkerConfiguration
        let new: [ConfigurationValue]
        switch read {
        case .failure(let error):
            let problems = error.problems.map(\.description)
            let detail = "\(error.source) has \(problems.count == 1 ? "1 problem" : "\(problems.count) problems")"
            return end(.refused, request, detail, problems: problems, now: now)
        case .success(let found):
            configuration = found.configuration
            new = found.values
        }
        if let problem = configuration.secure.problem {
            return end(.refused, request, "a file of the configuration cannot be used", problems: [problem], now: now)
        }
        configuration.secure = secure
        let digest = configuration.publishing.digest
        switch ReloadPlan(from: values, to: new) {
        case .unchanged:
            return end(.unchanged, request, "it is the same as the one in force", digest: digest, now: now)
        case .needsRestart(let changes):
            let detail = "a restart is needed for \(changes.places)"
            return end(.needsRestart, request, detail, digest: digest, problems: changes.map(\.place), now: now)
        case .settings(let changes):
            values = new
            return [.logLevel(configuration.log.level)]
                + end(.promoted, request, "changed: \(changes.places)", digest: digest, now: now)
        case .rules(let changes):
            var canary = Canary(configuration, values: new, changes: changes, request: request)
            let verdict = canary.judge(samples, beside: rules)
            return end(canary, verdict, now: now)
        }
    }

    // MARK: - Ends

    private mutating func end(_ canary: Canary, _ verdict: CanaryTally.Verdict, now: Timestamp) -> [Action] {
        let detail: String
        var actions: [Action] = []
        let kind: ReloadResult.Kind
        switch verdict {
        case .promoted:
            rules = canary.rules
            values = canary.values
            since = now
            actions = [.adopt(canary.rules), .logLevel(canary.configuration.log.level)]
            kind = .promoted
            detail = canary.tally.terms.events > 0 ? "tried on \(canary.tally.line)" : "without a trial"
        case .dropped(let difference):
            let limit = canary.tally.terms.limit(of: difference) ?? 0
            let count = canary.tally.counts[difference] ?? 0
            kind = .dropped
            let most = limit == 0 ? "none may" : "at most \(limit) may"
            detail =
                "\(count) of \(canary.tally.compared) events tried would \(difference.effect), and \(most): "
                + canary.tally.named
        }
        return actions
            + end(
                kind,
                canary.request,
                "\(detail); changed: \(canary.changes.places)",
                digest: canary.rules.digest,
                tally: canary.tally,
                now: now
            )
    }

    private mutating func end(
        _ kind: ReloadResult.Kind,
        _ request: ReloadRequest,
        _ detail: String,
        digest: String? = nil,
        problems: [String] = [],
        tally: CanaryTally? = nil,
        now: Timestamp
    ) -> [Action] {
        let result = ReloadResult(
            kind: kind,
            at: now,
            by: request.by,
            reason: request.reason,
            digest: digest,
            detail: detail,
            problems: problems,
            tally: tally
        )
        last = result
        return [.ended(result)]
    }
}

extension PlanDifference.Kind {
    /// The effect of new rules on subscribers, after `events would`.
    fileprivate var effect: String {
        switch self {
        case .same: "change nothing"
        case .words: "send other words to the same subscribers"
        case .audience: "notify other subscribers instead"
        case .lost: "notify fewer subscribers"
        case .gained: "notify additional subscribers"
        }
    }
}

extension ReloadState {
    /// The member `rules` of the status.
    var json: [UInt8] {
        JSONWriter.object { writer in
            writer.member("digest", rules.digest)
            writer.member("since", since.rfc3339)
            writer.name("lastReload")
            if let last { writer.result(last) } else { writer.null() }
        }
    }
}

extension JSONWriter {
    fileprivate mutating func result(_ result: ReloadResult) {
        beginObject()
        member("result", result.kind.rawValue)
        member("at", result.at.rfc3339)
        member("by", result.by)
        member("reason", result.reason)
        if let digest = result.digest { member("digest", digest) }
        member("detail", result.detail)
        member("problems", result.problems)
        if let tally = result.tally { self.tally(tally) }
        endObject()
    }

    /// The members of a comparison, in the current object.
    private mutating func tally(_ tally: CanaryTally) {
        member("events", Int64(tally.compared))
        member("of", Int64(tally.terms.events))
        member("announced", CanaryTerms.kinds.filter(tally.terms.announced.contains).map(\.rawValue))
        name("differences")
        beginObject()
        for kind in PlanDifference.Kind.allCases {
            name(kind.rawValue)
            value(tally.counts[kind] ?? 0)
        }
        endObject()
        name("differing")
        beginArray()
        for event in tally.differing {
            beginObject()
            member("event", event.event)
            member("difference", event.kind.rawValue)
            endObject()
        }
        endArray()
    }
}
