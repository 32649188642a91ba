import Dispatch
import Locks
import Publishing
import StructuredLog
import Timestamps

/// Reads the configuration again while the worker runs, judges its rules beside those in force, and puts them into force.
///
/// All of it happens on a queue of its own, so that planning twice delays no push. The publishing thread hands over what its
/// decisions were made of, all the time; the latest are kept.
final class RuleReloader: Sendable {
    private let source: ConfigurationSource?
    private let adopt: @Sendable (RuleSet) -> Void
    private let logLevel: LogLevelSetter
    private let metrics: ReloadMetrics
    private let logger: Logger
    private let queue = DispatchQueue(label: "newsflash.reload", qos: .utility)
    /// Changed on the queue alone.
    private let state: Locked<ReloadState>
    private let samples = Locked(DecisionSamples())
    private let isStopped = Locked(false)

    /// Makes a reloader of a worker that is about to start.
    ///
    /// - Parameters:
    ///   - source: Where its configuration comes from; `nil` where nothing can be read again.
    ///   - rules: In force at the start.
    ///   - secure: The key of secure events.
    ///   - adopt: Puts rules into force for events to come, on the publishing thread.
    ///   - logLevel: Gets `log.level`.
    ///   - metrics: Count the results.
    ///   - logger: Takes the results.
    init(
        _ source: ConfigurationSource?,
        rules: RuleSet,
        secure: SecureSettings,
        adopt: @escaping @Sendable (RuleSet) -> Void,
        logLevel: LogLevelSetter,
        metrics: ReloadMetrics,
        logger: Logger
    ) {
        self.source = source
        self.adopt = adopt
        self.logLevel = logLevel
        self.metrics = metrics
        self.logger = logger
        state = Locked(ReloadState(rules: rules, secure: secure, values: source?.values ?? [], now: .now()))
    }

    // MARK: For other threads

    /// Reads the configuration again, soon.
    ///
    /// - Parameter request: Who asks for it.
    func reload(_ request: ReloadRequest) {
        queue.async { [self] in
            guard let source else {
                return logger.warning(
                    "a configuration is asked for that this worker cannot read again",
                    metadata: ["by": .string(request.by), LogKey.remedy: .string("restart it")]
                )
            }
            let read: Result<ReadConfiguration, ConfigurationError>
            do throws(ConfigurationError) {
                read = .success(try source.read())
            } catch {
                read = .failure(error)
            }
            take(read, for: request)
        }
    }

    /// Keeps what decisions were made of; on the publishing thread.
    func keep(_ decisions: [DecisionSample]) {
        guard source != nil, !decisions.isEmpty else { return }
        samples.withLock { $0.append(decisions) }
    }

    /// Ends what is under way; nothing is put into force any more.
    func stop() {
        isStopped.withLock { $0 = true }
    }

    /// What the person on call should know of the last try.
    var note: String? { state.withLock { $0.last?.note } }

    /// Digest of the rules in force.
    var digest: String { state.withLock { $0.rules.digest } }

    /// The member `rules` of the status.
    var json: [UInt8] { state.withLock { $0 }.json }

    // MARK: On the queue

    private func take(_ read: Result<ReadConfiguration, ConfigurationError>, for request: ReloadRequest) {
        guard !isStopped.withLock({ $0 }) else { return }
        // A copy, so that health is not kept waiting while plans are made.
        var next = state.withLock { $0 }
        let decisions = samples.withLock { $0 }.newestFirst
        let actions = next.take(read, for: request, samples: decisions, now: .now())
        state.withLock { [next] in $0 = next }
        for action in actions {
            switch action {
            case .adopt(let rules): adopt(rules)
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
            // Right after a start there is nothing to judge by.
            let isUntested = result.tally.map { $0.compared == 0 && $0.terms.events > 0 } ?? false
            logger.log(
                level: isUntested ? .warning : .notice,
                "the configuration that was read is in force",
                metadata: metadata
            )
        case .unchanged:
            logger.notice("the configuration that was read is not put into force", metadata: metadata)
        case .dropped, .refused, .needsRestart:
            if !result.problems.isEmpty { metadata["problems"] = .string(result.problems.joined(separator: "; ")) }
            metadata[LogKey.remedy] = .string(result.kind.remedy)
            logger.error("the configuration that was read is not taken; the old one goes on", metadata: metadata)
        }
    }
}

extension ReloadResult.Kind {
    /// The remedy if the old rules go on though others were asked for.
    fileprivate var remedy: String {
        switch self {
        case .promoted, .unchanged: ""
        case .dropped:
            "look at the events with 'newsflash replay'; where they are meant to differ, announce it: "
                + "'newsflash reload --announce …' or reload.announce"
        case .refused: "mend the file ('newsflash lint' names each line) and ask again"
        case .needsRestart: "take these keys back and ask again, or restart the worker"
        }
    }
}
