import Publishing
import StructuredLog
import Timestamps

/// The rules in force, those on trial, and what became of the last try; decides, and leaves acting to its owner.
struct ReloadState {
    /// What the owner has to do.
    enum Action {
        /// Hand decisions over, or no more.
        case sample(Bool)
        case adopt(RuleSet)
        case logLevel(LogLevel)
        /// Come back with ``timeIsUp(_:now:)``.
        case wait(id: Int, Duration)
        case began(Canary)
        case ended(ReloadResult)
    }

    private(set) var rules: RuleSet
    /// Since when they are in force.
    private(set) var since: Timestamp
    private(set) var canary: Canary?
    private(set) var last: ReloadResult?
    private let secure: SecureSettings
    private var values: [ConfigurationValue]
    private var lastID = 0

    /// Begins with what the worker was started with.
    ///
    /// - Parameters:
    ///   - rules: In force.
    ///   - secure: The key of secure events, which holds until the worker ends, as it does in gateways.
    ///   - values: Every key.
    ///   - now: The present.
    init(rules: RuleSet, secure: SecureSettings, values: [ConfigurationValue], now: Timestamp) {
        self.rules = rules
        self.secure = secure
        self.values = values
        self.since = now
    }

    /// Takes what was read.
    ///
    /// - Parameters:
    ///   - read: The configuration as it is now, or what is wrong with it.
    ///   - request: Who asked for it.
    ///   - now: The present.
    /// - Returns: What is to be done.
    mutating func take(
        _ read: Result<ReadConfiguration, ConfigurationError>,
        for request: ReloadRequest,
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
            return end(.refused, request, "a file that it names cannot be used", problems: [problem], now: now)
        }
        configuration.secure = secure
        let digest = configuration.publishing.digest
        switch ReloadPlan(from: values, to: new) {
        case .unchanged:
            return replaceCanary(now: now)
                + end(.unchanged, request, "it says what is in force already", digest: digest, now: now)
        case .needsRestart(let changes):
            let detail = "a restart is needed for \(changes.places)"
            return end(.needsRestart, request, detail, digest: digest, problems: changes.map(\.place), now: now)
        case .settings(let changes):
            values = new
            return replaceCanary(now: now) + [.logLevel(configuration.log.level)]
                + end(.promoted, request, "changed: \(changes.places)", digest: digest, now: now)
        case .rules(let changes):
            lastID += 1
            let canary = Canary(
                id: lastID,
                request: request,
                rules: configuration.rules,
                values: new,
                configuration: configuration,
                changes: changes,
                began: now,
                tally: CanaryTally(terms: request.terms(over: configuration.reload))
            )
            let replaced = replaceCanary(now: now)
            guard canary.tally.terms.events > 0 else { return replaced + end(canary, .promoted, now: now) }
            self.canary = canary
            // Sampling comes first: an event that is published right after the line of the beginning counts.
            return replaced + [.sample(true), .began(canary), .wait(id: canary.id, canary.tally.terms.within)]
        }
    }

    /// Plans events by the rules in force and those on trial.
    ///
    /// - Parameters:
    ///   - samples: What decisions were made of.
    ///   - now: The present.
    /// - Returns: What is to be done.
    mutating func compare(_ samples: [DecisionSample], now: Timestamp) -> [Action] {
        for sample in samples {
            guard var canary else { break }
            let verdict = canary.compare(sample, with: rules)
            self.canary = canary
            if let verdict { return end(canary, verdict, now: now) }
        }
        return []
    }

    /// Takes note of decisions that came faster than they could be looked at.
    mutating func skip(_ count: Int) {
        canary?.tally.skip(count)
    }

    /// Ends a trial that has lasted as long as it may: nothing that its terms forbid was seen.
    ///
    /// - Parameters:
    ///   - id: Of the trial; one that has ended already is passed over.
    ///   - now: The present.
    /// - Returns: What is to be done.
    mutating func timeIsUp(_ id: Int, now: Timestamp) -> [Action] {
        guard let canary, canary.id == id else { return [] }
        return end(canary, .promoted, now: now)
    }

    // MARK: - Ends

    private mutating func end(_ canary: Canary, _ verdict: CanaryTally.Verdict, now: Timestamp) -> [Action] {
        let wasTried = self.canary != nil
        self.canary = nil
        let digest = canary.rules.digest
        let sampling: [Action] = wasTried ? [.sample(false)] : []
        switch verdict {
        case .promoted:
            rules = canary.rules
            values = canary.values
            since = now
            let tried = wasTried ? "tried on \(canary.tally.line)" : "without a trial"
            return sampling + [.adopt(canary.rules), .logLevel(canary.configuration.log.level)]
                + end(
                    .promoted,
                    canary.request,
                    "\(tried); changed: \(canary.changes.places)",
                    digest: digest,
                    tally: canary.tally,
                    now: now
                )
        case .dropped(let kind):
            let limit = canary.tally.terms.limit(of: kind) ?? 0
            let count = canary.tally.counts[kind] ?? 0
            let detail =
                "\(count) of \(canary.tally.compared) events tried would be \(kind.rawValue) and \(limit) may be: "
                + "\(canary.tally.named); changed: \(canary.changes.places)"
            return sampling
                + end(.dropped, canary.request, detail, digest: digest, tally: canary.tally, now: now)
        }
    }

    private mutating func replaceCanary(now: Timestamp) -> [Action] {
        guard let canary else { return [] }
        self.canary = nil
        let digest = canary.rules.digest
        return [.sample(false)]
            + end(
                .replaced,
                canary.request,
                "it was tried on \(canary.tally.line) when another was read",
                digest: digest,
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
