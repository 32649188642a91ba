import Dispatch
import NewsflashBasics
import NewsflashObservability
import NewsflashPublishing
import NewsflashTimestamps

/// Reads the configuration again while the worker runs, compares its rules with those in force, and applies them.
///
/// This happens on its own queue, so that planning twice delays no push. The publishing thread passes the inputs of all its
/// decisions; the latest are kept.
final class RuleReloader: Sendable {
    private let source: ConfigurationSource?
    private let inbox: PublishingInbox
    private let logLevel: LogLevelSetter
    private let metrics: ReloadMetrics
    private let logger: Logger
    private let queue = DispatchQueue(label: "newsflash.reload", qos: .utility)
    /// Only changed on the queue.
    private let state: Locked<ReloadState>
    private let samples = Locked(DecisionSamples())
    private let isStopped = Locked(false)

    /// Makes a reloader of a worker that is about to start.
    ///
    /// - Parameters:
    ///   - context: The configuration, and what the worker's parts share.
    ///   - source: The source of the configuration; `nil` if it cannot be read again.
    ///   - logLevel: Receives `log.level`.
    init(_ context: WorkerContext, source: ConfigurationSource?, logLevel: LogLevelSetter) {
        self.source = source
        self.logLevel = logLevel
        inbox = context.inbox
        metrics = ReloadMetrics(context.observation.metrics.registry)
        logger = context.logger
        let (rules, secure) = (context.configuration.rules, context.configuration.secure)
        state = Locked(ReloadState(rules: rules, secure: secure, values: source?.values ?? [], now: .now()))
    }

    // MARK: For other threads

    /// Reads the configuration again soon.
    func reload(_ request: ReloadRequest) {
        queue.async { [self] in
            guard let source else {
                return logger.warning(
                    "this worker cannot read its configuration again",
                    metadata: ["by": .string(request.by), LogKey.remedy: .string("restart it")]
                )
            }
            let read: Result<ReadConfiguration, ConfigurationError>
            do throws(ConfigurationError) {
                read = .success(try source.read())
            } catch {
                read = .failure(error)
            }
            apply(read, for: request)
        }
    }

    /// Keeps the inputs of decisions; called on the publishing thread.
    func keep(_ decisions: [DecisionSample]) {
        guard source != nil, !decisions.isEmpty else { return }
        samples.withLock { $0.append(decisions) }
    }

    /// Stops; nothing is applied any more.
    func stop() {
        isStopped.withLock { $0 = true }
    }

    /// A note about the latest reload, for the person on call.
    var note: String? { state.withLock { $0.last?.note } }

    /// The digest of the rules in force.
    var digest: String { state.withLock { $0.rules.digest } }

    /// The member `rules` of the status.
    var json: [UInt8] { state.withLock { $0 }.json }

    // MARK: On the queue

    private func apply(_ read: Result<ReadConfiguration, ConfigurationError>, for request: ReloadRequest) {
        guard !isStopped.withLock({ $0 }) else { return }
        // A copy, so that health does not wait while plans are made.
        var next = state.withLock { $0 }
        let decisions = samples.withLock { $0 }.newestFirst
        let actions = next.apply(read, for: request, samples: decisions, now: .now())
        state.withLock { [next] in $0 = next }
        for action in actions {
            switch action {
            case .adopt(let rules): inbox.post(.adopted(rules))
            case .logLevel(let level): logLevel.configure(level)
            case .ended(let result): log(result)
            }
        }
    }

    private func log(_ result: ReloadResult) {
        metrics.ended(result)
        var metadata: LogMetadata = [
            "by": .string(result.by), LogKey.reason: .string(result.reason), LogKey.detail: .string(result.detail),
            LogKey.outcome: .string(result.kind.rawValue),
        ]
        if let digest = result.digest { metadata["config"] = .string(digest) }
        switch result.kind {
        case .promoted:
            // Right after a start there are no decisions to compare.
            let isUntested = result.tally.map { $0.compared == 0 && $0.terms.events > 0 } ?? false
            logger.log(
                level: isUntested ? .warning : .notice,
                "the reloaded configuration is in force",
                metadata: metadata
            )
        case .unchanged:
            logger.notice("the reloaded configuration has no changes", metadata: metadata)
        case .dropped, .refused, .needsRestart:
            if !result.problems.isEmpty { metadata["problems"] = .string(result.problems.joined(separator: "; ")) }
            metadata[LogKey.remedy] = .string(result.kind.remedy)
            logger.error("the reloaded configuration is rejected; the old one stays in force", metadata: metadata)
        }
    }
}

extension ReloadResult.Kind {
    /// The remedy if the requested rules are not in force.
    fileprivate var remedy: String {
        switch self {
        case .promoted, .unchanged: ""
        case .dropped:
            "check the events with 'newsflash replay'; if the differences are intended, announce them: "
                + "'newsflash reload --announce …' or reload.announce"
        case .refused: "correct the file ('newsflash lint' names each line) and reload again"
        case .needsRestart: "revert these keys and reload again, or restart the worker"
        }
    }
}

/// The results of configuration reloads, as metrics.
final class ReloadMetrics: Sendable {
    private let results: [ReloadResult.Kind: Counter]
    private let differences: [PlanDifference.Kind: Counter]

    /// Makes all series with zero.
    ///
    /// - Parameter registry: The registry that shows them.
    init(_ registry: MetricsRegistry) {
        results = Dictionary(
            uniqueKeysWithValues: ReloadResult.Kind.allCases.map { kind in
                let counter = registry.counter(
                    "newsflash_reloads",
                    help: "Configuration reloads by result.",
                    dimensions: [("result", kind.rawValue)]
                )
                return (kind, counter)
            }
        )
        differences = Dictionary(
            uniqueKeysWithValues: PlanDifference.Kind.allCases.map { kind in
                let counter = registry.counter(
                    "newsflash_canary_events",
                    help: "Events also planned with new rules, by difference.",
                    dimensions: [("difference", kind.rawValue)]
                )
                return (kind, counter)
            }
        )
    }

    /// Counts a result and the decisions compared for it.
    func ended(_ result: ReloadResult) {
        results[result.kind]?.increment()
        for (difference, count) in result.tally?.counts ?? [:] { differences[difference]?.increment(by: Int64(count)) }
    }
}

/// The source of a worker's configuration, for reading it again while the worker runs.
package struct ConfigurationSource: Sendable {
    /// Every key as at the start of the worker.
    let values: [ConfigurationValue]
    /// Reads the current configuration.
    package let read: @Sendable () throws(ConfigurationError) -> ReadConfiguration

    /// Makes a source.
    ///
    /// - Parameters:
    ///   - present: The configuration at the start.
    ///   - read: Reads the current configuration; called on a thread where nothing else waits.
    package init(
        _ present: ReadConfiguration,
        read: @escaping @Sendable () throws(ConfigurationError) -> ReadConfiguration
    ) {
        self.values = present.values
        self.read = read
    }
}
